#include "quell/qlog/json_text.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <nlohmann/json.hpp>

namespace quell::qlog {
namespace {

std::string milliseconds_text(Duration d) {
  std::string out;
  append_milliseconds(out, d);
  return out;
}

std::string text_value(std::string_view value) {
  std::string out;
  JsonText json(out);
  json.text({}, value);
  return out;
}

TEST(JsonText, PutsCommasBetweenItemsAndNowhereElse) {
  std::string out;
  JsonText json(out);
  json.begin_object();
  json.number("a", 1);
  json.begin_array("b");
  json.begin_array();
  json.number({}, 2);
  json.number({}, 3);
  json.end_array();
  json.begin_object();
  json.end_object();
  json.end_array();
  json.boolean("c", false);
  json.end_object();
  EXPECT_EQ(out, R"({"a":1,"b":[[2,3],{}],"c":false})");
}

TEST(JsonText, CutsMillisecondsToTheMicrosecondWithoutTrailingZeros) {
  EXPECT_EQ(milliseconds_text(nanoseconds{0}), "0");
  EXPECT_EQ(milliseconds_text(nanoseconds{999}), "0");
  EXPECT_EQ(milliseconds_text(microseconds{1}), "0.001");
  EXPECT_EQ(milliseconds_text(microseconds{12340}), "12.34");
  EXPECT_EQ(milliseconds_text(microseconds{12300}), "12.3");
  EXPECT_EQ(milliseconds_text(microseconds{-1500}), "-1.5");
  EXPECT_EQ(milliseconds_text(hours{24 * 365}), "31536000000");
}

TEST(JsonText, EscapesQuotesControlsAndLineEnds) {
  EXPECT_EQ(text_value("a\"b\\c\n\r\t\x01\x1e"), R"("a\"b\\c\n\r\t\u0001\u001e")");
}

TEST(JsonText, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(text_value("\xff!"), "\"\xef\xbf\xbd!\"");
  EXPECT_EQ(text_value("\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");  // a surrogate
  EXPECT_EQ(text_value("\xc3\xa9"), "\"\xc3\xa9\"");
}

TEST(JsonText, KnowsWellFormedUtf8) {
  EXPECT_TRUE(is_utf8("plain"));
  EXPECT_TRUE(is_utf8("\xf4\x8f\xbf\xbf"));   // U+10FFFF
  EXPECT_FALSE(is_utf8("\xf4\x90\x80\x80"));  // beyond it
  EXPECT_FALSE(is_utf8("\xc0\xaf"));          // overlong
  EXPECT_FALSE(is_utf8("\xe0\x80\xaf"));
  EXPECT_FALSE(is_utf8("\xf0\x80\x80\xaf"));
  EXPECT_FALSE(is_utf8("cut\xe2\x82"));
}

TEST(JsonText, AnyBytesMakeAStringThatAStrictParserReads) {
  EXPECT_TRUE(rc::check("any bytes", [](const std::string& bytes) {
    const auto parsed = nlohmann::json::parse(text_value(bytes));
    if (is_utf8(bytes)) RC_ASSERT(parsed.get<std::string>() == bytes);
    RC_ASSERT(is_utf8(parsed.get<std::string>()));
  }));
}

}  // namespace
}  // namespace quell::qlog
