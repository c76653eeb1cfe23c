#include "quell/recovery/growth_clock.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>
#include <vector>

namespace quell {
namespace {

TEST(GrowthClock, CountsNoIdleTime) {
  GrowthClock clock;
  clock.set_limited(true, TimePoint{seconds{1}});
  clock.set_limited(false, TimePoint{seconds{2}});
  clock.set_limited(true, TimePoint{hours{1}});
  EXPECT_EQ(clock.read(TimePoint{hours{1} + seconds{3}}), seconds{4});
}

TEST(GrowthClock, StandsStillBeforeTheFirstLimit) {
  GrowthClock clock;
  EXPECT_EQ(clock.read(TimePoint{hours{5}}), Duration{0});
  clock.set_limited(false, TimePoint{hours{6}});
  EXPECT_EQ(clock.read(TimePoint{hours{7}}), Duration{0});
}

struct Step {
  std::int64_t wait_us;
  bool is_limited;
};

std::vector<Step> any_steps() {
  const auto waits =
      *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 5'000'000));
  std::vector<Step> steps;
  for (const std::int64_t wait : waits) steps.push_back({wait, *rc::gen::arbitrary<bool>()});
  return steps;
}

RC_GTEST_PROP(GrowthClock, IsMonotoneAndNeverAheadOfTheWallClock, ()) {
  const TimePoint start{hours{3}};
  TimePoint now = start;
  GrowthClock clock;
  Duration last{0};
  for (const Step& step : any_steps()) {
    now += microseconds{step.wait_us};
    const Duration read = clock.read(now);
    RC_ASSERT(read >= last);
    RC_ASSERT(read - last <= microseconds{step.wait_us});  // nor faster than it
    RC_ASSERT(read <= now - start);
    last = read;
    clock.set_limited(step.is_limited, now);
    RC_ASSERT(clock.read(now) == read);  // setting it moves nothing
  }
}

RC_GTEST_PROP(GrowthClock, IsTheSumOfTheLimitedStretches, ()) {
  TimePoint now{hours{3}};
  GrowthClock clock;
  bool is_limited = false;
  Duration expected{0};
  for (const Step& step : any_steps()) {
    now += microseconds{step.wait_us};
    if (is_limited) expected += microseconds{step.wait_us};
    is_limited = step.is_limited;
    clock.set_limited(is_limited, now);
  }
  RC_ASSERT(clock.read(now) == expected);
}

RC_GTEST_PROP(GrowthClock, EqualsWallTimeWhileAlwaysLimited, ()) {
  const TimePoint start{hours{3}};
  TimePoint now = start;
  GrowthClock clock;
  clock.set_limited(true, now);
  for (const Step& step : any_steps()) {
    now += microseconds{step.wait_us};
    clock.set_limited(true, now);
    RC_ASSERT(clock.read(now) == now - start);
  }
}

RC_GTEST_PROP(GrowthClock, DeletingASilentGapChangesNothing, ()) {
  const auto steps = any_steps();
  const Duration gap = microseconds{*rc::gen::inRange<std::int64_t>(0, 3'600'000'000)};
  TimePoint now{};
  TimePoint shifted = now;
  GrowthClock with_gap;
  GrowthClock without;
  for (const Step& step : steps) {
    now += microseconds{step.wait_us};
    shifted += microseconds{step.wait_us};
    with_gap.set_limited(step.is_limited, shifted);
    without.set_limited(step.is_limited, now);
    if (!step.is_limited) shifted += gap;
    RC_ASSERT(with_gap.read(shifted) == without.read(now));
  }
}

}  // namespace
}  // namespace quell
