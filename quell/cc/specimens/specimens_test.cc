// Are the historic faults alive, and is our own CUBIC free of them in the very same loop?
#include <gtest/gtest.h>

#include "quell/cc/cubic.h"
#include "quell/cc/loop_for_test.h"
#include "quell/cc/registry.h"
#include "quell/cc/reno.h"
#include "quell/cc/specimens/catalogue.h"
#include "quell/cc/specimens/cubic_linux_2017.h"
#include "quell/cc/specimens/cubic_quiche_2020.h"
#include "quell/cc/specimens/cubic_time_west.h"

namespace quell::cc {
namespace {

using test::kPacket;
using test::Loop;

constexpr Config kConfig{.max_datagram_size = kPacket};

Loop at_the_floor(ControllerPtr (*make)(const Config&), Duration rtt) {
  Loop loop{make(kConfig), rtt};
  loop.cut_to_floor();
  return loop;
}

// A loss at 1,000 packets, then 10 s with a single ACK for each round.
double after_ten_seconds_of_thin_acks(ControllerPtr (*make)(const Config&)) {
  Loop loop{make({.max_datagram_size = kPacket, .initial_window = 1000 * kPacket}), milliseconds{100},
            10'000};
  loop.run_for(milliseconds{50});
  loop.lose_one();
  loop.run_for(seconds{10});
  return loop.packets();
}

// A round trip of 200 ms while the epoch is set, then a pause, then 20 ms for `rounds` rounds.
double after_the_queue_drained(ControllerPtr (*make)(const Config&), int rounds) {
  Loop loop{make({.max_datagram_size = kPacket, .initial_window = 100 * kPacket}), milliseconds{200}, 10'000};
  loop.run_for(milliseconds{100});
  loop.lose_one();
  loop.run_for(milliseconds{350});
  loop.fall_silent(Duration{0});
  loop.set_rtt(milliseconds{20});
  loop.run_for(milliseconds{20} * rounds);
  return loop.packets();
}

TEST(CubicQuiche2020, StaysAtTwoPacketsForEverWithoutALoss) {
  Loop loop = at_the_floor(make_cubic_quiche_2020, milliseconds{10});
  const double before = loop.packets();
  EXPECT_LT(before, 3);  // two packets and a fraction: the boundary runs ahead of lost packets, too
  loop.run_for(seconds{60});
  EXPECT_EQ(loop.packets(), before);
}

TEST(CubicQuiche2020, FlipsTwiceARoundWhenTheRttExceedsTheBoundarysLead) {
  Loop loop = at_the_floor(make_cubic_quiche_2020, milliseconds{10});
  loop.set_rtt(milliseconds{14});
  loop.run_for(milliseconds{14});
  const std::size_t flips = loop.flips();
  loop.run_for(milliseconds{14} * 100);
  EXPECT_LT(loop.packets(), 3);
  EXPECT_EQ(loop.flips() - flips, 200u);
}

TEST(CubicQuiche2020, GrowsLikeAnyOtherWhileThePipeNeverEmpties) {
  Loop loop{make_cubic_quiche_2020({.max_datagram_size = kPacket, .initial_window = 20 * kPacket}),
            milliseconds{10}};
  loop.run_for(milliseconds{5});
  loop.lose_one();
  const double cut = loop.packets();
  loop.run_for(seconds{1});
  EXPECT_GT(loop.packets(), cut + 20);
}

TEST(CubicLinux2017, CrawlsAlongWEstWhenEveryAckEmptiesThePipe) {
  // K = cbrt(300 / 0.4) = 9.09 s: a sound CUBIC is back at its plateau of 1,000. W_est alone gains 0.53
  // packets in each of the 100 rounds.
  EXPECT_NEAR(after_ten_seconds_of_thin_acks(make_cubic), 1000, 10);
  const double crawled = after_ten_seconds_of_thin_acks(make_cubic_linux_2017);
  EXPECT_GT(crawled, 700);
  EXPECT_LT(crawled, 700 + 0.53 * 100 + 1);
}

TEST(CubicLinux2017, OverflowsOnceTheRttShrinks) {
  // 20 rounds of 20 ms are 0.4 s of a curve whose slope is at most 3 C K² = 21 packets a second; Reno's is 20
  // packets.
  EXPECT_LT(after_the_queue_drained(make_cubic, 20), 70 + 21);
  // Half as much again each round: past its plateau of 100 within a few.
  EXPECT_GT(after_the_queue_drained(make_cubic_linux_2017, 20), 200);
}

TEST(CubicLinux2017, NeverReportsRecovery) {
  Loop loop = at_the_floor(make_cubic_linux_2017, milliseconds{10});
  const std::size_t flips = loop.flips();
  loop.run_for(seconds{10});
  EXPECT_EQ(loop.flips(), flips);
}

TEST(CubicTimeWest, StaysAtTwoPacketsWithoutAFlip) {
  Loop loop = at_the_floor(make_cubic_time_west, milliseconds{10});
  const std::size_t flips = loop.flips();
  loop.run_for(seconds{60});
  EXPECT_LT(loop.packets(), 3);
  EXPECT_EQ(loop.flips(), flips);
}

TEST(Catalogue, EverySpecimenNamesTheSoundControllerThatItWouldBe) {
  for (const Specimen& specimen : specimens()) {
    EXPECT_EQ(find_specimen(specimen.name), &specimen);
    const Entry* sound = find(specimen.sound);
    ASSERT_NE(sound, nullptr) << specimen.name;
    EXPECT_FALSE(sound->is_specimen) << specimen.name;
    EXPECT_FALSE(specimen.when.empty() || specimen.symptom.empty()) << specimen.name;
  }
}

// RFC 9002 §7.3.3 and RFC 9438 §4.3 (α is 1, for W_est stands at cwnd_prior): one packet a round, from two.
TEST(OurOwn, ClimbFromTheFloorByOnePacketARoundInTheSameLoop) {
  for (auto* make : {make_cubic, make_reno}) {
    for (const Duration rtt : {milliseconds{10}, milliseconds{100}, milliseconds{600}}) {
      Loop loop = at_the_floor(make, rtt);
      loop.run_for(40 * rtt);
      EXPECT_GE(loop.packets(), 38) << loop.controller().traits().name << to_milliseconds(rtt);
    }
  }
}

}  // namespace
}  // namespace quell::cc
