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

TEST(Quantity, WritesWhatReadsBackToTheSameAmount) {
  EXPECT_EQ(write_duration(milliseconds{1500}), "1.5 s");
  EXPECT_EQ(write_duration(seconds{60}), "60 s");
  EXPECT_EQ(write_duration(Duration{0}), "0 s");
  EXPECT_EQ(write_bytes(1'250'000), "1.25 MB");
  EXPECT_EQ(write_bytes(1U << 20), "1 MiB");
  EXPECT_EQ(write_rate(Rate::bits_per_second(12e6)), "12 Mbit/s");
  for (const std::int64_t ns : {1LL, 999'999'999LL, 123'456'789'012'345LL}) {
    EXPECT_EQ(parse_duration(write_duration(Duration{ns})), Duration{ns});
    EXPECT_EQ(parse_bytes(write_bytes(static_cast<ByteCount>(ns))), static_cast<ByteCount>(ns));
  }
  const Rate odd = Rate::bits_per_second(1e9 / 3);
  EXPECT_EQ(parse_rate(write_rate(odd)).value(), odd);
}

TEST(Quantity, WritesDurationsShortly) {
  EXPECT_EQ(format_duration(milliseconds{1500}), "1.5 s");
  EXPECT_EQ(format_duration(microseconds{10500}), "10.5 ms");
}

}  // namespace
}  // namespace quell::lab
