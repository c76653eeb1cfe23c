// What holds for every loss-based controller under any ACKs?
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>
#include <vector>

#include "quell/cc/kinds_for_test.h"
#include "quell/cc/loop_for_test.h"

namespace quell::cc {
namespace {

using namespace test;

constexpr TimePoint kNow{};

// Between congestion events a window never falls, and no ACK earns more than it acknowledges.
RC_GTEST_PROP(LossBased, GrowsMonotonouslyAndByNoMoreThanIsAcked, ()) {
  const Kind kind = *rc::gen::elementOf(std::vector<Kind>(std::begin(kKinds), std::end(kKinds)));
  auto controller = in_avoidance(kind, *rc::gen::inRange<ByteCount>(2, 2'000));
  Duration clock{0};
  for (const auto& [bytes, wait_us] : *rc::gen::container<std::vector<std::pair<int, int>>>(
           rc::gen::pair(rc::gen::inRange(0, 100'000), rc::gen::inRange(0, 3'000'000)))) {
    const ByteCount before = controller->cwnd();
    controller->on_ack(ack(static_cast<ByteCount>(bytes), clock += microseconds{wait_us}), kNow);
    RC_ASSERT(controller->cwnd() >= before);
    RC_ASSERT(controller->cwnd() - before <= static_cast<ByteCount>(bytes));
  }
}

// Scenario 3 in small: 50 rounds from 20 packets, an ACK per n packets against an ACK per packet.
RC_GTEST_PROP(LossBased, EndsAlikeHoweverTheAcksArePartitioned, ()) {
  const Kind kind = *rc::gen::elementOf(std::vector<Kind>(std::begin(kKinds), std::end(kKinds)));
  const auto per_ack = *rc::gen::inRange<std::size_t>(2, 11);
  const Duration rtt{milliseconds{*rc::gen::inRange(1, 200)}};
  auto run = [&](std::size_t packets) {
    Loop loop{make(kind, static_cast<ByteCount>(20 / kind.beta) + 1), rtt, packets};
    loop.run_for(rtt / 2);
    loop.lose_one();
    loop.run_for(51 * rtt);
    return loop.packets();
  };
  const double fine = run(1);
  const double coarse = run(per_ack);
  RC_ASSERT(coarse > 0.85 * fine);
  RC_ASSERT(coarse < 1.15 * fine);
}

}  // namespace
}  // namespace quell::cc
