#include "quell/qlog/factory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "quell/qlog/draft_rules.h"

namespace quell::qlog {
namespace {

using testing::HasSubstr;

const std::vector<std::uint8_t> kOdcid{0x0a, 0x1b, 0x2c, 0x3d};
const ConnectionId kId{Bytes(kOdcid)};

std::string scratch(const std::string& name) {
  const std::string path = testing::TempDir() + "quell_qlog_" + name;
  std::filesystem::remove_all(path);
  return path;
}

TEST(QlogFactory, MakesTheDirectoryAndAFileNamedAfterConnectionAndSide) {
  const std::string directory = scratch("nested") + "/deep";
  auto sink = make_file_sink(directory, Side::server, kId, {});
  ASSERT_TRUE(sink) << sink.error();
  (*sink)->packet_lost({.number = 1}, TimePoint{});
  sink->reset();

  std::ifstream file(directory + "/0a1b2c3d_server.sqlog", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(test::split_records(text).size(), 2);
}

TEST(QlogFactory, ADirectoryThatCannotBeMadeIsAnErrorThatNamesIt) {
  const std::string blocker = scratch("blocker");
  std::ofstream(blocker) << "a file stands where the directory should";
  const auto sink = make_file_sink(blocker + "/sub", Side::client, kId, {});
  ASSERT_FALSE(sink);
  EXPECT_THAT(sink.error(), HasSubstr(blocker + "/sub"));
}

TEST(QlogFactory, AFileThatCannotBeOpenedIsAnErrorThatNamesIt) {
  const std::string directory = scratch("occupied");
  std::filesystem::create_directories(directory + "/" + file_name(Side::client, kId));
  const auto sink = make_file_sink(directory, Side::client, kId, {});
  ASSERT_FALSE(sink);
  EXPECT_THAT(sink.error(), HasSubstr("0a1b2c3d_client.sqlog"));
}

TEST(QlogFactory, AFullDiskIsReportedOnceAndNotFatal) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  const std::string directory = scratch("full");
  std::filesystem::create_directories(directory);
  std::filesystem::create_symlink("/dev/full", directory + "/" + file_name(Side::client, kId));
  std::vector<std::string> reports;
  {
    auto sink = make_file_sink(directory, Side::client, kId, {},
                               [&](const std::string& text) { reports.push_back(text); });
    ASSERT_TRUE(sink) << sink.error();
    for (int i = 0; i < 5000; ++i) (*sink)->packet_lost({.number = 1}, TimePoint{});
  }
  ASSERT_EQ(reports.size(), 1);
  EXPECT_THAT(reports[0], HasSubstr("0a1b2c3d_client.sqlog ends early"));
}

}  // namespace
}  // namespace quell::qlog
