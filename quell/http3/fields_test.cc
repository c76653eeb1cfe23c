#include "quell/http3/fields.h"

#include <gtest/gtest.h>

namespace quell::http3 {
namespace {

TEST(Fields, MayBeSentWhenTheyAreLowerCaseTokensWithCleanValues) {
  EXPECT_TRUE(is_valid({"content-type", "text/html; charset=utf-8"}));
  EXPECT_TRUE(is_valid({"x", ""}));
  EXPECT_TRUE(is_valid({"x", "a\tb"}));
  EXPECT_TRUE(is_valid({"x", "\xc3\xa4"}));
}

TEST(Fields, MayNotSmuggle) {
  for (const Field& field : {Field{"", "a"}, Field{"X", "a"}, Field{"a b", "a"}, Field{"a:", "a"},
                             Field{":path", "/"}, Field{"x", "a\r\nb"}, Field{"x", std::string{"a\0b", 3}},
                             Field{"x", " a"}, Field{"x", "a\t"}, Field{"x", "\x7f"}}) {
    EXPECT_FALSE(is_valid(field)) << field.name << ": " << field.value;
  }
}

TEST(Fields, MayNotSpeakOfConnections) {
  for (const char* name : {"connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"}) {
    EXPECT_FALSE(is_valid({name, "x"})) << name;
  }
  EXPECT_TRUE(is_valid({"te", "trailers"}));
  EXPECT_FALSE(is_valid({"te", "gzip"}));
}

TEST(Fields, AreFoundByName) {
  const Fields fields{{"a", "1"}, {"b", "2"}, {"b", "3"}};
  EXPECT_EQ(find(fields, "b"), "2");
  EXPECT_EQ(find(fields, "c"), std::nullopt);
}

// RFC 9114 §4.2.2.
TEST(Fields, CountNameValueAndThirtyTwo) {
  EXPECT_EQ(section_size({{"ab", "cde"}, {"f", ""}}), 2U + 3 + 32 + 1 + 32);
}

}  // namespace
}  // namespace quell::http3
