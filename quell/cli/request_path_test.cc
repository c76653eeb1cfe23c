#include "quell/cli/request_path.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace quell::cli {
namespace {

TEST(RequestPath, NamesFilesRelativeToTheRoot) {
  EXPECT_EQ(to_relative_path("/"), "");
  EXPECT_EQ(to_relative_path("/a"), "a");
  EXPECT_EQ(to_relative_path("/a/b.txt"), "a/b.txt");
  EXPECT_EQ(to_relative_path("/a/"), "a/");
}

TEST(RequestPath, DropsTheQuery) {
  EXPECT_EQ(to_relative_path("/a?b=/../c"), "a");
  EXPECT_EQ(to_relative_path("/?x"), "");
}

TEST(RequestPath, DecodesEscapesOnce) {
  EXPECT_EQ(to_relative_path("/a%20b"), "a b");
  EXPECT_EQ(to_relative_path("/%C3%A4"), "\xc3\xa4");
  EXPECT_EQ(to_relative_path("/%252e%252e"), "%2e%2e");
}

TEST(RequestPath, RefusesSegmentsThatClimb) {
  for (const char* path :
       {"/..", "/../a", "/a/..", "/a/../b", "/.", "/./a", "/%2e%2e/a", "/%2E%2e", "/.%2e/a", "/a/%2e"}) {
    EXPECT_EQ(to_relative_path(path), std::nullopt) << path;
  }
  EXPECT_EQ(to_relative_path("/..."), "...");
  EXPECT_EQ(to_relative_path("/..a"), "..a");
}

TEST(RequestPath, RefusesHiddenSlashesAndNuls) {
  using namespace std::string_literals;
  for (const std::string& path : {"/a%2fb"s, "/a%2Fb"s, "/..%2fa"s, "/%2f"s, "/a%00"s, "/%00"s, "/a\0b"s,
                                  "/a\\b"s, "/..\\a"s, "/%5c..%5c"s}) {
    EXPECT_EQ(to_relative_path(path), std::nullopt) << path;
  }
}

TEST(RequestPath, RefusesBrokenEscapesAndEmptySegments) {
  for (const char* path : {"/%", "/%2", "/%zz", "/%2g", "//", "//etc/passwd", "/a//b", "", "a", "*"}) {
    EXPECT_EQ(to_relative_path(path), std::nullopt) << path;
  }
}

// Whatever the request: what comes out is relative, has no climbing segment and no NUL.
RC_GTEST_PROP(RequestPath, NeverGivesAPathThatClimbs, ()) {
  const auto piece =
      rc::gen::element<std::string>("/", ".", "..", "%2e", "%2F", "%", "a", "\\", "%00", "%25", "?", "//");
  const auto pieces = *rc::gen::container<std::vector<std::string>>(piece);
  std::string path = "/";
  for (const auto& p : pieces) path += p;
  const auto relative = to_relative_path(path);
  if (!relative) return;
  RC_ASSERT(!relative->starts_with('/'));
  RC_ASSERT(relative->find('\0') == std::string::npos);
  RC_ASSERT(("/" + *relative + "/").find("/../") == std::string::npos);
  RC_ASSERT(("/" + *relative + "/").find("/./") == std::string::npos);
}

}  // namespace
}  // namespace quell::cli
