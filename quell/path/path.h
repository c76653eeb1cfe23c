// What happens to this datagram? Joins the link, the loss phases and the scripted drops of both ways.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "quell/base/rng.h"
#include "quell/path/config.h"
#include "quell/path/link.h"
#include "quell/path/loss.h"

namespace quell::path {

enum class Fate : std::uint8_t { delivered, lost_by_chance, dropped_by_script, thinned, queue_full };
const char* to_string(Fate fate);

struct Passage {
  Fate fate = Fate::delivered;
  TimePoint arrives_at{};  // if delivered
};

// Pure: whoever owns time calls `send` with ascending times and delivers what comes back.
class Path {
 public:
  Path(const PathConfig& config, const Rng& rng, TimePoint start);

  Passage send(Way way, Bytes datagram, TimePoint now);

  // When a phase with this trigger begins; nothing while its event has not happened.
  std::optional<TimePoint> begins_at(const Trigger& trigger) const;
  // When the last loss phase that ends has ended and the last scripted drop was done; nothing while one of
  // them is still to come. A phase without an end does not count.
  std::optional<TimePoint> trouble_ends_at() const;

 private:
  struct Loss {
    LossPhase phase;
    LossModel model;
  };
  struct Drop {
    DropScript script;
    std::uint32_t done = 0;
    TimePoint not_before{};
    TimePoint last_at{};
  };
  struct Direction {
    Link link;
    std::vector<Loss> losses;
    std::vector<Drop> drops;
    ThinScript thin;
    std::uint64_t thin_count = 0;
  };
  static Direction make_direction(const DirectionConfig& config, const Rng& rng);

  void watch(Way way, Bytes datagram, TimePoint now);
  bool is_open(const LossPhase& phase, TimePoint now) const;
  bool is_dropped_by_script(Direction& direction, ByteCount size, TimePoint now);
  bool is_lost_by_chance(Direction& direction, TimePoint now);
  static bool is_thinned(Direction& direction, Bytes datagram);

  TimePoint start_;
  std::array<std::optional<TimePoint>, 2> first_one_rtt_;  // by way
  std::array<Direction, 2> directions_;
};

// True if the datagram holds a 1-RTT packet, alone or behind coalesced long headers (RFC 9000 §12.2).
bool holds_one_rtt(Bytes datagram);

}  // namespace quell::path
