#include "quell/connection/connection_ids.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace quell {
namespace {

ConnectionId id(std::uint8_t n) {
  const std::array<std::uint8_t, 8> bytes{n, n, n, n, n, n, n, n};
  return ConnectionId{bytes};
}
NewConnectionIdFrame frame(std::uint64_t sequence, std::uint64_t retire_prior_to, std::uint8_t n) {
  return {sequence, retire_prior_to, id(n), StatelessResetToken{n}};
}
TransportError code(const Result<void>& result) {
  return result ? TransportError::no_error : result.error().code;
}

TEST(RemoteConnectionIds, ARepeatedFrameChangesNothing) {
  RemoteConnectionIds ids{id(0)};
  EXPECT_TRUE(ids.on_new(frame(1, 0, 1)));
  EXPECT_TRUE(ids.on_new(frame(1, 0, 1)));
  EXPECT_EQ(ids.current(), id(0));
}

TEST(RemoteConnectionIds, OneNumberWithTwoIdsIsAViolation) {
  RemoteConnectionIds ids{id(0)};
  EXPECT_TRUE(ids.on_new(frame(1, 0, 1)));
  EXPECT_EQ(code(ids.on_new(frame(1, 0, 2))), TransportError::protocol_violation);
  EXPECT_EQ(code(ids.on_new(frame(2, 0, 1))), TransportError::protocol_violation);
}

TEST(RemoteConnectionIds, MoreThanWeTakeIsALimitError) {
  RemoteConnectionIds ids{id(0)};
  for (std::uint8_t n = 1; n < kActiveConnectionIdLimit; ++n) EXPECT_TRUE(ids.on_new(frame(n, 0, n)));
  EXPECT_EQ(code(ids.on_new(frame(9, 0, 9))), TransportError::connection_id_limit_error);
}

TEST(RemoteConnectionIds, RetirePriorToMovesToANewIdAndSaysSo) {
  RemoteConnectionIds ids{id(0)};
  EXPECT_TRUE(ids.on_new(frame(1, 1, 1)));
  EXPECT_EQ(ids.current(), id(1));
  std::vector<SentFrame> notes;
  std::array<std::uint8_t, 100> room{};
  FrameSink sink{room, notes};
  ids.write_frames(sink);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].type, FrameType::retire_connection_id);
  EXPECT_EQ(notes[0].id, 0U);
  EXPECT_FALSE(ids.has_frames());
  ids.on_lost(notes[0]);
  EXPECT_TRUE(ids.has_frames());
}

TEST(RemoteConnectionIds, APeerThatRetiresWithoutEndIsStopped) {
  RemoteConnectionIds ids{id(0)};
  Result<void> result;
  for (std::uint8_t n = 1; n < 200 && result; ++n) result = ids.on_new(frame(n, n, n));
  EXPECT_EQ(code(result), TransportError::connection_id_limit_error);
}

TEST(RemoteConnectionIds, KnowsTheResetTokensOfItsIds) {
  RemoteConnectionIds ids{id(0)};
  EXPECT_TRUE(ids.on_new(frame(1, 0, 7)));
  EXPECT_TRUE(ids.matches_reset_token(StatelessResetToken{7}));
  EXPECT_FALSE(ids.matches_reset_token(StatelessResetToken{8}));
}

TEST(LocalConnectionIds, RetiringWhatWasNeverIssuedIsAViolation) {
  LocalConnectionIds ids{id(0)};
  EXPECT_EQ(code(ids.on_retire({1}, id(0))), TransportError::protocol_violation);
}

TEST(LocalConnectionIds, RetiringTheIdOfItsOwnPacketIsAViolation) {
  LocalConnectionIds ids{id(0)};
  ids.issue(id(1), {});
  EXPECT_EQ(code(ids.on_retire({0}, id(0))), TransportError::protocol_violation);
  EXPECT_TRUE(ids.on_retire({0}, id(1)));
  EXPECT_EQ(ids.take_changes().removed.size(), 1U);
}

TEST(LocalConnectionIds, IssuesNoMoreThanThePeerTakes) {
  LocalConnectionIds ids{id(0)};
  EXPECT_EQ(ids.wanted(2), 1U);
  EXPECT_EQ(ids.wanted(1000), kActiveConnectionIdLimit - 1);
}

}  // namespace
}  // namespace quell
