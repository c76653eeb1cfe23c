#include "quell/path/ecn_box.h"

namespace quell::path {

std::optional<Ecn> EcnBox::pass(Ecn ecn, const Phases& phases, TimePoint now) {
  if (ecn == Ecn::not_ect || !phases.is_open(config_.when, now)) return ecn;
  // Marking what is marked already would not be seen, and must not use up `times`.
  if (config_.action == EcnAction::mark && ecn == Ecn::ce) return ecn;
  if (config_.times && done_ == *config_.times) return ecn;
  if (config_.probability < 1 && !rng_.chance(config_.probability)) return ecn;
  ++done_;
  last_at_ = now;
  if (config_.action == EcnAction::black_hole) return std::nullopt;
  return config_.action == EcnAction::bleach ? Ecn::not_ect : Ecn::ce;
}

}  // namespace quell::path
