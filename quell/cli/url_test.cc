#include "quell/cli/url.h"

#include <gtest/gtest.h>

namespace quell::cli {
namespace {

TEST(Url, IsTakenApart) {
  const auto url = parse_url("https://example.org:8443/a/b.txt?x=1#top");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->host, "example.org");
  EXPECT_EQ(url->port, 8443);
  EXPECT_EQ(url->path, "/a/b.txt?x=1");
  EXPECT_EQ(url->authority(), "example.org:8443");
  EXPECT_EQ(url->file_name(), "b.txt");
}

TEST(Url, HasDefaults) {
  const auto url = parse_url("https://example.org");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->port, 443);
  EXPECT_EQ(url->path, "/");
  EXPECT_EQ(url->authority(), "example.org");
  EXPECT_EQ(url->file_name(), "");
  EXPECT_EQ(parse_url("https://example.org?q")->path, "/?q");
  EXPECT_EQ(parse_url("https://example.org:443/")->authority(), "example.org");
}

TEST(Url, MayNameAnIpv6Literal) {
  const auto url = parse_url("https://[::1]:4433/x");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->host, "::1");
  EXPECT_EQ(url->authority(), "[::1]:4433");
}

TEST(Url, IsQuotedWhenItIsRefused) {
  for (const char* text :
       {"http://localhost/", "localhost", "https://", "https://:80/", "https://h:99999/", "https://h:x/",
        "https://h:/", "https://h:0/", "https://[::1/", "https://[::1]x/", "https://u:p@h/", "https://h/a b",
        "https://h/a\nb", "https://h\\x/", "https://[not]/"}) {
    const auto url = parse_url(text);
    ASSERT_FALSE(url) << text;
    EXPECT_NE(url.error().find(text), std::string::npos);
  }
}

}  // namespace
}  // namespace quell::cli
