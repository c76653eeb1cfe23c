#include "quell/cli/output.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "quell/cli/temporary_folder_for_test.h"

namespace quell::cli {
namespace {

Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

TEST(Output, AFileAppearsWhenItIsWhole) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "file";
  auto output = open_output(path);
  ASSERT_TRUE(output);
  ASSERT_FALSE((*output)->write(bytes_of("abc")));
  EXPECT_FALSE(std::filesystem::exists(path));
  ASSERT_FALSE((*output)->write(bytes_of("def")));
  ASSERT_FALSE((*output)->commit());
  EXPECT_EQ(folder.content(path), "abcdef");
}

TEST(Output, AFileThatIsNotFinishedLeavesTheOldOneAndNothingElse) {
  const test::TemporaryFolder folder;
  const auto path = folder.add("file", "old");
  {
    auto output = open_output(path);
    ASSERT_FALSE((*output)->write(bytes_of("new")));
  }
  EXPECT_EQ(folder.content(path), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator{folder.path()}, {}), 1);
}

TEST(Output, SmallAndLargePiecesKeepTheirOrder) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "file";
  auto output = open_output(path);
  std::string expected;
  for (const std::size_t size : {1000U, 300000U, 5U, 262144U, 100000U, 200000U}) {
    const std::string piece(size, static_cast<char>('a' + expected.size() % 26));
    ASSERT_FALSE((*output)->write(bytes_of(piece)));
    expected += piece;
  }
  ASSERT_FALSE((*output)->commit());
  EXPECT_TRUE(folder.content(path) == expected);
}

TEST(Output, ADeviceIsWrittenDirectly) {
  auto output = open_output("/dev/null");
  ASSERT_TRUE(output);
  EXPECT_FALSE((*output)->write(bytes_of("x")));
  EXPECT_FALSE((*output)->commit());
  EXPECT_FALSE(std::filesystem::exists("/dev/null.part"));
}

TEST(Output, TellsAFullDevice) {
  auto output = open_output("/dev/full");
  ASSERT_TRUE(output);
  ASSERT_FALSE((*output)->write(bytes_of("x")));
  EXPECT_EQ((*output)->commit(), std::errc::no_space_on_device);
}

TEST(Output, AFolderThatIsNotThereIsAnError) {
  EXPECT_EQ(open_output("/nowhere/at/all").error(), std::errc::no_such_file_or_directory);
}

}  // namespace
}  // namespace quell::cli
