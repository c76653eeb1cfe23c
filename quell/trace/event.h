// What can happen to a connection that somebody may want to watch? Plain structs; nothing here knows JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "quell/base/address.h"
#include "quell/base/units.h"
#include "quell/cc/events.h"
#include "quell/wire/connection_id.h"
#include "quell/wire/error.h"
#include "quell/wire/transport_parameters.h"
#include "quell/wire/types.h"

namespace quell::trace {

// Views in these structs are valid for the call only.

struct ConnectionStarted {
  Side side = Side::client;
  Address local;
  Address remote;
  ConnectionId original_destination;
  ConnectionId source;
  ConnectionId destination;
  std::string_view controller;
};

// A packet before it is sealed or after it was opened; `payload` is its plaintext, a sequence of frames that
// frame_reader can read.
struct Packet {
  PacketType type = PacketType::one_rtt;
  PacketNumber number = 0;
  ByteCount size = 0;  // whole packet, header and tag included
  Bytes payload;
  ConnectionId destination;
  ConnectionId source;  // long headers
  Ecn ecn = Ecn::not_ect;
  bool key_phase = false;
  bool is_pto_probe = false;  // sent packets only
  bool is_in_flight = false;  // sent packets only
};

// RFC names of why a packet was put aside.
enum class DropReason : std::uint8_t {
  unknown_version,
  unknown_connection,
  keys_unavailable,
  decryption_failure,
  duplicate,
  malformed,
  invalid,
  unexpected,
  reset_received
};
struct PacketDropped {
  std::optional<PacketType> type;
  ByteCount size = 0;
  DropReason reason = DropReason::malformed;
};

enum class LossTrigger : std::uint8_t { reordering_threshold, time_threshold, pto_expired };
struct PacketLost {
  Space space = Space::application;
  PacketNumber number = 0;
  ByteCount size = 0;
  LossTrigger trigger = LossTrigger::reordering_threshold;
};
// A packet that was declared lost and was acknowledged later.
struct SpuriousLoss {
  Space space = Space::application;
  PacketNumber number = 0;
};

// After every event that may have changed one of them.
struct RecoveryMetrics {
  Duration min_rtt{0};
  Duration smoothed_rtt{0};
  Duration latest_rtt{0};
  Duration rtt_variance{0};
  std::uint32_t pto_count = 0;
  ByteCount cwnd = 0;
  ByteCount bytes_in_flight = 0;
  ByteCount max_datagram_size = 0;
  std::optional<ByteCount> ssthresh;
  Rate pacing_rate;
  // Extras of ours: total bytes acknowledged and lost, the growth clock, is data waiting for the window or
  // the pacer.
  ByteCount total_delivered = 0;
  ByteCount total_lost = 0;
  Duration growth_clock{0};
  bool is_window_limited = false;
  // Round trips at the floor with data waiting and nothing lost: what would have found the historic bug in
  // production.
  std::uint64_t floor_rounds_without_loss = 0;
};

// qlog's trigger: "persistent_congestion", "ecn", "loss", "recovery_exit", "growth" …
struct CongestionStateUpdated {
  cc::State from = cc::State::slow_start;
  cc::State to = cc::State::slow_start;
  std::string_view trigger;
};

// Why nothing more leaves.
enum class TransmitEnd : std::uint8_t { window, pacer, nothing_to_send, flow_control, amplification };
// A transmit pass ended for another reason than the one before it: what holds the sender from now on. Ours;
// qlog has no event for it.
struct TransmitEnded {
  TransmitEnd reason = TransmitEnd::nothing_to_send;
};

struct ParametersSet {
  bool is_local = true;
  const TransportParameters* parameters = nullptr;
};

struct HandshakeProgress {
  enum class Milestone : std::uint8_t { handshake_keys, one_rtt_keys, complete, confirmed };
  Milestone milestone = Milestone::complete;
  std::string_view alpn;  // with `complete`
};

struct KeyUpdated {
  std::uint64_t generation = 0;
  bool is_remote_initiated = false;
};

enum class EcnState : std::uint8_t { testing, unknown, failed, capable };
struct EcnStateUpdated {
  EcnState from = EcnState::testing;
  EcnState to = EcnState::testing;
};

struct ConnectionClosed {
  bool is_local = true;  // who closed it
  bool is_application = false;
  std::uint64_t error_code = 0;
  std::string_view reason;
  std::string_view trigger;  // "idle_timeout", "handshake_timeout", "stateless_reset", "error", "clean", …
};

}  // namespace quell::trace
