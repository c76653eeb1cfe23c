#include "quell/lab/body_source.h"

#include <gtest/gtest.h>

namespace quell::lab {
namespace {

constexpr TimePoint kBegin{seconds{5}};

BodySource begun(const LoadConfig& config) {
  BodySource source{config};
  source.begin(kBegin);
  return source;
}

ByteCount take_all(BodySource& source, TimePoint now) {
  ByteCount taken = 0;
  while (source.is_ready(now)) taken += source.take(1000, now).bytes.size();
  return taken;
}

TEST(BodySource, HasNothingBeforeItsBeginning) {
  BodySource source{{.bytes = 1000}};
  EXPECT_FALSE(source.is_ready(kBegin));
  EXPECT_FALSE(source.changes_after(kBegin).has_value());
}

TEST(BodySource, GivesAllItsBytesAtOnce) {
  BodySource source = begun({.bytes = 123456});
  EXPECT_EQ(take_all(source, kBegin), 123456U);
  EXPECT_TRUE(source.is_finished());
  EXPECT_EQ(source.taken(), 123456U);
}

TEST(BodySource, GivesAChunkAtATimeAndKeepsWhatWasNotTaken) {
  BodySource source = begun({.bytes = 10000, .chunk = 3000, .every = milliseconds{40}});
  EXPECT_EQ(take_all(source, kBegin), 3000U);
  EXPECT_EQ(take_all(source, kBegin + milliseconds{39}), 0U);
  EXPECT_EQ(source.changes_after(kBegin + milliseconds{39}), kBegin + milliseconds{40});
  EXPECT_EQ(take_all(source, kBegin + milliseconds{80}), 6000U);  // two
  EXPECT_EQ(take_all(source, kBegin + seconds{1}), 1000U);        // what is left
  EXPECT_TRUE(source.is_finished());
  EXPECT_FALSE(source.changes_after(kBegin + seconds{1}).has_value());
}

TEST(BodySource, CountsChunksFromWhereTheyBegin) {
  BodySource source =
      begun({.bytes = 100000, .chunk = 3000, .every = milliseconds{40}, .chunks_after = seconds{1}});
  source.take(50000, kBegin);
  EXPECT_EQ(source.changes_after(kBegin), kBegin + seconds{1});
  EXPECT_EQ(take_all(source, kBegin + seconds{1}), 3000U);
}

TEST(BodySource, HasTheRestAtOnceWhenTheTimeOfChunksIsOver) {
  BodySource source =
      begun({.bytes = 100000, .chunk = 3000, .every = milliseconds{40}, .chunks_for = milliseconds{60}});
  EXPECT_EQ(take_all(source, kBegin), 3000U);
  EXPECT_EQ(take_all(source, kBegin + milliseconds{40}), 3000U);
  EXPECT_EQ(source.changes_after(kBegin + milliseconds{40}), kBegin + milliseconds{60});
  EXPECT_EQ(take_all(source, kBegin + milliseconds{60}), 94000U);
}

TEST(BodySource, WithoutASizeEndsWithItsTime) {
  BodySource source = begun({.lasts = seconds{60}});
  EXPECT_TRUE(source.is_ready(kBegin + seconds{59}));
  EXPECT_FALSE(source.is_over(kBegin + seconds{59}));
  EXPECT_EQ(source.changes_after(kBegin), kBegin + seconds{60});
  EXPECT_TRUE(source.is_over(kBegin + seconds{60}));
  EXPECT_FALSE(source.is_ready(kBegin + seconds{60}));
}

TEST(BodySource, IsSilentForItsPause) {
  BodySource source = begun({.bytes = 1000, .pause_after = seconds{1}, .pause_for = seconds{2}});
  EXPECT_TRUE(source.is_ready(kBegin));
  EXPECT_FALSE(source.is_ready(kBegin + seconds{1}));
  EXPECT_EQ(source.changes_after(kBegin + seconds{1}), kBegin + seconds{3});
  EXPECT_TRUE(source.is_ready(kBegin + seconds{3}));
}

}  // namespace
}  // namespace quell::lab
