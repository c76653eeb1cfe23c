#include "quell/path/loss.h"

#include <utility>

namespace quell::path {

LossModel::LossModel(const LossPhase& phase, Rng rng)
    : probability_(phase.probability), bursts_(phase.bursts), rng_(rng) {}

bool LossModel::is_lost() {
  return bursts_ ? is_lost_in_bursts(*bursts_) : rng_.chance(probability_);
}

bool LossModel::is_lost_in_bursts(const GilbertElliott& model) {
  const bool lost = rng_.chance(is_bad_ ? model.loss_in_bad : model.loss_in_good);
  if (rng_.chance(is_bad_ ? model.bad_to_good : model.good_to_bad)) is_bad_ = !is_bad_;
  return lost;
}

}  // namespace quell::path
