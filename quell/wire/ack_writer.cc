// How many ranges of what was received fit into an ACK frame? (RFC 9000 §19.3)
#include <algorithm>

#include "quell/base/check.h"
#include "quell/wire/frame_writer.h"

namespace quell {
namespace {

// The two fields of §19.3.1 for `range`, below `above`: gaps and lengths are counted from one.
struct EncodedRange {
  std::uint64_t gap;
  std::uint64_t length;
  EncodedRange(const Range& range, const Range& above)
      : gap(above.first - range.end - 1), length(range.size() - 1) {}
  std::size_t size() const { return varint_size(gap) + varint_size(length); }
};

std::size_t ecn_size(const EcnCounts* ecn) {
  return ecn == nullptr ? 0 : varint_size(ecn->ect0) + varint_size(ecn->ect1) + varint_size(ecn->ce);
}

// How many ranges below the highest fit, `size` being that of an ACK with none of them.
std::size_t count_fitting(const std::vector<Range>& ranges, std::size_t size, std::size_t max_size,
                          std::size_t max_count) {
  const std::size_t available = std::min(max_count, ranges.size() - 1);
  std::size_t count = 0;
  while (count < available) {
    const std::size_t i = ranges.size() - 2 - count;
    size += EncodedRange{ranges[i], ranges[i + 1]}.size();
    size += varint_size(count + 1) - varint_size(count);
    if (size > max_size) break;
    ++count;
  }
  return count;
}

}  // namespace

bool write_ack(Writer& out, const RangeSet& received, std::uint64_t raw_delay, const EcnCounts* ecn,
               std::size_t max_size, std::size_t max_ranges) {
  QUELL_CHECK(!received.empty());
  QUELL_CHECK(max_ranges > 0);
  const std::vector<Range>& ranges = received.ranges();
  const std::uint64_t first_range = ranges.back().size() - 1;
  const std::size_t least = 1 + varint_size(received.highest()) + varint_size(raw_delay) + varint_size(0) +
                            varint_size(first_range) + ecn_size(ecn);
  max_size = std::min(max_size, out.remaining());
  if (least > max_size) return false;

  const std::size_t count = count_fitting(ranges, least, max_size, max_ranges - 1);
  out.u8(static_cast<std::uint8_t>(ecn == nullptr ? FrameType::ack : FrameType::ack_ecn));
  out.varint(received.highest());
  out.varint(raw_delay);
  out.varint(count);
  out.varint(first_range);
  for (std::size_t i = ranges.size() - 1; i > ranges.size() - 1 - count; --i) {
    const EncodedRange encoded{ranges[i - 1], ranges[i]};
    out.varint(encoded.gap);
    out.varint(encoded.length);
  }
  if (ecn != nullptr) {
    out.varint(ecn->ect0);
    out.varint(ecn->ect1);
    out.varint(ecn->ce);
  }
  return true;
}

}  // namespace quell
