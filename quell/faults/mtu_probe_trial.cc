#include "quell/faults/mtu_probe_trial.h"

#include <memory>

#include "quell/base/check.h"
#include "quell/cc/registry.h"
#include "quell/recovery/recovery.h"

namespace quell::faults {
namespace {

constexpr ByteCount kPacket = 1200;
constexpr ByteCount kProbe = 1452;
constexpr Duration kRtt = milliseconds{40};
constexpr int kProbes = 20;

class Sender {
 public:
  // Times that the window fell.
  int lose_probes() {
    int cuts = 0;
    for (int i = 0; i < kProbes; ++i) {
      const ByteCount before = recovery_.cwnd();
      lose_one();
      if (recovery_.cwnd() < before) ++cuts;
    }
    return cuts;
  }

 private:
  // The probe, and three packets after it that arrive: lost by the packet threshold (RFC 9002 §6.1.1).
  void lose_one() {
    send(kProbe, true);
    for (int i = 0; i < 3; ++i) send(kPacket, false);
    now_ += kRtt;
    AckFrame ack;
    ack.largest = recovery_.next_packet_number(Space::application) - 1;
    ack.first_range = 2;
    QUELL_CHECK(recovery_.on_ack(Space::application, ack, Duration{0}, now_).has_value());
  }

  void send(ByteCount size, bool is_mtu_probe) {
    SentPacketInfo info;
    info.number = recovery_.next_packet_number(Space::application);
    info.size = size;
    info.is_ack_eliciting = info.is_in_flight = true;
    info.is_mtu_probe = is_mtu_probe;
    recovery_.on_sent(info, now_);
  }

  TimePoint now_{seconds{1}};
  Recovery recovery_{Side::server, RecoveryConfig{.max_datagram_size = kPacket},
                     cc::find("reno")->make({.max_datagram_size = kPacket}), nullptr};
};

}  // namespace

lab::Trial try_mtu_probes() {
  const int cuts = Sender{}.lose_probes();
  lab::Trial trial{.scenario = "lost MTU probes (no path)",
                   .seeds = 1,
                   .failed = cuts > 0 ? 1U : 0U,
                   .missed = {},
                   .reason = {},
                   .objection = cuts > 0 ? "" : "it passes"};
  if (cuts == 0) return trial;
  trial.missed = {"cuts"};
  trial.reason = "cuts <= 0 missed: " + std::to_string(cuts) +
                 " of 20; why: a probe is lost because of its size (RFC 9000 14.4)";
  return trial;
}

}  // namespace quell::faults
