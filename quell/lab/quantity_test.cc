#include "quell/lab/quantity.h"

#include <gtest/gtest.h>

namespace quell::lab {
namespace {

TEST(Quantity, ReadsDurations) {
  EXPECT_EQ(parse_duration("10 ms"), milliseconds{10});
  EXPECT_EQ(parse_duration("1.5s"), milliseconds{1500});
  EXPECT_EQ(parse_duration("1 h"), hours{1});
  EXPECT_EQ(parse_duration("0 s"), Duration{0});
}

TEST(Quantity, ReadsBytesInBothSystems) {
  EXPECT_EQ(parse_bytes("10 MB"), 10'000'000U);
  EXPECT_EQ(parse_bytes("64KiB"), 65536U);
}

TEST(Quantity, ReadsRatesInBits) {
  EXPECT_EQ(parse_rate("1 Gbit/s").value(), Rate::bytes_per_second(125e6));
  EXPECT_FALSE(parse_rate("0 bit/s"));
}

TEST(Quantity, SaysWhichUnitsThereAre) {
  for (const char* bad : {"10", "ms", "-1 s", "10 parsec", "", "1e30 h"}) {
    EXPECT_FALSE(parse_duration(bad)) << bad;
  }
  EXPECT_NE(parse_duration("10 parsec").error().find("ns, us, ms, s, min, h"), std::string::npos);
}

TEST(Quantity, WritesDurationsShortly) {
  EXPECT_EQ(format_duration(milliseconds{1500}), "1.5 s");
  EXPECT_EQ(format_duration(microseconds{10500}), "10.5 ms");
}

}  // namespace
}  // namespace quell::lab
