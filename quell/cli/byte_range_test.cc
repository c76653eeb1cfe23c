#include "quell/cli/byte_range.h"

#include <gtest/gtest.h>

namespace quell::cli {
namespace {

using Kind = ByteRange::Kind;

ByteRange part(ByteCount first, ByteCount last) {
  return {Kind::part, first, last};
}

// The examples of RFC 9110 §14.1.2, of a representation of 10,000 bytes.
TEST(ByteRange, FollowsTheExamplesOfTheRfc) {
  EXPECT_EQ(parse_byte_range("bytes=0-499", 10000), part(0, 499));
  EXPECT_EQ(parse_byte_range("bytes=500-999", 10000), part(500, 999));
  EXPECT_EQ(parse_byte_range("bytes=-500", 10000), part(9500, 9999));
  EXPECT_EQ(parse_byte_range("bytes=9500-", 10000), part(9500, 9999));
}

TEST(ByteRange, EndsWithTheFile) {
  EXPECT_EQ(parse_byte_range("bytes=5-100", 10), part(5, 9));
  EXPECT_EQ(parse_byte_range("bytes=-100", 10), part(0, 9));
  EXPECT_EQ(parse_byte_range("bytes=9-9", 10), part(9, 9));
}

TEST(ByteRange, CannotBeginBehindTheEnd) {
  EXPECT_EQ(parse_byte_range("bytes=10-", 10).kind, Kind::unsatisfiable);
  EXPECT_EQ(parse_byte_range("bytes=10-20", 10).kind, Kind::unsatisfiable);
  EXPECT_EQ(parse_byte_range("bytes=-0", 10).kind, Kind::unsatisfiable);
  EXPECT_EQ(parse_byte_range("bytes=0-", 0).kind, Kind::unsatisfiable);
  EXPECT_EQ(parse_byte_range("bytes=-5", 0).kind, Kind::unsatisfiable);
}

TEST(ByteRange, IsIgnoredWhenWeDoNotUnderstandIt) {
  for (const char* field :
       {"", "bytes", "bytes=", "bytes=-", "bytes=5-4", "bytes=a-b", "bytes=1-2,4-5", "lines=1-2", "bytes=1",
        "bytes= 1-2", "bytes=1-99999999999999999999", "bytes=--1", "bytes=+1-2"}) {
    EXPECT_EQ(parse_byte_range(field, 100).kind, Kind::whole) << field;
  }
}

}  // namespace
}  // namespace quell::cli
