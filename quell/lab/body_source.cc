#include "quell/lab/body_source.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace quell::lab {
namespace {

constexpr std::size_t kBlockSize = std::size_t{64} << 10;

}  // namespace

BodySource::BodySource(const LoadConfig& config)
    : config_(config),
      block_(Slice::adopt(std::vector<std::uint8_t>(kBlockSize, 'q'))),
      left_(config.bytes > 0 || config.lasts <= Duration{0} ? config.bytes
                                                            : std::numeric_limits<ByteCount>::max()) {}

bool BodySource::is_silent(TimePoint now) const {
  if (config_.pause_for <= Duration{0}) return false;
  const TimePoint from = *begun_at_ + config_.pause_after;
  return now >= from && now < from + config_.pause_for;
}

bool BodySource::is_over(TimePoint now) const {
  return begun_at_ && config_.lasts > Duration{0} && now >= *begun_at_ + config_.lasts;
}

bool BodySource::is_chunked(TimePoint now) const {
  if (config_.chunk == 0 || now < chunks_begin()) return false;
  return config_.chunks_for <= Duration{0} || now < chunks_end();
}

ByteCount BodySource::available(TimePoint now) const {
  if (!begun_at_ || is_silent(now) || is_over(now)) return 0;
  if (!is_chunked(now)) return left_;
  const auto chunks = static_cast<ByteCount>((now - chunks_begin()) / config_.every) + 1;
  return std::min(left_, chunks * config_.chunk - taken_of_chunks_);
}

Slice BodySource::take(std::size_t room, TimePoint now) {
  const std::size_t size = std::min({room, block_.bytes.size(), static_cast<std::size_t>(available(now))});
  left_ -= size;
  taken_ += size;
  if (is_chunked(now)) taken_of_chunks_ += size;
  return Slice{block_.owner, block_.bytes.first(size)};
}

std::optional<TimePoint> BodySource::changes_after(TimePoint t) const {
  if (!begun_at_) return std::nullopt;
  std::optional<TimePoint> next;
  const auto consider = [&](TimePoint at) {
    if (at > t) next = std::min(next.value_or(at), at);
  };
  if (config_.lasts > Duration{0}) consider(*begun_at_ + config_.lasts);
  if (is_finished()) return next;
  if (config_.pause_for > Duration{0}) consider(*begun_at_ + config_.pause_after + config_.pause_for);
  if (config_.chunk > 0) {
    consider(chunks_begin());
    if (config_.chunks_for > Duration{0}) consider(chunks_end());
    if (t >= chunks_begin()) {
      consider(chunks_begin() + config_.every * ((t - chunks_begin()) / config_.every + 1));
    }
  }
  return next;
}

}  // namespace quell::lab
