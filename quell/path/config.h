// What does a network do to packets? The description of a path that a scenario writes down.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quell/base/time.h"
#include "quell/base/units.h"

namespace quell::path {

// Seen from the client: `up` carries what it sends.
enum class Way : std::uint8_t { up, down };
inline constexpr std::array<Way, 2> kWays{Way::up, Way::down};
constexpr std::size_t index(Way way) {
  return static_cast<std::size_t>(way);
}
const char* to_string(Way way);

// What opens a phase. The packet events come with the first datagram of that kind, which the phase already
// covers.
enum class Opening : std::uint8_t {
  start,              // the beginning of the run
  first_one_rtt_up,   // the client's first 1-RTT packet, coalesced or not
  first_one_rtt_down  // the server's
};

struct Trigger {
  Opening opening = Opening::start;
  Duration after{0};  // the phase begins this much later
  bool operator==(const Trigger&) const = default;
};

struct LinkConfig {
  Duration delay{0};                 // one way, not counting queue and serialisation
  Rate rate = Rate::unlimited();     // positive
  ByteCount queue_bytes = 1U << 20;  // drop-tail; what waits behind the packet in transmission
  Duration jitter{0};                // up to this much more delay, uniform; packets stay in order
  bool operator==(const LinkConfig&) const = default;
};

// Loss in bursts: two states with a loss probability each, and the chances per packet of changing between
// them.
struct GilbertElliott {
  double good_to_bad = 0;
  double bad_to_good = 1;
  double loss_in_good = 0;
  double loss_in_bad = 1;
  bool operator==(const GilbertElliott&) const = default;
};

// A stretch of time in which packets are lost at random; nothing for `lasts`: until the end.
struct LossPhase {
  Trigger from;
  std::optional<Duration> lasts;
  double probability = 0;                // of each datagram, independent …
  std::optional<GilbertElliott> bursts;  // … or in bursts, which replaces `probability`
  std::string label;                     // for people; may be empty
  bool operator==(const LossPhase&) const = default;
};

// Drops chosen datagrams: from `from` on, `times` times, the next one of at least `least_size` bytes; then
// not again for `every`.
struct DropScript {
  Trigger from;
  Duration every{0};
  std::uint32_t times = 1;
  ByteCount least_size = 0;
  bool operator==(const DropScript&) const = default;
};

// Lets only every n-th small datagram through: thins a stream of ACKs. Datagrams with long headers and those
// above `at_most` bytes pass uncounted.
struct ThinScript {
  std::uint32_t keep_one_in = 1;
  ByteCount at_most = 100;
  bool operator==(const ThinScript&) const = default;
};

struct DirectionConfig {
  LinkConfig link;
  std::vector<LossPhase> losses;
  std::vector<DropScript> drops;
  ThinScript thin;
  bool operator==(const DirectionConfig&) const = default;
};

struct PathConfig {
  DirectionConfig up;
  DirectionConfig down;
  bool operator==(const PathConfig&) const = default;
};

}  // namespace quell::path
