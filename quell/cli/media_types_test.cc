#include "quell/cli/media_types.h"

#include <gtest/gtest.h>

namespace quell::cli {
namespace {

TEST(MediaTypes, GoByTheLastExtensionWhateverItsCase) {
  EXPECT_EQ(media_type("a/index.html"), "text/html; charset=utf-8");
  EXPECT_EQ(media_type("A.PNG"), "image/png");
  EXPECT_EQ(media_type("x.tar.gz"), "application/gzip");
}

TEST(MediaTypes, AreBytesWhenNothingIsKnown) {
  EXPECT_EQ(media_type("README"), "application/octet-stream");
  EXPECT_EQ(media_type("dir.html/file"), "application/octet-stream");
  EXPECT_EQ(media_type("a."), "application/octet-stream");
  EXPECT_EQ(media_type("a.unheard-of"), "application/octet-stream");
}

}  // namespace
}  // namespace quell::cli
