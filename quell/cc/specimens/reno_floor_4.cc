#include "quell/cc/specimens/reno_floor_4.h"

#include "quell/cc/reno.h"
#include "quell/cc/specimens/altered.h"

namespace quell::cc {
namespace {

constexpr ByteCount kFloorPackets = 4;  // the fault

class RenoFloor4 final : public Altered {
 public:
  explicit RenoFloor4(const Config& config)
      : Altered("reno-floor-4", make_reno(config)), packet_(config.max_datagram_size) {}

  void on_mtu(ByteCount old_size, ByteCount new_size, TimePoint now) override {
    packet_ = new_size;
    sound().on_mtu(old_size, new_size, now);
  }
  ByteCount cwnd() const override { return std::max(sound().cwnd(), kFloorPackets * packet_); }

 private:
  ByteCount packet_;
};

}  // namespace

ControllerPtr make_reno_floor_4(const Config& config) {
  return std::make_unique<RenoFloor4>(config);
}

}  // namespace quell::cc
