#include "quell/recovery/sent_packets.h"

#include <gtest/gtest.h>

#include "quell/recovery/test_support.h"

namespace quell {
namespace {

using testing::Ack;
using testing::at;

struct Ledger : ::testing::Test {
  SentPackets packets;
  std::vector<Range> newly;
  std::vector<Range> late;

  void send(std::uint64_t count, bool is_in_flight = true) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const PacketNumber number = packets.next_number();
      const SentFrame frame{.type = FrameType::stream, .id = number};
      SentPacket& packet = packets.add({&frame, 1});
      packet.is_in_flight = is_in_flight;
      packet.ordinal = number + 1;
    }
  }
  void ack(const Ack& ack) {
    newly.clear();
    late.clear();
    packets.take_acked(ack.frame(), newly, late);
  }
};

TEST_F(Ledger, AnAckTakesOutWhatIsOutstandingLargestFirst) {
  send(10);
  ack(Ack{{1, 2}, {5, 7}});
  EXPECT_EQ(newly, (std::vector<Range>{{5, 8}, {1, 3}}));
  EXPECT_EQ(packets.outstanding().total(), 5U);
}

TEST_F(Ledger, TheSamePacketIsNewOnlyOnce) {
  send(10);
  ack(Ack{{0, 5}});
  ack(Ack{{0, 7}});
  EXPECT_EQ(newly, (std::vector<Range>{{6, 8}}));
  ack(Ack{{0, 7}});
  EXPECT_TRUE(newly.empty());
}

TEST_F(Ledger, AnAckOfALostPacketIsLate) {
  send(10);
  packets.mark_lost(2, at(seconds{1}));
  packets.mark_lost(3, at(seconds{1}));
  ack(Ack{{0, 9}});
  EXPECT_EQ(late, (std::vector<Range>{{2, 4}}));
  EXPECT_EQ(newly, (std::vector<Range>{{4, 10}, {0, 2}}));
  ack(Ack{{0, 9}});
  EXPECT_TRUE(late.empty());
}

TEST_F(Ledger, ForgottenPacketsAreNeitherNewNorLate) {
  send(3);
  packets.forget(1);
  ack(Ack{{0, 2}});
  EXPECT_EQ(newly, (std::vector<Range>{{2, 3}, {0, 1}}));
  EXPECT_TRUE(late.empty());
}

TEST_F(Ledger, KeepsLostPacketsUntilTheirTimeIsOver) {
  send(4);
  packets.mark_lost(0, at(seconds{5}));
  ack(Ack{{1, 3}});
  packets.trim(at(seconds{5}));
  EXPECT_TRUE(packets.contains(0));
  packets.trim(at(seconds{5} + Duration{1}));
  EXPECT_FALSE(packets.contains(0));
  EXPECT_EQ(packets.first_number(), 4U);
  ack(Ack{{0, 3}});
  EXPECT_TRUE(late.empty());
}

TEST_F(Ledger, ManyRangesMeetManyHoles) {
  send(100);
  for (const PacketNumber n : {10U, 11U, 12U, 40U, 60U}) packets.mark_lost(n, at(seconds{1}));
  ack(Ack{{5, 10}, {12, 13}, {30, 50}, {55, 58}, {61, 62}});
  EXPECT_EQ(newly, (std::vector<Range>{{61, 63}, {55, 59}, {41, 51}, {30, 40}, {13, 14}, {5, 10}}));
  EXPECT_EQ(late, (std::vector<Range>{{40, 41}, {12, 13}, {10, 11}}));
  EXPECT_EQ(packets.outstanding().total(), 95U - 32U);
}

TEST_F(Ledger, FramesComeBackWithTheirPacket) {
  std::vector<SentFrame> frames(3);
  for (std::uint64_t i = 0; i < 20; ++i) {
    for (std::uint64_t k = 0; k < 3; ++k) frames[k] = {.type = FrameType::stream, .id = 10 * i + k};
    packets.add(std::span{frames}.first(i % 4));
  }
  std::vector<SentFrame> out;
  packets.append_frames(packets[7], out);
  EXPECT_EQ(testing::ids(out), (std::vector<std::uint64_t>{70, 71, 72}));
  out.clear();
  packets.append_frames(packets[8], out);
  EXPECT_TRUE(out.empty());
}

TEST_F(Ledger, FramesStayWithTheirPacketWhileTheFrontIsTrimmed) {
  for (PacketNumber n = 0; n < 1000; ++n) {
    send(1);
    if (n >= 5) {
      ack(Ack{{n - 5, n - 5}});
      packets.trim(at({}));
    }
    std::vector<SentFrame> out;
    packets.append_frames(packets[n], out);
    ASSERT_EQ(testing::ids(out), std::vector<std::uint64_t>{n});
    ASSERT_EQ(packets.first_number(), n >= 5 ? n - 4 : 0);
  }
}

TEST_F(Ledger, APeerThatNeverAcknowledgesAckOnlyPacketsCostsBoundedMemory) {
  for (int i = 0; i < 20000; ++i) {
    send(1, /*is_in_flight=*/false);
    packets.trim(at({}));
    ASSERT_LE(packets.next_number() - packets.first_number(), kMaxAckOnlyTracked);
  }
  EXPECT_EQ(packets.outstanding().total(), kMaxAckOnlyTracked);
}

TEST_F(Ledger, NumbersGoOnAfterItIsCleared) {
  send(5);
  packets.clear();
  EXPECT_EQ(packets.next_number(), 5U);
  ack(Ack{{0, 4}});
  EXPECT_TRUE(newly.empty());
  send(1);
  EXPECT_EQ(packets.next_number(), 6U);
}

}  // namespace
}  // namespace quell
