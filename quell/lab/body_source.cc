#include "quell/lab/body_source.h"

#include <utility>
#include <vector>

namespace quell::lab {
namespace {

constexpr std::size_t kBlockSize = std::size_t{64} << 10;

}  // namespace

BodySource::BodySource(const LoadConfig& config)
    : config_(config),
      block_(Slice::adopt(std::vector<std::uint8_t>(kBlockSize, 'q'))),
      left_(config.bytes) {}

bool BodySource::is_silent(TimePoint now) const {
  if (!begun_at_ || config_.pause_for <= Duration{0}) return false;
  const TimePoint from = *begun_at_ + config_.pause_after;
  return now >= from && now < from + config_.pause_for;
}

std::optional<TimePoint> BodySource::silence_ends_at() const {
  if (!begun_at_ || config_.pause_for <= Duration{0}) return std::nullopt;
  return *begun_at_ + config_.pause_after + config_.pause_for;
}

Slice BodySource::take(std::size_t room) {
  const std::size_t size = std::min({room, block_.bytes.size(), static_cast<std::size_t>(left_)});
  left_ -= size;
  return Slice{block_.owner, block_.bytes.first(size)};
}

}  // namespace quell::lab
