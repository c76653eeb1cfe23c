// How do several watchers see the same connection? Every event is handed to each of them, in the order they
// were added.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "quell/trace/sink.h"

namespace quell::trace {

// Owns its sinks. Null sinks are left out.
class Tee final : public Sink {
 public:
  Tee() = default;
  explicit Tee(std::vector<std::unique_ptr<Sink>> sinks) {
    for (auto& sink : sinks) add(std::move(sink));
  }
  void add(std::unique_ptr<Sink> sink) {
    if (sink) sinks_.push_back(std::move(sink));
  }
  bool empty() const { return sinks_.empty(); }

  void connection_started(const ConnectionStarted& e, TimePoint now) override {
    tell(&Sink::connection_started, e, now);
  }
  void packet_sent(const Packet& e, TimePoint now) override { tell(&Sink::packet_sent, e, now); }
  void packet_received(const Packet& e, TimePoint now) override { tell(&Sink::packet_received, e, now); }
  void packet_dropped(const PacketDropped& e, TimePoint now) override { tell(&Sink::packet_dropped, e, now); }
  void packet_lost(const PacketLost& e, TimePoint now) override { tell(&Sink::packet_lost, e, now); }
  void spurious_loss(const SpuriousLoss& e, TimePoint now) override { tell(&Sink::spurious_loss, e, now); }
  void recovery_metrics(const RecoveryMetrics& e, TimePoint now) override {
    tell(&Sink::recovery_metrics, e, now);
  }
  void congestion_state_updated(const CongestionStateUpdated& e, TimePoint now) override {
    tell(&Sink::congestion_state_updated, e, now);
  }
  void transmit_ended(const TransmitEnded& e, TimePoint now) override { tell(&Sink::transmit_ended, e, now); }
  void parameters_set(const ParametersSet& e, TimePoint now) override { tell(&Sink::parameters_set, e, now); }
  void handshake_progress(const HandshakeProgress& e, TimePoint now) override {
    tell(&Sink::handshake_progress, e, now);
  }
  void key_updated(const KeyUpdated& e, TimePoint now) override { tell(&Sink::key_updated, e, now); }
  void ecn_state_updated(const EcnStateUpdated& e, TimePoint now) override {
    tell(&Sink::ecn_state_updated, e, now);
  }
  void connection_closed(const ConnectionClosed& e, TimePoint now) override {
    tell(&Sink::connection_closed, e, now);
  }

 private:
  template <typename Event>
  void tell(void (Sink::*verb)(const Event&, TimePoint), const Event& event, TimePoint now) {
    for (const auto& sink : sinks_) ((*sink).*verb)(event, now);
  }

  std::vector<std::unique_ptr<Sink>> sinks_;
};

}  // namespace quell::trace
