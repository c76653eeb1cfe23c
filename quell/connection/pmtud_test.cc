#include "quell/connection/pmtud.h"

#include <gtest/gtest.h>

namespace quell {
namespace {

// Probes until the search ends, over a path that takes datagrams up to `mtu`. Returns how many were lost.
int search(Pmtud& pmtud, ByteCount mtu) {
  int lost = 0;
  while (const auto size = pmtud.wanted()) {
    pmtud.on_sent();
    EXPECT_FALSE(pmtud.wanted().has_value()) << "one probe at a time";
    if (*size <= mtu) {
      pmtud.on_acked(*size);
    } else {
      pmtud.on_lost(*size);
      ++lost;
    }
  }
  return lost;
}

TEST(Pmtud, AsksForTheLargestFirst) {
  Pmtud pmtud;
  pmtud.start(1200, 1472);
  EXPECT_EQ(pmtud.wanted(), 1472U);
  EXPECT_EQ(search(pmtud, 9000), 0);
  EXPECT_EQ(pmtud.size(), 1472U);
}

TEST(Pmtud, FindsWhatThePathTakesWithinItsResolution) {
  for (ByteCount mtu = 1200; mtu <= 1500; ++mtu) {
    Pmtud pmtud;
    pmtud.start(1200, 1472);
    search(pmtud, mtu);
    EXPECT_LE(pmtud.size(), mtu);
    EXPECT_LT(std::min<ByteCount>(mtu, 1472) - pmtud.size(), 20U) << "at " << mtu;
  }
}

TEST(Pmtud, ThreeLostProbesAreASizeGivenUp) {
  Pmtud pmtud;
  pmtud.start(1200, 1472);
  for (int i = 0; i < Pmtud::kMaxProbes; ++i) {
    EXPECT_EQ(pmtud.wanted(), 1472U);
    pmtud.on_sent();
    pmtud.on_lost(1472);
  }
  EXPECT_LT(pmtud.wanted().value(), 1472U);
}

TEST(Pmtud, NothingIsSearchedWhereThePeerTakesNoMore) {
  Pmtud pmtud;
  pmtud.start(1452, 1452);
  EXPECT_FALSE(pmtud.is_searching());
  EXPECT_FALSE(pmtud.wanted().has_value());
}

TEST(Pmtud, ALateAcknowledgementCountsForItsSize) {
  Pmtud pmtud;
  pmtud.start(1200, 1472);
  for (int i = 0; i < Pmtud::kMaxProbes; ++i) {
    pmtud.on_sent();
    pmtud.on_lost(1472);
  }
  pmtud.on_acked(1472);
  EXPECT_EQ(pmtud.size(), 1472U);
  EXPECT_FALSE(pmtud.is_searching());
}

}  // namespace
}  // namespace quell
