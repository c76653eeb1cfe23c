// The laws of recovery over random histories of sending, hearing, silence and time.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "quell/recovery/test_support.h"

namespace quell {
namespace {

using testing::Ack;
using testing::at;
using testing::kPacket;
using testing::World;

// Runs a history and keeps its own books beside recovery's.
class History {
 public:
  History(bool pacing, bool wants_prr)
      : world_(RecoveryConfig{.max_datagram_size = kPacket, .ecn = true, .pacing = pacing}),
        start_(world_.now) {
    world_.notes.window = 20 * kPacket;
    world_.notes.traits.wants_prr = wants_prr;
    world_.notes.beta = 0.7;
  }

  void step() {
    switch (*rc::gen::weightedElement<int>({{6, 0}, {5, 1}, {2, 2}, {3, 3}, {1, 4}, {1, 5}})) {
      case 0:
        send();
        break;
      case 1:
        hear();
        break;
      case 2:
        end_pass();
        break;
      case 3:
        wait();
        break;
      case 4:
        fire_timer();
        break;
      case 5:
        move_window();
        break;
    }
    check();
  }

 private:
  void send() {
    const int count = *rc::gen::inRange(1, 12);
    for (int i = 0; i < count; ++i) {
      SentPacketInfo info = World::full_packet(
          *rc::gen::weightedElement<Space>({{8, Space::application}, {1, Space::handshake}}));
      info.size = *rc::gen::inRange<ByteCount>(40, kPacket + 1);
      const int kind = *rc::gen::inRange(0, 10);
      if (kind == 0) info.is_ack_eliciting = info.is_in_flight = false;
      if (kind == 1) info.is_mtu_probe = true;
      if (kind == 2) info.is_ack_eliciting = false;
      if (info.is_in_flight) info.ecn = world_.recovery.ecn_codepoint();
      info.ready_bytes_after = *rc::gen::element<ByteCount>(0, kPacket, 1 << 20);
      const Id id{info.space, world_.recovery.next_packet_number(info.space)};
      SentFrame frame{
          .type = FrameType::stream, .id = static_cast<std::uint64_t>(id.first), .offset = id.second};
      info.number = id.second;
      info.frames = {&frame, 1};
      world_.recovery.on_sent(info, world_.now);
      sent_[index(info.space)] = id.second + 1;
      if (info.is_in_flight) outstanding_[id] = info.size;
      if (!info.is_in_flight) ack_only_.insert(id);
    }
  }

  void hear() {
    const Space space = *rc::gen::element(Space::application, Space::application, Space::handshake);
    const PacketNumber end = sent_[index(space)];
    if (end == 0) return;
    RangeSet numbers;
    const int ranges = *rc::gen::inRange(1, 5);
    for (int i = 0; i < ranges; ++i) {
      const PacketNumber reach = std::min<PacketNumber>(end, 40);
      const PacketNumber first = end - 1 - *rc::gen::inRange<PacketNumber>(0, reach);
      const PacketNumber size = *rc::gen::inRange<PacketNumber>(1, 8);
      numbers.add(first, std::min(first + size, end));
    }
    const std::uint64_t cuts_before = world_.notes.cuts.size();
    Ack ack{numbers};
    const auto outcome =
        world_.recovery.on_ack(space, ack.frame(), milliseconds{*rc::gen::inRange(0, 100)}, world_.now);
    RC_ASSERT(outcome.has_value());
    settle(outcome->acked, outcome->lost);
    // At most one cut, and one more for persistent congestion.
    RC_ASSERT(world_.notes.cuts.size() - cuts_before <= 2);
  }

  void end_pass() {
    check_budget(world_.recovery.send_budget(world_.now).bytes);
    const auto reason = *rc::gen::element(TransmitEnd::window, TransmitEnd::pacer,
                                          TransmitEnd::nothing_to_send, TransmitEnd::flow_control);
    world_.recovery.on_transmit_ended(reason, *rc::gen::element<ByteCount>(0, kPacket, 1 << 20), world_.now);
  }

  // Within the window; in an episode that PRR meters, no more than has arrived in it, and a packet with which
  // it begins, is rounded up, or shows progress (RFC 9937 §6.2).
  void check_budget(ByteCount budget) {
    const Recovery& recovery = world_.recovery;
    if (recovery.prr().is_active()) {
      RC_ASSERT(budget <= recovery.prr().delivered() + kPacket);
    } else if (budget > 0) {
      RC_ASSERT(recovery.bytes_in_flight() + budget <= recovery.cwnd());
    }
  }

  void wait() { world_.now += microseconds{*rc::gen::inRange(0, 200'000)}; }

  void fire_timer() {
    const auto due = world_.recovery.next_timeout();
    if (!due) return;
    world_.now = std::max(world_.now, *due);
    // A timer that was due is not left in the past (that would spin). One call may find nothing: where an RTT
    // sample has made the loss delay longer, each space moves its timer when its turn comes, and then the
    // PTO.
    for (std::size_t calls = 0; calls <= kSpaceCount; ++calls) {
      const TimeoutOutcome outcome = world_.recovery.on_timeout(world_.now);
      settle({}, outcome.lost);
      const auto next = world_.recovery.next_timeout();
      if (!next || *next > world_.now || outcome.probe_space || !outcome.lost.empty()) return;
    }
    RC_FAIL("the timer stays in the past");
  }

  void move_window() { world_.notes.window = *rc::gen::inRange<ByteCount>(0, 60 * kPacket); }

  void settle(std::span<const SentFrame> acked, std::span<const SentFrame> lost) {
    for (const SentFrame& frame : lost) {
      const Id id{static_cast<Space>(frame.id), frame.offset};
      RC_ASSERT(outstanding_.erase(id) == 1U);  // leaves flight exactly once
      RC_ASSERT(lost_.insert(id).second);
    }
    for (const SentFrame& frame : acked) {
      const Id id{static_cast<Space>(frame.id), frame.offset};
      RC_ASSERT(acked_.insert(id).second);  // acknowledged at most once
      RC_ASSERT(outstanding_.erase(id) + lost_.erase(id) + ack_only_.count(id) == 1U);
    }
  }

  void check() {
    ByteCount sum = 0;
    for (const auto& [id, size] : outstanding_) sum += size;
    RC_ASSERT(world_.recovery.bytes_in_flight() == sum);
    RC_ASSERT(world_.recovery.cwnd() >= 2 * kPacket);
    const Duration growth = world_.recovery.growth_clock(world_.now);
    RC_ASSERT(growth >= last_growth_);
    RC_ASSERT(growth <= world_.now - start_);
    last_growth_ = growth;
    for (const cc::AckEvent& event : world_.notes.acks) {
      RC_ASSERT(event.growable_bytes <= event.acked_bytes);
      RC_ASSERT(event.in_flight_after + event.acked_bytes <= event.in_flight_before);
    }
    world_.notes.acks.clear();
    const auto& stats = world_.recovery.stats();
    RC_ASSERT(stats.packets_lost >= stats.spurious_losses);
  }

  using Id = std::pair<Space, PacketNumber>;
  World world_;
  TimePoint start_;
  Duration last_growth_{0};
  std::array<PacketNumber, kSpaceCount> sent_{};
  std::map<Id, ByteCount> outstanding_;
  std::set<Id> lost_;
  std::set<Id> acked_;
  std::set<Id> ack_only_;
};

RC_GTEST_PROP(RecoveryLaws, EveryPacketLeavesFlightExactlyOnceAndTheSumIsKept,
              (bool pacing, bool wants_prr)) {
  History history{pacing, wants_prr};
  const int steps = *rc::gen::inRange(1, 150);
  for (int i = 0; i < steps; ++i) history.step();
}

}  // namespace
}  // namespace quell
