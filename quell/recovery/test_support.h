// What do the tests of this floor need? Packets, ACK frames and a controller that only takes notes. For tests
// only.
#pragma once

#include <array>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "quell/base/range_set.h"
#include "quell/base/writer.h"
#include "quell/cc/controller.h"
#include "quell/recovery/recovery.h"
#include "quell/wire/frame.h"

namespace quell::testing {

inline constexpr ByteCount kPacket = 1200;
inline TimePoint at(Duration since_start) {
  return TimePoint{since_start};
}

// An ACK frame that owns its encoded ranges.
class Ack {
 public:
  explicit Ack(const RangeSet& numbers) {
    const auto& ranges = numbers.ranges();
    frame_.largest = numbers.highest();
    frame_.first_range = ranges.back().size() - 1;
    frame_.range_count = ranges.size() - 1;
    encoded_.resize(ranges.size() * 16);
    Writer out{encoded_};
    for (std::size_t i = ranges.size() - 1; i > 0; --i) {
      out.varint(ranges[i].first - ranges[i - 1].end - 1);  // RFC 9000 §19.3.1: Gap
      out.varint(ranges[i - 1].size() - 1);
    }
    frame_.encoded_ranges = Bytes{encoded_}.first(out.position());
  }
  // Closed intervals, ascending.
  Ack(std::initializer_list<std::array<PacketNumber, 2>> intervals) : Ack(set_of(intervals)) {}
  Ack(const Ack&) = delete;
  Ack& operator=(const Ack&) = delete;

  const AckFrame& frame() const { return frame_; }
  Ack& with_ecn(EcnCounts counts) {
    frame_.ecn = counts;
    return *this;
  }

 private:
  static RangeSet set_of(std::initializer_list<std::array<PacketNumber, 2>> intervals) {
    RangeSet set;
    for (const auto& [first, last] : intervals) set.add(first, last + 1);
    return set;
  }
  std::vector<std::uint8_t> encoded_;
  AckFrame frame_;
};

// A controller with a window that only the test moves, or cuts by `beta`; it keeps what it was told.
struct Notes {
  cc::Traits traits{.name = "notes", .wants_lost_packets = true};
  ByteCount window = 100 * kPacket;
  double beta = 1;
  std::optional<ByteCount> ssthresh;
  std::optional<Rate> rate;
  cc::State state = cc::State::slow_start;
  std::vector<cc::AckEvent> acks;  // without their spans
  std::vector<std::vector<PacketNumber>> acked;
  std::vector<std::vector<PacketNumber>> lost;
  std::vector<cc::LossEvent> losses;  // without their spans
  std::vector<cc::CongestionEvent> cuts;
  std::vector<std::uint64_t> spurious;
  std::vector<Duration> idle_gaps;
  std::vector<cc::SentEvent> sent;
  std::vector<std::pair<ByteCount, ByteCount>> mtus;
  int exits = 0;
  int path_resets = 0;
};

class NotingController final : public cc::Controller {
 public:
  explicit NotingController(Notes& notes) : notes_(notes) {}
  const cc::Traits& traits() const override { return notes_.traits; }
  void on_sent(const cc::SentEvent& event, TimePoint /*now*/) override { notes_.sent.push_back(event); }
  void on_ack(const cc::AckEvent& event, TimePoint /*now*/) override {
    notes_.acked.emplace_back();
    for (const auto& packet : event.packets) notes_.acked.back().push_back(packet.number);
    notes_.acks.push_back(event);
    notes_.acks.back().packets = {};
  }
  void on_packets_lost(const cc::LossEvent& event, TimePoint /*now*/) override {
    notes_.lost.emplace_back();
    for (const auto& packet : event.packets) notes_.lost.back().push_back(packet.number);
    notes_.losses.push_back(event);
    notes_.losses.back().packets = {};
  }
  void on_congestion(const cc::CongestionEvent& event, TimePoint /*now*/) override {
    notes_.cuts.push_back(event);
    notes_.window = static_cast<ByteCount>(static_cast<double>(notes_.window) * notes_.beta);
  }
  void on_recovery_exit(Duration /*growth_clock*/, TimePoint /*now*/) override { ++notes_.exits; }
  void on_spurious(std::uint64_t episode, TimePoint /*now*/) override { notes_.spurious.push_back(episode); }
  void on_idle_restart(Duration gap, TimePoint /*now*/) override { notes_.idle_gaps.push_back(gap); }
  void on_mtu(ByteCount old_size, ByteCount new_size, TimePoint /*now*/) override {
    notes_.mtus.emplace_back(old_size, new_size);
  }
  void on_path_reset(TimePoint /*now*/) override { ++notes_.path_resets; }
  ByteCount cwnd() const override { return notes_.window; }
  std::optional<ByteCount> ssthresh() const override { return notes_.ssthresh; }
  std::optional<Rate> pacing_rate() const override { return notes_.rate; }
  cc::State state() const override { return notes_.state; }

 private:
  Notes& notes_;
};

// A confirmed client connection with one path, at a time that the test moves.
struct World {
  explicit World(RecoveryConfig config = {.max_datagram_size = kPacket, .ecn = false, .pacing = false},
                 trace::Sink* sink = nullptr)
      : recovery(Side::client, config, std::make_unique<NotingController>(notes), sink) {
    recovery.set_handshake_facts(
        {.has_handshake_keys = true, .is_confirmed = true, .peer_validated_address = true}, now);
  }

  // Sends a full packet whose one frame carries its number as stream id.
  PacketNumber send() { return send(full_packet()); }
  PacketNumber send(SentPacketInfo info) {
    info.number = recovery.next_packet_number(info.space);
    const SentFrame frame{.type = FrameType::stream, .id = info.number};
    info.frames = {&frame, 1};
    recovery.on_sent(info, now);
    return info.number;
  }
  void send_many(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) send();
  }
  static SentPacketInfo full_packet(Space space = Space::application) {
    SentPacketInfo info;
    info.space = space;
    info.size = kPacket;
    info.is_ack_eliciting = true;
    info.is_in_flight = true;
    info.ready_bytes_after = 1 << 30;
    return info;
  }
  static SentPacketInfo ack_only() {
    SentPacketInfo info;
    info.size = 40;
    return info;
  }

  Result<AckOutcome> ack(const Ack& ack, Space space = Space::application, Duration delay = {}) {
    return recovery.on_ack(space, ack.frame(), delay, now);
  }
  Result<AckOutcome> ack(PacketNumber first, PacketNumber last) { return ack(Ack{{first, last}}); }
  // One packet there and its ACK back: the first RTT sample.
  void warm_up(Duration rtt) {
    const PacketNumber number = send();
    now += rtt;
    (void)ack(number, number);
  }

  Notes notes;
  TimePoint now = at(seconds{1});
  Recovery recovery;
};

inline std::vector<std::uint64_t> ids(std::span<const SentFrame> frames) {
  std::vector<std::uint64_t> out;
  for (const SentFrame& frame : frames) out.push_back(frame.id);
  return out;
}

}  // namespace quell::testing
