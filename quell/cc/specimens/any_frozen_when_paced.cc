#include "quell/cc/specimens/any_frozen_when_paced.h"

#include <deque>

#include "quell/cc/reno.h"
#include "quell/cc/specimens/altered.h"

namespace quell::cc {
namespace {

class AnyFrozenWhenPaced final : public Altered {
 public:
  explicit AnyFrozenWhenPaced(const Config& config) : Altered("any-frozen-when-paced", make_reno(config)) {}

  void on_sent(const SentEvent& event, TimePoint now) override {
    // The fault: "fills the window" is read literally.
    if (event.in_flight_before + event.bytes >= sound().cwnd()) filling_.push_back(event.number);
    sound().on_sent(event, now);
  }

  void on_ack(const AckEvent& event, TimePoint now) override {
    ByteCount filled = 0;
    for (const AckedPacket& packet : event.packets) {
      if (std::ranges::binary_search(filling_, packet.number)) filled += packet.bytes;
    }
    if (!event.packets.empty()) forget_up_to(event.packets.front().number);
    AckEvent altered = event;
    altered.growable_bytes = std::min(event.growable_bytes, filled);
    sound().on_ack(altered, now);
  }

 private:
  // What is acknowledged out of order is forgotten with what comes before it: a specimen may be coarse.
  void forget_up_to(PacketNumber number) {
    while (!filling_.empty() && filling_.front() < number) filling_.pop_front();
  }

  std::deque<PacketNumber> filling_;  // ascending
};

}  // namespace

ControllerPtr make_any_frozen_when_paced(const Config& config) {
  return std::make_unique<AnyFrozenWhenPaced>(config);
}

}  // namespace quell::cc
