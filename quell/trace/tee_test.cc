#include "quell/trace/tee.h"

#include <gtest/gtest.h>

#include <string>

namespace quell::trace {
namespace {

// Writes its name and the event's number into a shared diary.
class Diarist final : public Sink {
 public:
  Diarist(char name, std::string& diary) : name_(name), diary_(diary) {}
  void packet_sent(const Packet& packet, TimePoint now) override { note("sent", packet.number, now); }
  void packet_lost(const PacketLost& packet, TimePoint now) override { note("lost", packet.number, now); }

 private:
  void note(const char* what, PacketNumber number, TimePoint now) {
    diary_ += name_;
    diary_ += what + std::to_string(number) + "@" + std::to_string(now.time_since_epoch().count()) + " ";
  }
  char name_;
  std::string& diary_;
};

TEST(Tee, TellsEverySinkInTheOrderTheyWereAdded) {
  std::string diary;
  Tee tee;
  tee.add(std::make_unique<Diarist>('a', diary));
  tee.add(nullptr);
  tee.add(std::make_unique<Diarist>('b', diary));

  Packet packet;
  packet.number = 7;
  tee.packet_sent(packet, TimePoint{nanoseconds{5}});
  tee.packet_lost({.number = 7}, TimePoint{nanoseconds{6}});

  EXPECT_EQ(diary, "asent7@5 bsent7@5 alost7@6 blost7@6 ");
}

TEST(Tee, IsEmptyUntilARealSinkIsAdded) {
  Tee tee;
  tee.add(nullptr);
  EXPECT_TRUE(tee.empty());
  tee.add(std::make_unique<Sink>());
  EXPECT_FALSE(tee.empty());
}

}  // namespace
}  // namespace quell::trace
