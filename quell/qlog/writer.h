// How does a connection's story become a qlog file? One JSON-SEQ record per event, written as it happens.
// (draft-ietf-quic-qlog-main-schema-14, draft-ietf-quic-qlog-quic-events-13)
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "quell/qlog/json_text.h"
#include "quell/qlog/output.h"
#include "quell/trace/sink.h"

namespace quell::qlog {

// One instant on two clocks: the timeline that events carry, and the wall clock. Zero for both is right for
// virtual time, and makes a log a function of its events alone.
struct ReferenceTime {
  TimePoint at;
  std::chrono::microseconds since_unix_epoch{0};
};

// Invariant: what was handed to the output is a whole number of records. Times are milliseconds since the
// first event, to the microsecond; that event's wall clock time is the `epoch` of the header. After a failed
// write the writer falls silent.
class Writer final : public trace::Sink {
 public:
  // `output` must not be null.
  Writer(std::unique_ptr<Output> output, Side side, const ConnectionId& original_destination,
         ReferenceTime reference);
  ~Writer() override;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Hands everything so far to the output. Happens by itself every 64 kB, when the connection closes, and at
  // the end.
  void flush();

  void connection_started(const trace::ConnectionStarted& event, TimePoint now) override;
  void packet_sent(const trace::Packet& packet, TimePoint now) override;
  void packet_received(const trace::Packet& packet, TimePoint now) override;
  void packet_dropped(const trace::PacketDropped& event, TimePoint now) override;
  void packet_lost(const trace::PacketLost& event, TimePoint now) override;
  void spurious_loss(const trace::SpuriousLoss& event, TimePoint now) override;
  void recovery_metrics(const trace::RecoveryMetrics& metrics, TimePoint now) override;
  void congestion_state_updated(const trace::CongestionStateUpdated& event, TimePoint now) override;
  void parameters_set(const trace::ParametersSet& event, TimePoint now) override;
  void handshake_progress(const trace::HandshakeProgress& event, TimePoint now) override;
  void key_updated(const trace::KeyUpdated& event, TimePoint now) override;
  void ecn_state_updated(const trace::EcnStateUpdated& event, TimePoint now) override;
  void connection_closed(const trace::ConnectionClosed& event, TimePoint now) override;

 private:
  // Starts a record and its "data" object; `end` closes both and flushes when enough is waiting.
  JsonText begin(std::string_view name, TimePoint now);
  void end(JsonText& json);
  void write_header(TimePoint first);
  void write_packet(std::string_view name, const trace::Packet& packet, std::uint64_t ack_delay_exponent,
                    TimePoint now);
  void write_key(std::string_view secret, std::string_view trigger, const std::uint64_t* phase,
                 TimePoint now);

  std::unique_ptr<Output> output_;
  Side side_;
  ConnectionId original_destination_;
  ReferenceTime reference_;
  std::string buffer_;
  bool has_started_ = false;
  bool has_failed_ = false;
  TimePoint zero_;
  trace::RecoveryMetrics last_metrics_;
  // RFC 9000 §18.2: what each side announced; 3 until then.
  std::uint64_t local_ack_delay_exponent_ = 3;
  std::uint64_t remote_ack_delay_exponent_ = 3;
};

}  // namespace quell::qlog
