// What is left of a cut that proves to have been for nothing? (RFC 9438 §4.9.2)
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "quell/cc/cut_history.h"
#include "quell/cc/kinds_for_test.h"
#include "quell/cc/loop_for_test.h"

namespace quell::cc {
namespace {

using namespace test;

constexpr TimePoint kNow{};

class UndoTest : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, UndoTest, testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string{kind.param.name}; });

TEST_P(UndoTest, ASpuriousLossIsUndone) {
  auto controller = make(GetParam(), 100);
  cut(*controller, 7);
  controller->on_spurious(7, kNow);
  EXPECT_EQ(controller->cwnd(), 100 * kPacket);
  EXPECT_EQ(controller->ssthresh(), std::nullopt);
  // The end of an episode that was undone changes nothing.
  controller->on_recovery_exit(seconds{1}, kNow);
  EXPECT_EQ(controller->state(), State::slow_start);
}

TEST_P(UndoTest, NeitherACeMarkNorPersistentCongestionIsUndone) {
  auto marked = make(GetParam(), 100);
  cut(*marked, 1, CongestionCause::ecn_ce);
  marked->on_spurious(1, kNow);
  EXPECT_EQ(marked->cwnd(), static_cast<ByteCount>(100 * kPacket * GetParam().beta));

  auto collapsed = make(GetParam(), 100);
  cut(*collapsed, 1);
  cut(*collapsed, 1, CongestionCause::persistent);
  collapsed->on_spurious(1, kNow);
  EXPECT_EQ(collapsed->cwnd(), 2 * kPacket);
}

// The cuts that are made of `packets`, in packets.
double after_cuts(const Kind& kind, double packets, int cuts) {
  return packets * std::pow(kind.beta, cuts);
}
double packets(const Controller& controller) {
  return static_cast<double>(controller.cwnd()) / kPacket;
}
constexpr double kByte = 1.0 / kPacket;

TEST_P(UndoTest, AnEarlierLossIsUndoneUnderALaterCutThatStands) {
  for (const auto later : {CongestionCause::loss, CongestionCause::ecn_ce}) {
    auto controller = make(GetParam(), 100);
    cut(*controller, 1);
    cut(*controller, 2, later);
    controller->on_spurious(1, kNow);
    EXPECT_NEAR(packets(*controller), after_cuts(GetParam(), 100, 1), kByte);
  }
}

TEST_P(UndoTest, BothOfTwoLossesAreUndoneInEitherOrder) {
  for (const std::uint64_t first : {1, 2}) {
    auto controller = make(GetParam(), 100);
    cut(*controller, 1);
    controller->on_recovery_exit(seconds{1}, kNow);
    cut(*controller, 2);
    controller->on_recovery_exit(seconds{2}, kNow);
    controller->on_spurious(first, kNow);
    EXPECT_NEAR(packets(*controller), after_cuts(GetParam(), 100, 1), kByte);
    controller->on_spurious(3 - first, kNow);
    EXPECT_EQ(controller->cwnd(), 100 * kPacket);
    EXPECT_EQ(controller->ssthresh(), std::nullopt);
  }
}

TEST_P(UndoTest, ALossIsUndoneOnceAndARealOneNever) {
  auto controller = make(GetParam(), 100);
  cut(*controller, 1);
  cut(*controller, 2);
  for (int i = 0; i < 3; ++i) controller->on_spurious(1, kNow);
  controller->on_spurious(9, kNow);
  EXPECT_NEAR(packets(*controller), after_cuts(GetParam(), 100, 1), kByte);
}

TEST_P(UndoTest, ACeMarkWithinTheEpisodeConfirmsItsCut) {
  auto controller = make(GetParam(), 100);
  cut(*controller, 1);
  AckEvent marked = ack(kPacket, Duration{0});
  marked.in_recovery = true;
  marked.ce_delta = 1;
  controller->on_ack(marked, kNow);
  controller->on_spurious(1, kNow);
  EXPECT_NEAR(packets(*controller), after_cuts(GetParam(), 100, 1), kByte);
}

TEST_P(UndoTest, ACutThatLiesTooManyCutsBackStands) {
  auto controller = make(GetParam(), 1000);
  for (std::uint64_t episode = 1; episode <= kCutsRemembered + 1; ++episode) cut(*controller, episode);
  const ByteCount before = controller->cwnd();
  controller->on_spurious(1, kNow);
  EXPECT_EQ(controller->cwnd(), before);
  controller->on_spurious(2, kNow);
  EXPECT_NEAR(packets(*controller), after_cuts(GetParam(), 1000, kCutsRemembered), kByte);
}

TEST_P(UndoTest, ALossThatTheWindowMadeGoodBeforeALaterCutIsNotUndone) {
  auto controller = in_avoidance(GetParam(), 10);
  Duration clock{0};
  while (controller->cwnd() <= 12 * kPacket)
    controller->on_ack(ack(kPacket, clock += milliseconds{10}), kNow);
  const ByteCount outgrown = controller->cwnd();
  cut(*controller, 2);
  const ByteCount before = controller->cwnd();
  controller->on_spurious(1, kNow);
  EXPECT_EQ(controller->cwnd(), before);
  controller->on_spurious(2, kNow);
  EXPECT_EQ(controller->cwnd(), outgrown);
}

TEST_P(UndoTest, KeepsTheFloorOfAPacketSizeThatGrewMeanwhile) {
  auto controller = make(GetParam(), 2);
  cut(*controller, 1);
  cut(*controller, 2);
  controller->on_mtu(kPacket, 3 * kPacket, kNow);
  controller->on_spurious(1, kNow);
  EXPECT_EQ(controller->cwnd(), 6 * kPacket);
}

TEST_P(UndoTest, AWindowThatOutgrewTheOldOneIsNotUndone) {
  auto controller = in_avoidance(GetParam(), 10);
  Duration clock{0};
  while (controller->cwnd() <= 12 * kPacket)
    controller->on_ack(ack(kPacket, clock += milliseconds{10}), kNow);
  const ByteCount before = controller->cwnd();
  controller->on_spurious(1, kNow);
  EXPECT_EQ(controller->cwnd(), before);
}

// A stage that was cut for nothing goes on with the zero that it had; a later cut's stage keeps its own. The
// window with the false cuts is then the one without them, but for the ACKs that could not grow it.
TEST_P(UndoTest, TheFalseEpisodesTimeIsNeitherLostNorCountedTwice) {
  auto subject = in_avoidance(GetParam(), 1'000);
  auto unbroken = in_avoidance(GetParam(), 1'000);
  cut(*subject, 2);
  subject->on_recovery_exit(milliseconds{1'100}, kNow);
  subject->on_spurious(2, kNow);
  for (auto* controller : {&subject, &unbroken}) (*controller)->on_ack(ack(100 * kPacket, seconds{2}), kNow);
  EXPECT_EQ(subject->cwnd(), unbroken->cwnd());
}

TEST_P(UndoTest, TheStageOfALaterCutKeepsItsBeginning) {
  auto subject = in_avoidance(GetParam(), 1'000);
  auto unbroken = in_avoidance(GetParam(), 1'000);
  cut(*subject, 2);
  subject->on_recovery_exit(seconds{2}, kNow);
  for (auto* controller : {&subject, &unbroken}) {
    cut(**controller, 3);
    (*controller)->on_recovery_exit(seconds{3}, kNow);
  }
  subject->on_spurious(2, kNow);
  for (auto* controller : {&subject, &unbroken}) (*controller)->on_ack(ack(100 * kPacket, seconds{9}), kNow);
  EXPECT_EQ(subject->cwnd(), unbroken->cwnd());
}

// A life with false and real episodes, and the same life told again without those that proved to be false.
struct Step {
  enum class Kind { ack, lose, confirm } kind;
  ByteCount bytes = 0;
  Duration wait{0};
  std::uint64_t episode = 0;
};

// Recovery ends with the second ACK after a loss.
ByteCount window_after(const Kind& kind, const std::vector<Step>& steps,
                       const std::vector<std::uint64_t>& left_out) {
  auto controller = make(kind, 100);
  Duration clock{0};
  int recovery_acks = 0;
  for (const Step& step : steps) {
    if (step.kind == Step::Kind::ack) {
      clock += step.wait;
      AckEvent event = ack(step.bytes, clock);
      if (recovery_acks > 0 && --recovery_acks == 0) controller->on_recovery_exit(clock, kNow);
      event.in_recovery = recovery_acks > 0;
      if (event.in_recovery) event.growable_bytes = 0;
      controller->on_ack(event, kNow);
    } else if (step.kind == Step::Kind::lose && std::ranges::find(left_out, step.episode) == left_out.end()) {
      cut(*controller, step.episode);
      recovery_acks = 2;
    } else if (step.kind == Step::Kind::confirm && left_out.empty()) {
      controller->on_spurious(step.episode, kNow);
    }
  }
  return controller->cwnd();
}

RC_GTEST_PROP(Undo, NeverLowersAWindowNorRaisesItAboveTheUnbrokenHistory, ()) {
  const Kind kind = *rc::gen::elementOf(std::vector<Kind>(std::begin(kKinds), std::end(kKinds)));
  std::vector<Step> steps;
  std::vector<std::uint64_t> left_out;
  std::uint64_t episode = 0;
  const int length = *rc::gen::inRange(10, 60);
  for (int i = 0; i < length; ++i) {
    const int what = *rc::gen::inRange(0, 10);
    if (what == 0) {
      for (int n = 0; n < 2; ++n) steps.push_back({Step::Kind::ack, kPacket, milliseconds{10}});
      steps.push_back({.kind = Step::Kind::lose, .episode = ++episode});
    } else if (what == 1 && episode > 0) {
      const auto which = episode - std::min(*rc::gen::inRange<std::uint64_t>(0, 3), episode - 1);
      const ByteCount before = window_after(kind, steps, {});
      steps.push_back({.kind = Step::Kind::confirm, .episode = which});
      left_out.push_back(which);
      const ByteCount after = window_after(kind, steps, {});
      RC_ASSERT(after >= before);
      RC_ASSERT(after <= std::max(before, window_after(kind, steps, left_out) + 1));
    } else {
      steps.push_back({Step::Kind::ack, *rc::gen::inRange<ByteCount>(0, 50 * kPacket),
                       milliseconds{*rc::gen::inRange(1, 400)}});
    }
  }
}

}  // namespace
}  // namespace quell::cc
