#include "quell/lab/thinning.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <map>

namespace quell::lab {
namespace {

// A curve of `values`, one every millisecond.
std::vector<Point> curve_of(const std::vector<int>& values) {
  std::vector<Point> curve;
  for (const int value : values)
    curve.push_back({static_cast<double>(curve.size()) * 0.001, static_cast<double>(value)});
  return curve;
}
double end_of(const std::vector<Point>& curve) {
  return static_cast<double>(curve.size()) * 0.001;
}

struct Seen {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  double last = 0;
  bool operator==(const Seen&) const = default;
};

// What a reader sees of each of `buckets` equal parts; told without thinning's own arithmetic on indexes.
std::map<int, Seen> look_at(const std::vector<Point>& curve, double end_s, int buckets) {
  std::map<int, Seen> seen;
  for (const Point& point : curve) {
    Seen& bucket = seen[std::min(buckets - 1, static_cast<int>(point.time_s / end_s * buckets))];
    bucket.smallest = std::min(bucket.smallest, point.value);
    bucket.largest = std::max(bucket.largest, point.value);
    bucket.last = point.value;
  }
  return seen;
}

TEST(Thinning, EveryBucketKeepsItsExtremesAndItsLastValue) {
  EXPECT_TRUE(rc::check("looks the same", [] {
    const auto values = *rc::gen::container<std::vector<int>>(400, rc::gen::inRange(0, 50));
    const int buckets = *rc::gen::inRange(1, 40);
    const auto curve = curve_of(values);
    const auto thinned = thin_curve(curve, end_of(curve), static_cast<std::size_t>(buckets));
    RC_ASSERT(look_at(thinned, end_of(curve), buckets) == look_at(curve, end_of(curve), buckets));
    RC_ASSERT(thinned.size() <= static_cast<std::size_t>(3 * buckets));
    RC_ASSERT(std::ranges::is_sorted(thinned, {}, &Point::time_s));
  }));
}

TEST(Thinning, AShortCurveIsLeftAlone) {
  const auto curve = curve_of({1, 2, 3});
  EXPECT_EQ(thin_curve(curve, 1, 1).size(), 3);
  EXPECT_TRUE(thin_curve({}, 0, 1).empty());
}

TEST(Thinning, OneSpikeAmongAMillionPointsSurvives) {
  std::vector<int> values(1'000'000, 10);
  values[654'321] = 11;
  const auto curve = curve_of(values);
  const auto thinned = thin_curve(curve, end_of(curve), 1000);
  EXPECT_LE(thinned.size(), 3000);
  EXPECT_EQ(std::ranges::max(thinned, {}, &Point::value).time_s, curve[654'321].time_s);
}

TEST(Thinning, PointsAtOrBeyondTheEndFallIntoTheLastBucket) {
  auto curve = curve_of(std::vector<int>(100, 1));
  curve.push_back({5.0, 7.0});
  EXPECT_EQ(thin_curve(curve, 0.1, 10).back().value, 7.0);
}

TEST(Thinning, MarksAreAtMostOnePerBucket) {
  std::vector<double> marks;
  for (int i = 0; i < 1000; ++i) marks.push_back(i * 0.001);
  EXPECT_EQ(thin_marks(marks, 1.0, 10).size(), 10);
  EXPECT_EQ(thin_marks({0.1, 0.2}, 1.0, 10).size(), 2);
}

TEST(Thinning, ABucketOfManyFlipsShowsTheStateThatFilledMostOfIt) {
  std::vector<StateInterval> states;
  for (int i = 0; i < 1000; ++i) {  // 1 ms each: 0.7 ms of recovery, 0.3 ms of avoidance
    const double from = i * 0.001;
    states.push_back({from, from + 0.0007, cc::State::recovery});
    states.push_back({from + 0.0007, from + 0.001, cc::State::congestion_avoidance});
  }
  const auto thinned = thin_states(states, 1.0, 100);
  ASSERT_EQ(thinned.size(), 1);
  EXPECT_EQ(thinned[0].state, cc::State::recovery);
  EXPECT_DOUBLE_EQ(thinned[0].to_s, 1.0);
}

TEST(Thinning, FewStatesKeepTheirExactTimes) {
  const std::vector<StateInterval> states{{0, 0.123456, cc::State::slow_start},
                                          {0.123456, 1, cc::State::recovery}};
  EXPECT_EQ(thin_states(states, 1.0, 100)[0].to_s, 0.123456);
}

}  // namespace
}  // namespace quell::lab
