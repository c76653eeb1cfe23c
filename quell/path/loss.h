// Is this packet lost by chance? Two models: each packet for itself, or in bursts.
#pragma once

#include "quell/base/rng.h"
#include "quell/path/config.h"

namespace quell::path {

// Draws once or twice per packet, whether or not it is lost, so that equal packet sequences meet equal fates.
class LossModel {
 public:
  LossModel(const LossPhase& phase, Rng rng);

  bool is_lost();

 private:
  bool is_lost_in_bursts(const GilbertElliott& model);

  double probability_;
  std::optional<GilbertElliott> bursts_;
  bool is_bad_ = false;
  Rng rng_;
};

}  // namespace quell::path
