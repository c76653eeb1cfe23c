#include "quell/cli/document_root.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "quell/cli/temporary_folder_for_test.h"

namespace quell::cli {
namespace {

class DocumentRootTest : public testing::Test {
 protected:
  DocumentRootTest() {
    folder.add("secret.txt", "secret");
    folder.add("www/index.html", "home");
    folder.add("www/a.txt", "text");
    folder.add("www/sub/index.html", "sub");
    folder.add("www/empty/readme", "");
    root = std::make_unique<DocumentRoot>(std::move(*DocumentRoot::open(www())));
  }
  std::filesystem::path www() const { return folder.path() / "www"; }
  std::string read(const std::string& path) const {
    const auto file = root->find(path);
    if (!file) return "error: " + file.error().message();
    std::string text(file->size, '\0');
    EXPECT_EQ(::pread(file->fd->get(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
    return text;
  }
  void link(const std::filesystem::path& target, const std::string& name) const {
    std::filesystem::create_symlink(target, www() / name);
  }

  test::TemporaryFolder folder;
  std::unique_ptr<DocumentRoot> root;
};

TEST_F(DocumentRootTest, GivesFilesAndIndexPages) {
  EXPECT_EQ(read("a.txt"), "text");
  EXPECT_EQ(read(""), "home");
  EXPECT_EQ(read("sub/"), "sub");
  EXPECT_EQ(read("sub"), "sub");
  EXPECT_EQ(root->find("sub")->path, "sub/index.html");
}

TEST_F(DocumentRootTest, HasNothingElse) {
  EXPECT_EQ(root->find("b.txt").error(), std::errc::no_such_file_or_directory);
  EXPECT_FALSE(root->find("empty/"));
  EXPECT_FALSE(root->find("a.txt/"));
  EXPECT_FALSE(root->find("a.txt/b"));
}

TEST_F(DocumentRootTest, FollowsLinksThatStayInside) {
  link("a.txt", "inside");
  link("sub", "folder");
  EXPECT_EQ(read("inside"), "text");
  EXPECT_EQ(read("folder/index.html"), "sub");
}

TEST_F(DocumentRootTest, FollowsNoLinkOut) {
  link("../secret.txt", "relative");
  link(folder.path() / "secret.txt", "absolute");
  link("..", "up");
  link("/proc/self/root", "magic");
  link("loop", "loop");
  for (const char* path : {"relative", "absolute", "up/secret.txt", "magic/etc/passwd", "loop"}) {
    EXPECT_FALSE(root->find(path)) << path;
  }
}

// Belt and braces: to_relative_path lets none of these through.
TEST_F(DocumentRootTest, DoesNotClimbEvenWhenAsked) {
  for (const char* path : {"../secret.txt", "sub/../../secret.txt", "/etc/passwd"})
    EXPECT_FALSE(root->find(path)) << path;
}

TEST_F(DocumentRootTest, ServesNoPipesAndDoesNotHangOnThem) {
  ASSERT_EQ(::mkfifo((www() / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(root->find("pipe"));
}

TEST(DocumentRoot, MustExist) {
  EXPECT_EQ(DocumentRoot::open("/nowhere/at/all").error(), std::errc::no_such_file_or_directory);
}

}  // namespace
}  // namespace quell::cli
