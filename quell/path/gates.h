// What may a packet not pass on entry? Loss, scripts, filters and boxes of one direction, in front of its
// queue.
#pragma once

#include <vector>

#include "quell/base/rng.h"
#include "quell/path/corruption.h"
#include "quell/path/ecn_box.h"
#include "quell/path/loss.h"
#include "quell/path/packet.h"
#include "quell/path/policer.h"

namespace quell::path {

class Gates {
 public:
  Gates(const DirectionConfig& config, const Rng& rng);

  // `ecn` becomes what the packet goes on with. `delivered`: nothing stops it here.
  Fate pass(Bytes datagram, Ecn& ecn, const Phases& phases, TimePoint now);
  // True: another copy follows the packet.
  bool is_doubled(const Phases& phases, TimePoint now);
  void damage(MutableBytes bytes, const Phases& phases, TimePoint now);

  // When the last phase that ends has ended and the last script was done; nothing while one is to come.
  std::optional<TimePoint> trouble_ends_at(const Phases& phases) const;

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
  struct Doubling {
    DuplicatePhase phase;
    Rng rng;
  };

  bool is_lost_by_chance(const Phases& phases, TimePoint now);
  bool is_dropped_by_script(ByteCount size, const Phases& phases, TimePoint now);
  bool is_thinned(Bytes datagram);
  bool is_too_large(ByteCount size, const Phases& phases, TimePoint now) const;
  bool is_swallowed(Ecn& ecn, const Phases& phases, TimePoint now);
  bool is_policed(ByteCount size, const Phases& phases, TimePoint now);

  std::vector<Loss> losses_;
  std::vector<Drop> drops_;
  ThinScript thin_;
  std::uint64_t thin_count_ = 0;
  std::vector<EcnBox> ecn_boxes_;
  std::vector<Policer> policers_;
  std::vector<Doubling> doublings_;
  std::vector<Corruption> corruptions_;
  std::vector<MtuPhase> mtus_;
};

}  // namespace quell::path
