// What is one connection? The parts, held by value, and the four ways through them: receive.cc (a datagram
// in), transmit.cc (a datagram out), delivery.cc (what became of what we sent), timers.cc.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "quell/base/address.h"
#include "quell/base/bounded_queue.h"
#include "quell/connection/closing.h"
#include "quell/connection/config.h"
#include "quell/connection/connection_ids.h"
#include "quell/connection/endpoint.h"
#include "quell/connection/event_queue.h"
#include "quell/connection/idle.h"
#include "quell/connection/key_update.h"
#include "quell/connection/packet_builder.h"
#include "quell/connection/packet_space.h"
#include "quell/connection/paths.h"
#include "quell/connection/pmtud.h"
#include "quell/connection/stats.h"
#include "quell/connection/streams.h"
#include "quell/crypto/handshake.h"
#include "quell/recovery/recovery.h"
#include "quell/wire/packet_header.h"

namespace quell {

// Internal to connection/: the application speaks to Endpoint. `now` never runs backwards.
class Connection {
 public:
  struct Setup {
    Side side = Side::client;
    ConnectionConfig config;
    CredentialsPtr credentials;
    std::string server_name{};
    Address local;
    Address remote;
    ConnectionId original_destination;  // of the client's very first Initial
    std::optional<ConnectionId>
        retry_source{};  // server: our Retry's, which the client now uses as destination
    ConnectionId local_id;
    ConnectionId remote_id;             // client: original_destination; server: the client's source ID
    bool is_address_validated = false;  // server: by a token
    StatelessResetToken reset_token{};  // server: of local_id
    std::uint64_t grease = 0;           // which reserved transport parameter to send
    std::unique_ptr<trace::Sink> sink{};
  };
  Connection(Setup setup, TimePoint now);

  // --- driven by the endpoint
  void receive(MutableBytes datagram, Ecn ecn, TimePoint now);
  std::optional<Transmit> transmit(MutableBytes buffer, std::size_t max_segments, TimePoint now);
  std::optional<TimePoint> next_timeout() const;
  void on_timeout(TimePoint now);
  EventQueue& events() { return events_; }
  bool is_gone() const { return closing_.is_gone(); }
  bool has_received_packet() const { return has_received_packet_; }
  // A datagram for none of our IDs: true, and the end of the connection, if it is the peer's stateless reset
  // (RFC 9000 §10.3.1).
  bool receive_reset(Bytes datagram, TimePoint now);

  // IDs that the peer would take; made by the endpoint.
  std::size_t ids_wanted() const;
  void issue_id(const ConnectionId& id, const StatelessResetToken& token) { local_ids_.issue(id, token); }
  LocalConnectionIds::Changes take_id_changes() { return local_ids_.take_changes(); }
  const std::vector<LocalConnectionIds::Issued>& local_ids() const { return local_ids_.active(); }
  const ConnectionId& original_destination() const { return original_destination_; }

  // --- the application's verbs
  void close(std::uint64_t error_code, std::string reason, TimePoint now);
  void on_unreachable(TimePoint now);
  bool update_keys(TimePoint now);
  Streams& streams() { return streams_; }
  // Queued data may go: the growth clock and the write room see the same window.
  ByteCount cwnd() const { return recovery_.cwnd(); }
  bool is_open() const { return closing_.is_open(); }
  bool is_handshake_complete() const { return handshake_complete_; }
  const Address& remote() const { return paths_.remote(); }
  const Address& local() const { return paths_.local(); }
  const std::string& server_name() const { return server_name_; }
  Side side() const { return side_; }
  ConnectionStats stats(TimePoint now) const;

 private:
  PacketSpace& space(Space s) { return spaces_[index(s)]; }
  const PacketSpace& space(Space s) const { return spaces_[index(s)]; }
  std::size_t max_datagram_size() const { return static_cast<std::size_t>(recovery_.max_datagram_size()); }

  // receive.cc
  void receive_packet(const ProtectedPacket& packet, MutableBytes bytes, Ecn ecn, TimePoint now);
  struct Opened {
    PacketNumber number = 0;
    Bytes payload;
    bool key_phase = false;
  };
  // Nothing: dropped, traced.
  Result<std::optional<Opened>> open_packet(const ProtectedPacket& packet, MutableBytes bytes, TimePoint now);
  Result<bool> authenticate(Space s, PacketNumber number, MutableBytes bytes, std::size_t header_size,
                            TimePoint now);
  Result<void> on_packet(const ProtectedPacket& packet, const Opened& opened, Ecn ecn, TimePoint now);
  Result<void> on_frames(const ProtectedPacket& packet, Bytes payload, bool& ack_eliciting, TimePoint now);
  Result<void> on_frame(const Frame& frame, const ProtectedPacket& packet, TimePoint now);
  Result<void> on_ack_frame(const AckFrame& frame, Space s, TimePoint now);
  Result<void> on_crypto_frame(const CryptoFrame& frame, Space s, TimePoint now);
  void answer_twice();
  void hold(const ProtectedPacket& packet, Bytes bytes, Ecn ecn);
  void replay_held(TimePoint now);
  void drop(std::optional<PacketType> type, std::size_t size, trace::DropReason reason, TimePoint now);
  bool is_stateless_reset(Bytes datagram) const;
  void on_version_negotiation(const ProtectedPacket& packet, TimePoint now);
  void on_retry(const ProtectedPacket& packet, Bytes bytes, TimePoint now);

  // handshake_flow.cc
  void start_handshake(CredentialsPtr credentials, std::uint64_t grease,
                       const StatelessResetToken& reset_token, TimePoint now);
  TransportParameters local_parameters(const StatelessResetToken& reset_token) const;
  void install_initial_keys(const ConnectionId& client_destination);
  Result<void> advance_handshake(TimePoint now);
  void install(const HandshakeSecret& secret, TimePoint now);
  Result<void> accept_parameters(Bytes raw, TimePoint now);
  void on_handshake_complete(TimePoint now);
  void confirm_handshake(TimePoint now);
  void discard(Space s, TimePoint now);
  void update_handshake_facts(TimePoint now);

  void update_keys_when_due(TimePoint now);

  // transmit.cc
  void fill_probes();
  std::size_t build_datagram(MutableBytes room, SendBudget& budget, TransmitEnd& end, TimePoint now);
  enum class Want : std::uint8_t { nothing, ack, everything };
  Want wanted(Space s, const SendBudget& budget, bool is_first, TransmitEnd& end, TimePoint now) const;
  bool has_data(Space s) const;
  ByteCount ready_bytes() const;
  HeaderFields header_for(Space s) const;
  void write_frames(PacketBuilder& builder, Space s, Want want, TimePoint now);
  void finish_packet(PacketBuilder& builder, Space s, bool is_mtu_probe, TimePoint now);
  std::optional<Transmit> transmit_mtu_probe(MutableBytes buffer, const SendBudget& budget, TimePoint now);
  std::optional<Transmit> transmit_close(MutableBytes buffer, TimePoint now);

  // delivery.cc
  void on_frames_acked(std::span<const SentFrame> frames, Space s);
  void on_frames_lost(std::span<const SentFrame> frames, Space s);

  // timers.cc and the end
  void fail_with(const Error& error, TimePoint now);
  void end(ConnectionEnded ended, std::string_view trigger, TimePoint now);
  void vanish(ConnectionEnded::Cause cause, std::string_view reason, std::string_view trigger, TimePoint now);
  Duration closing_time() const { return 3 * recovery_.pto(); }

  Side side_;
  ConnectionConfig config_;
  std::string server_name_;
  std::unique_ptr<trace::Sink> sink_;
  EventQueue events_;

  ConnectionId original_destination_;
  std::optional<ConnectionId> retry_source_;
  ConnectionId handshake_local_id_;  // of the first packets: what the transport parameters name
  LocalConnectionIds local_ids_;
  RemoteConnectionIds remote_ids_;
  Paths paths_;
  Pmtud pmtud_;

  std::unique_ptr<Handshake> handshake_;
  std::array<PacketSpace, kSpaceCount> spaces_;
  std::optional<Secret> receive_secret_;  // 1-RTT secrets until both are here
  std::optional<Secret> send_secret_;
  std::optional<OneRttKeys> one_rtt_;
  std::optional<TransportParameters> peer_;
  bool handshake_complete_ = false;
  bool handshake_confirmed_ = false;
  bool handshake_done_wanted_ = false;
  bool handshake_done_acked_ = false;
  bool has_received_packet_ = false;  // any that was authentic
  bool heard_handshake_ack_ = false;  // client: the server has our address (RFC 9002 §6.2.2.1)
  bool amplification_limited_ = false;
  std::vector<std::uint8_t> token_;  // client: goes into its Initials

  // Packets that came before their keys (RFC 9001 §5.7), replayed when the keys come. Choice: eight hold a
  // server's whole first flight.
  struct Held {
    std::vector<std::uint8_t> bytes;
    Ecn ecn = Ecn::not_ect;
  };
  static constexpr std::size_t kMaxHeld = 8;
  BoundedQueue<Held> held_{kMaxHeld};
  bool keys_changed_ = false;

  Recovery recovery_;
  Streams streams_;
  IdleTimer idle_;
  Closing closing_;
  std::optional<TimePoint> handshake_deadline_;
  std::optional<TimePoint> pacer_retry_at_;

  std::array<std::vector<SentFrame>, kSpaceCount> notes_;  // scratch
  Ecn burst_ecn_ = Ecn::not_ect;
  std::uint32_t acks_alone_ = 0;  // ACK-only 1-RTT packets in a row
  std::uint64_t packets_received_ = 0;
  std::uint64_t packets_dropped_ = 0;
  ByteCount bytes_received_ = 0;
};

}  // namespace quell
