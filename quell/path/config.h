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
constexpr Way opposite(Way way) {
  return way == Way::up ? Way::down : Way::up;
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

// A stretch of time; nothing for `lasts`: until the end.
struct Phase {
  Trigger from{};
  std::optional<Duration> lasts{};
  bool operator==(const Phase&) const = default;
};

// From `at` (counted from the beginning of the run) on.
struct RateStep {
  Duration at{0};
  Rate rate;  // zero: nothing leaves meanwhile
  bool operator==(const RateStep&) const = default;
};
struct RateTrace {
  std::vector<RateStep> steps;    // ascending, the first at 0; the last rate is positive unless it repeats
  std::optional<Duration> every;  // starts again after this long, which is longer than the last `at`
  bool operator==(const RateTrace&) const = default;
};
struct DelayStep {
  Duration at{0};
  Duration extra{0};  // beyond LinkConfig::delay, one way; replaces the step before
  bool operator==(const DelayStep&) const = default;
};

// CoDel (RFC 8289 §4.2, §4.3).
struct CodelConfig {
  Duration target = milliseconds{5};
  Duration interval = milliseconds{100};
  bool marks = true;  // ECT packets are marked instead of dropped (RFC 8290 §5.4)
  bool operator==(const CodelConfig&) const = default;
};

// DualPI2 (RFC 9332 appendix A, with its defaults). Needs a rate that is not unlimited.
struct DualPi2Config {
  Duration target = milliseconds{15};      // delay that the classic queue is held at
  Duration rtt_max = milliseconds{100};    // what the gains are made for
  double coupling = 2;                     // k: the low-latency queue is marked k times as much as p'
  Duration ramp_from = microseconds{800};  // below this delay the low-latency queue marks nothing …
  Duration ramp_over = microseconds{400};  // … and everything when it is this much longer
  double classic_share = 1.0 / 16;         // of the link, at least, while both queues hold packets
  bool operator==(const DualPi2Config&) const = default;
};

enum class QueueKind : std::uint8_t { drop_tail, codel, dual_pi2 };

struct LinkConfig {
  Duration delay{0};                 // one way, not counting queue and serialisation
  Rate rate = Rate::unlimited();     // positive
  ByteCount queue_bytes = 1U << 20;  // what waits behind the packet in transmission; more is dropped
  Duration jitter{0};                // up to this much more delay, uniform
  bool jitter_reorders = false;      // false: packets stay in order, and a late one holds up those behind it
  RateTrace rates{};                 // when it has steps: in place of `rate`
  std::vector<DelayStep> delay_steps{};
  QueueKind queue = QueueKind::drop_tail;
  CodelConfig codel{};
  DualPi2Config dual_pi2{};
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

// What a box on the path does to the ECN bits.
enum class EcnAction : std::uint8_t {
  bleach,      // ECT and CE become Not-ECT
  black_hole,  // what is marked is dropped
  mark         // ECT becomes CE
};
struct EcnPhase {
  Phase when;
  EcnAction action = EcnAction::bleach;
  double probability = 1;              // of each packet that is marked
  std::optional<std::uint32_t> times;  // of that many only
  bool operator==(const EcnPhase&) const = default;
};

// A token bucket without a queue: what finds too few tokens is dropped.
struct PolicerConfig {
  Phase when;
  Rate rate;
  ByteCount depth = 0;  // bytes; full at the beginning
  bool operator==(const PolicerConfig&) const = default;
};

// Chosen packets are held back so that later ones overtake them.
struct ReorderPhase {
  Phase when;
  double probability = 0;        // of each packet …
  std::uint32_t every_nth = 0;   // … or of every n-th, when not 0
  ByteCount least_size = 0;      // smaller ones are neither chosen nor counted
  std::uint32_t by_packets = 0;  // until so many have overtaken it …
  Duration by_time{0};           // … or for so long; with `by_packets`: at most so long
  bool operator==(const ReorderPhase&) const = default;
};

// The packet is followed by its copy.
struct DuplicatePhase {
  Phase when;
  double probability = 0;
  bool operator==(const DuplicatePhase&) const = default;
};

// Some bits are flipped; the receiver gets the damaged bytes.
struct CorruptPhase {
  Phase when;
  double probability = 0;
  std::uint32_t bits = 1;
  bool operator==(const CorruptPhase&) const = default;
};

// Larger datagrams vanish without a word.
struct MtuPhase {
  Phase when;
  ByteCount largest = 0;  // UDP payload
  bool operator==(const MtuPhase&) const = default;
};

struct DirectionConfig {
  LinkConfig link;
  std::vector<LossPhase> losses;
  std::vector<DropScript> drops;
  ThinScript thin;
  std::vector<EcnPhase> ecn;
  std::vector<PolicerConfig> policers;
  std::vector<ReorderPhase> reorders;
  std::vector<DuplicatePhase> duplicates;
  std::vector<CorruptPhase> corruptions;
  std::vector<MtuPhase> mtus;
  bool operator==(const DirectionConfig&) const = default;
};

struct PathConfig {
  DirectionConfig up;
  DirectionConfig down;
  // At each of these a NAT forgets the client's port and picks another; what is sent to the old one is lost.
  std::vector<Trigger> rebindings;
  bool operator==(const PathConfig&) const = default;
};

}  // namespace quell::path
