// Another transport that drives quell's controllers: 60 lines of "protocol" over a pipe of 10 Mbit/s and 40
// ms with a queue of 50 kB, and what the transport owes its controller. usage: transport [CONTROLLER]
#include <cstdio>
#include <deque>
#include <string>

#include "quell/cc/registry.h"

using namespace quell;

namespace {

constexpr ByteCount kPacket = 1200;
constexpr Duration kRtt = milliseconds{40};
constexpr ByteCount kQueue = 50'000;
const Rate kRate = Rate::bits_per_second(10e6);

struct Packet {
  PacketNumber number = 0;
  TimePoint sent_at{};
  TimePoint heard_at{};  // when its ACK, or the sign of its loss, comes back
  bool is_lost = false;
  ByteCount in_flight_at_send = 0;
};

class Transport {
 public:
  explicit Transport(cc::ControllerPtr controller) : controller_(std::move(controller)) {}

  // Data is always waiting, so the sender is always limited by its window: its growth clock is the time
  // itself.
  void run_until(TimePoint end) {
    fill(TimePoint{});
    while (!flight_.empty() && flight_.front().heard_at <= end) {
      const Packet packet = flight_.front();
      flight_.pop_front();
      if (packet.is_lost) {
        on_lost(packet, packet.heard_at);
      } else {
        on_acked(packet, packet.heard_at);
      }
      fill(packet.heard_at);
    }
  }

  ByteCount delivered() const { return delivered_; }
  std::uint64_t lost() const { return lost_; }
  const cc::Controller& controller() const { return *controller_; }

 private:
  ByteCount in_flight() const { return flight_.size() * kPacket; }

  void fill(TimePoint now) {
    while (in_flight() + kPacket <= controller_->cwnd()) {
      controller_->on_sent({.number = next_, .bytes = kPacket, .in_flight_before = in_flight()}, now);
      const TimePoint start = std::max(booked_until_, now);
      const bool fits = kRate.bytes_in(start - now) + kPacket <= kQueue;
      if (fits) booked_until_ = start + kRate.time_for(kPacket);
      flight_.push_back({next_++, now, booked_until_ + kRtt, !fits, in_flight() + kPacket});
    }
  }

  void on_acked(const Packet& packet, TimePoint now) {
    delivered_ += kPacket;
    const Duration latest = now - packet.sent_at;
    if (min_rtt_ == Duration{0} || latest < min_rtt_) min_rtt_ = latest;
    // The boundary is a packet number and belongs to the transport: the first ACK from beyond it ends
    // recovery.
    if (in_recovery_ && packet.number >= boundary_) {
      in_recovery_ = false;
      controller_->on_recovery_exit(now.time_since_epoch(), now);
    }
    const cc::AckedPacket acked{packet.number, kPacket, packet.sent_at};
    controller_->on_ack({.acked_bytes = kPacket,
                         .growable_bytes = in_recovery_ ? 0 : kPacket,
                         .in_flight_before = in_flight() + kPacket,
                         .in_flight_after = in_flight(),
                         .rtt = {.latest = latest, .min = min_rtt_, .smoothed = latest},
                         .growth_clock = now.time_since_epoch(),
                         .in_recovery = in_recovery_,
                         .total_delivered = delivered_,
                         .packets = {&acked, 1}},
                        now);
  }

  void on_lost(const Packet& packet, TimePoint now) {
    ++lost_;
    const cc::LostPacket lost{.number = packet.number,
                              .bytes = kPacket,
                              .sent_at = packet.sent_at,
                              .in_flight_at_send = packet.in_flight_at_send};
    controller_->on_packets_lost(
        {.lost_bytes = kPacket, .in_flight_after = in_flight(), .packets = {&lost, 1}}, now);
    if (in_recovery_ && packet.number < boundary_) return;  // one cut per episode
    in_recovery_ = true;
    boundary_ = next_;
    controller_->on_congestion({.cause = cc::CongestionCause::loss,
                                .lost_bytes = kPacket,
                                .in_flight = in_flight() + kPacket,
                                .episode = ++episode_,
                                .sent_at = packet.sent_at},
                               now);
  }

  cc::ControllerPtr controller_;
  std::deque<Packet> flight_;
  TimePoint booked_until_{};
  Duration min_rtt_{0};
  PacketNumber next_ = 0;
  PacketNumber boundary_ = 0;
  std::uint64_t episode_ = 0;
  bool in_recovery_ = false;
  ByteCount delivered_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : std::string{cc::kDefaultController};
  const cc::Entry* entry = cc::find(name);
  if (entry == nullptr) {
    std::fprintf(stderr, "transport: there is no controller \"%s\"\n", name.c_str());
    return 2;
  }
  Transport transport{entry->make({.max_datagram_size = kPacket})};
  std::puts("   s   window, kB   delivered, Mbit/s   lost");
  ByteCount before = 0;
  for (int second = 1; second <= 20; ++second) {
    transport.run_until(TimePoint{seconds{second}});
    const ByteCount delivered = transport.delivered();
    std::printf(
        "%4d   %10.1f   %17.2f   %4llu\n", second, static_cast<double>(transport.controller().cwnd()) / 1e3,
        static_cast<double>(delivered - before) * 8e-6, static_cast<unsigned long long>(transport.lost()));
    before = delivered;
  }
  const double share =
      static_cast<double>(transport.delivered()) / static_cast<double>(kRate.bytes_in(seconds{20}));
  std::printf("%s used %.0f %% of the pipe\n", name.c_str(), share * 100);
  return share > 0.5 ? 0 : 1;
}
