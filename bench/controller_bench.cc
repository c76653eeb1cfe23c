// What does a controller cost? Nanoseconds of CPU for each ACK, with the two packets sent that it makes room
// for; one line per registered controller. --benchmark_filter=NAME picks some.
#include <benchmark/benchmark.h>

#include <array>
#include <string>

#include "quell/cc/registry.h"

namespace {

using namespace quell;

constexpr ByteCount kPacket = 1'452;
constexpr Duration kRtt = milliseconds{40};
constexpr std::int64_t kAcksPerRound = 500;

// A transport of which nothing is left but the events: 1,000 packets in flight, an ACK for two, one loss in
// 100,000 ACKs, so that a controller sees every part of itself.
class Events {
 public:
  explicit Events(cc::Controller& controller) : controller_(controller) {}

  void turn() {
    now_ += kRtt / kAcksPerRound;
    send();
    send();
    if (++turns_ % 100'000 == 0) lose();
    ack();
  }

 private:
  ByteCount in_flight() const { return (next_ - acked_) * kPacket; }

  void send() {
    controller_.on_sent({.number = next_, .bytes = kPacket, .in_flight_before = in_flight()}, now_);
    ++next_;
  }
  void lose() {
    const cc::LostPacket lost{.number = acked_, .bytes = kPacket, .in_flight_at_send = in_flight()};
    controller_.on_packets_lost({.lost_bytes = kPacket, .packets = {&lost, 1}}, now_);
    controller_.on_congestion({.lost_bytes = kPacket, .in_flight = in_flight(), .episode = ++episode_}, now_);
    boundary_ = next_;
    in_recovery_ = true;
  }
  void ack() {
    const std::array<cc::AckedPacket, 2> packets{
        {{.number = acked_, .bytes = kPacket, .sent_at = now_ - kRtt},
         {.number = acked_ + 1, .bytes = kPacket, .sent_at = now_ - kRtt}}};
    const ByteCount before = in_flight();
    // The first thousand packets stay in flight.
    if (next_ - acked_ > 1'000) acked_ += 2;
    delivered_ += 2 * kPacket;
    const Duration clock = now_.time_since_epoch();
    if (in_recovery_ && acked_ >= boundary_) {
      in_recovery_ = false;
      controller_.on_recovery_exit(clock, now_);
    }
    controller_.on_ack({.acked_bytes = 2 * kPacket,
                        .growable_bytes = in_recovery_ ? 0 : 2 * kPacket,
                        .in_flight_before = before,
                        .in_flight_after = in_flight(),
                        .rtt = {.latest = kRtt, .min = kRtt, .smoothed = kRtt},
                        .growth_clock = clock,
                        .in_recovery = in_recovery_,
                        .total_delivered = delivered_,
                        .delivery = {.delivered = 1'000 * kPacket,
                                     .prior_delivered = delivered_ - std::min(delivered_, 1'000 * kPacket),
                                     .interval = kRtt,
                                     .rate = Rate::of(1'000 * kPacket, kRtt),
                                     .in_flight_at_send = before},
                        .packets = packets},
                       now_);
    benchmark::DoNotOptimize(controller_.cwnd());
  }

  cc::Controller& controller_;
  TimePoint now_{seconds{1}};
  PacketNumber next_ = 0;
  PacketNumber acked_ = 0;
  PacketNumber boundary_ = 0;
  ByteCount delivered_ = 0;
  std::uint64_t episode_ = 0;
  std::uint64_t turns_ = 0;
  bool in_recovery_ = false;
};

void per_ack(benchmark::State& state, const cc::Entry& entry) {
  const auto controller = entry.make({.max_datagram_size = kPacket});
  Events events{*controller};
  for (int i = 0; i < 10'000; ++i) events.turn();
  for (auto _ : state) events.turn();
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (const cc::Entry& entry : cc::entries()) {
    benchmark::RegisterBenchmark(std::string{entry.name}.c_str(),
                                 [&entry](benchmark::State& state) { per_ack(state, entry); });
  }
  benchmark::RunSpecifiedBenchmarks();
}
