// What must a congestion controller answer? A pure state machine: events in, window and rate out. It owns no
// clock, no recovery boundary and no packet; the transport cannot be pinned by it below two packets.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "quell/cc/events.h"

namespace quell::cc {

// RFC 9002 §7.2: the minimum window, in packets.
inline constexpr std::uint32_t kLeastWindowPackets = 2;
// Choice: no window grows past 1 TiB, so that arithmetic on it stays exact for as long as a connection lives.
inline constexpr ByteCount kMostWindow = ByteCount{1} << 40;

struct Config {
  ByteCount max_datagram_size = 1452;
  // RFC 9002 §7.2: min(10 × max_datagram_size, max(14,720, 2 × max_datagram_size)); zero: that default.
  ByteCount initial_window = 0;
  // Does the transport spread what it sends over the round trip? If not, slow start limits its bursts.
  bool is_paced = true;
  // Only fixed-window reads this; zero: 32 packets.
  ByteCount fixed_window = 0;
  // Only fixed-rate reads this; zero: 10 Mbit/s.
  Rate fixed_rate{};
  // Where a controller's chance comes from: equal seeds, equal decisions.
  std::uint64_t seed = 0;
};
// Bytes; never less than two packets.
ByteCount initial_window(const Config& config);

// What the transport may ask once about a controller's nature.
struct Traits {
  std::string_view name;
  // Packets; the transport never lets the window fall below this, nor below two.
  std::uint32_t least_window_packets = kLeastWindowPackets;
  // Historic and model-based controllers want the packets of every loss batch.
  bool wants_lost_packets = false;
  // Is the pacing rate set by the controller, or derived from window and smoothed RTT by the transport?
  bool sets_pacing_rate = false;
  // In a recovery episode the transport meters what leaves by Proportional Rate Reduction (RFC 9937), with
  // the window after the cut as its target. Without it only the window bounds what leaves.
  bool wants_prr = false;
  // Delay- and model-based controllers: the window may fall without a loss or a mark, and come back by more
  // than was acknowledged. The laboratory does not hold it to the laws of a window that follows losses.
  bool follows_a_model = false;
  // The controller reports its own State; otherwise the transport reports recovery while in an episode.
  bool owns_recovery_state = false;
};

// The same nature under another name.
constexpr Traits renamed(Traits traits, std::string_view name) {
  traits.name = name;
  return traits;
}

class Controller {
 public:
  virtual ~Controller() = default;

  virtual const Traits& traits() const = 0;

  virtual void on_sent(const SentEvent& /*event*/, TimePoint /*now*/) {}
  virtual void on_ack(const AckEvent& event, TimePoint now) = 0;
  // Every batch of lost packets, also inside an episode, before on_congestion.
  virtual void on_packets_lost(const LossEvent& /*event*/, TimePoint /*now*/) {}
  virtual void on_congestion(const CongestionEvent& event, TimePoint now) = 0;
  // The ACK that ended the episode; called before that ACK's on_ack. `growth_clock` as in AckEvent.
  virtual void on_recovery_exit(Duration /*growth_clock*/, TimePoint /*now*/) {}
  virtual void on_spurious(std::uint64_t /*episode*/, TimePoint /*now*/) {}
  virtual void on_idle_restart(Duration /*gap*/, TimePoint /*now*/) {}
  virtual void on_mtu(ByteCount /*old_size*/, ByteCount new_size, TimePoint now) = 0;
  virtual void on_path_reset(TimePoint now) = 0;

  virtual ByteCount cwnd() const = 0;
  // Nothing: not set yet (infinite).
  virtual std::optional<ByteCount> ssthresh() const = 0;
  // Nothing: the transport derives it (see Traits).
  virtual std::optional<Rate> pacing_rate() const { return std::nullopt; }
  // The most that should leave in one burst, bytes; nothing: the pacer's own bound. The transport always
  // allows 10 packets (RFC 9002 §7.7), and never more than its own bound for the rate.
  virtual std::optional<ByteCount> send_quantum() const { return std::nullopt; }
  virtual State state() const = 0;
};

using ControllerPtr = std::unique_ptr<Controller>;

}  // namespace quell::cc
