#include "quell/connection/pmtud.h"

#include <algorithm>

namespace quell {
namespace {

// Choice: the last bytes are not worth three lost probes.
constexpr ByteCount kResolution = 20;

}  // namespace

void Pmtud::start(ByteCount size, ByteCount largest) {
  size_ = size;
  ceiling_ = largest;
  if (ceiling_ <= size_) return;
  // Choice: most paths take what the two ends take, so that is asked first.
  candidate_ = ceiling_;
}

std::optional<ByteCount> Pmtud::wanted() const {
  if (!is_searching() || is_under_way_) return std::nullopt;
  return candidate_;
}

void Pmtud::on_acked(ByteCount probed) {
  if (probed == candidate_) is_under_way_ = false;
  if (probed <= size_) return;
  size_ = probed;
  ceiling_ = std::max(ceiling_, size_);
  if (is_searching() && candidate_ <= size_) choose_next();
}

void Pmtud::on_lost(ByteCount probed) {
  if (probed != candidate_) return;
  is_under_way_ = false;
  if (++lost_ < kMaxProbes) return;
  ceiling_ = candidate_ - 1;
  choose_next();
}

void Pmtud::choose_next() {
  lost_ = 0;
  is_under_way_ = false;
  candidate_ = ceiling_ - size_ < kResolution ? 0 : size_ + (ceiling_ - size_ + 1) / 2;
}

}  // namespace quell
