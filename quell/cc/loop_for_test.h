// What does a controller do on a perfect path? A loop for tests: packets leave while the window has room,
// ACKs come one RTT later, everything of one instant carries one timestamp. It plays the transport's part in
// the contract.
#pragma once

#include <deque>
#include <utility>
#include <vector>

#include "quell/cc/controller.h"

namespace quell::cc::test {

inline constexpr ByteCount kPacket = 1000;

class Loop {
 public:
  Loop(ControllerPtr controller, Duration rtt, std::size_t packets_per_ack = 2)
      : controller_(std::move(controller)), rtt_(rtt), packets_per_ack_(packets_per_ack) {}

  Controller& controller() { return *controller_; }
  double packets() const { return static_cast<double>(controller_->cwnd()) / kPacket; }
  Duration now() const { return now_; }
  std::size_t flips() const { return flips_; }
  bool in_recovery() const { return recovery_until_.has_value(); }
  void set_rtt(Duration rtt) { rtt_ = rtt; }

  // The window is kept full for `d`.
  void run_for(Duration d) {
    const Duration end = now_ + d;
    fill();
    while (!flight_.empty() && flight_.front().acked_at <= end) {
      advance(flight_.front().acked_at);
      ack();
      fill();
    }
    advance(end);
  }

  // Nothing is sent any more until everything in flight has been heard of and `gap` has passed.
  void fall_silent(Duration gap) {
    is_limited_ = false;
    while (!flight_.empty()) {
      advance(flight_.front().acked_at);
      ack();
    }
    advance(now_ + gap);
  }

  // The oldest packet in flight is declared lost now; a cut unless that packet belongs to an episode already.
  void lose_one() {
    if (flight_.empty()) fill();
    const Flying lost = flight_.front();
    flight_.pop_front();
    const LostPacket packet{.number = lost.number, .bytes = kPacket, .sent_at = TimePoint{lost.sent_at}};
    controller_->on_packets_lost({.lost_bytes = kPacket, .packets = {&packet, 1}}, time());
    if (!recovery_until_ || lost.number >= *recovery_until_) congest(CongestionCause::loss);
    watch();
  }

  void congest(CongestionCause cause) {
    if (cause != CongestionCause::persistent) ++episode_;
    controller_->on_congestion({.cause = cause, .episode = episode_}, time());
    recovery_until_ = next_number_;
  }
  std::uint64_t episode() const { return episode_; }
  PacketNumber sent() const { return next_number_; }

  // Losses, two rounds apart, that bring a sound controller to two packets; then recovery is over.
  void cut_to_floor() {
    for (int i = 0; i < 10; ++i) {
      run_for(2 * rtt_);
      lose_one();
    }
    run_for(2 * rtt_);
  }

 private:
  struct Flying {
    PacketNumber number = 0;
    Duration sent_at{0};
    Duration acked_at{0};
  };

  TimePoint time() const { return TimePoint{now_}; }
  ByteCount in_flight() const { return flight_.size() * kPacket; }

  void advance(Duration to) {
    if (is_limited_) growth_clock_ += to - now_;
    now_ = to;
  }

  void fill() {
    while (in_flight() + kPacket <= controller_->cwnd()) {
      controller_->on_sent({.number = next_number_, .bytes = kPacket, .in_flight_before = in_flight()},
                           time());
      flight_.push_back({next_number_++, now_, now_ + rtt_});
      watch();
    }
    is_limited_ = true;
  }

  // One ACK frame, for packets that were sent at one instant.
  void ack() {
    std::vector<AckedPacket> packets;
    const ByteCount before = in_flight();
    const Flying first = flight_.front();
    while (!flight_.empty() && packets.size() < packets_per_ack_ &&
           flight_.front().sent_at == first.sent_at) {
      packets.push_back({flight_.front().number, kPacket, TimePoint{flight_.front().sent_at}});
      flight_.pop_front();
    }
    if (recovery_until_ && packets.back().number >= *recovery_until_) {
      recovery_until_.reset();
      controller_->on_recovery_exit(growth_clock_, time());
    }
    const ByteCount bytes = packets.size() * kPacket;
    controller_->on_ack({.acked_bytes = bytes,
                         .growable_bytes = recovery_until_ ? 0 : bytes,
                         .in_flight_before = before,
                         .in_flight_after = in_flight(),
                         .rtt = {.latest = rtt_, .min = rtt_, .smoothed = rtt_},
                         .growth_clock = growth_clock_,
                         .in_recovery = in_recovery(),
                         .packets = packets},
                        time());
    watch();
  }

  void watch() {
    const State state = controller_->state();
    if (state != state_) ++flips_;
    state_ = state;
  }

  ControllerPtr controller_;
  Duration rtt_;
  std::size_t packets_per_ack_;
  Duration now_{0};
  Duration growth_clock_{0};
  bool is_limited_ = false;
  std::deque<Flying> flight_;
  PacketNumber next_number_ = 0;
  std::optional<PacketNumber> recovery_until_;
  std::uint64_t episode_ = 0;
  State state_ = State::slow_start;
  std::size_t flips_ = 0;
};

}  // namespace quell::cc::test
