// What does a congestion controller hear? Facts that the transport owns, as plain values.
#pragma once

#include <cstdint>
#include <span>

#include "quell/base/time.h"
#include "quell/base/units.h"

namespace quell::cc {

// Spans in these events borrow the transport's scratch memory and are valid for the call only.

struct SentEvent {
  PacketNumber number = 0;
  ByteCount bytes = 0;
  ByteCount in_flight_before = 0;
  bool is_app_limited = false;
};

struct AckedPacket {
  PacketNumber number = 0;
  ByteCount bytes = 0;
  TimePoint sent_at{};
};

struct LostPacket {
  PacketNumber number = 0;
  ByteCount bytes = 0;
  TimePoint sent_at{};
  // Totals of the connection when the packet was sent.
  ByteCount in_flight_at_send = 0;
  ByteCount lost_at_send = 0;
  ByteCount delivered_at_send = 0;
  bool is_app_limited = false;
};

// Zero `smoothed` means that there is no sample yet.
struct RttView {
  Duration latest{0};
  Duration min{0};
  Duration smoothed{0};
  bool is_new = true;  // was `latest` sampled by this ACK? (RFC 9002 §5.1: not every ACK yields a sample)
};

// A delivery rate sample (draft-ietf-ccwg-bbr §4.1). `interval` of zero: no sample.
struct DeliveryRateSample {
  ByteCount delivered = 0;        // bytes delivered over the interval
  ByteCount prior_delivered = 0;  // total delivered when the sampled packet was sent
  Duration interval{0};
  Rate rate{};
  ByteCount in_flight_at_send = 0;
  ByteCount lost_since_send = 0;
  bool is_app_limited = false;
};

struct AckEvent {
  // Newly acknowledged bytes that were in flight.
  ByteCount acked_bytes = 0;
  // The part of them that may grow the window: sent outside recovery and while window-limited (RFC 9002
  // §7.8).
  ByteCount growable_bytes = 0;
  ByteCount in_flight_before = 0;
  ByteCount in_flight_after = 0;
  RttView rtt{};
  // Total time during which the sender was limited by its window: CUBIC's t is a difference of two of these.
  Duration growth_clock{0};
  bool in_recovery = false;
  ByteCount total_delivered = 0;
  std::uint64_t ect0_delta = 0;
  std::uint64_t ect1_delta = 0;
  std::uint64_t ce_delta = 0;
  DeliveryRateSample delivery{};
  std::span<const AckedPacket> packets{};
};

struct LossEvent {
  ByteCount lost_bytes = 0;
  ByteCount in_flight_after = 0;
  // Totals of the connection, this batch and the ACK that revealed it included.
  ByteCount total_lost = 0;
  ByteCount total_delivered = 0;
  std::span<const LostPacket> packets{};
};

enum class CongestionCause : std::uint8_t { loss, ecn_ce, persistent };

// Once per recovery episode (and once more for persistent congestion, RFC 9002 §7.6).
struct CongestionEvent {
  CongestionCause cause = CongestionCause::loss;
  ByteCount lost_bytes = 0;
  ByteCount in_flight = 0;  // before the lost packets were taken off
  std::uint64_t episode = 0;
  // When the packet that revealed it was sent; for historic controllers.
  TimePoint sent_at{};
};

// What qlog calls a congestion state: RFC 9002's states by their usual names; qlog leaves the vocabulary
// open.
enum class State : std::uint8_t {
  slow_start,
  conservative_slow_start,  // RFC 9406 §4.2
  congestion_avoidance,
  recovery,
  application_limited
};
const char* to_string(State state);

}  // namespace quell::cc
