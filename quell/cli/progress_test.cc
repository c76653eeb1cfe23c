#include "quell/cli/progress.h"

#include <gtest/gtest.h>

namespace quell::cli {
namespace {

TEST(Progress, ShowsPartSizeRateAndFiles) {
  const Transferred half{
      .bytes = 5'000'000, .expected = 10'000'000, .is_expected_known = true, .files_done = 2, .files = 10};
  EXPECT_EQ(progress_line(half, seconds{2}, 200),
            "[============>           ]  50 %  5.0 MB of 10.0 MB  2.5 MB/s  2 of 10 files");
}

TEST(Progress, PromisesNoPartOfAnUnknownWhole) {
  const Transferred some{
      .bytes = 1500, .expected = 0, .is_expected_known = false, .files_done = 0, .files = 1};
  EXPECT_EQ(progress_line(some, seconds{1}, 200), "1.5 kB  0.0 MB/s");
}

TEST(Progress, FitsTheTerminal) {
  const Transferred half{.bytes = 5, .expected = 10, .is_expected_known = true, .files_done = 0, .files = 1};
  EXPECT_EQ(progress_line(half, seconds{1}, 20).size(), 20U);
}

TEST(Progress, SpeaksOfSizesInPowersOfTen) {
  EXPECT_EQ(human_size(999), "999 B");
  EXPECT_EQ(human_size(1000), "1.0 kB");
  EXPECT_EQ(human_size(999'949), "999.9 kB");
  EXPECT_EQ(human_size(999'950), "1.0 MB");
  EXPECT_EQ(human_size(12'300'000'000), "12.3 GB");
}

TEST(Progress, IsSilentWhenNotWanted) {
  Progress progress{false};
  progress.update({}, TimePoint{}, TimePoint{});
  EXPECT_EQ(progress.next_wake(), std::nullopt);
}

}  // namespace
}  // namespace quell::cli
