// Can a packet's payload break the frame reader, or say something else once rewritten?
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "quell/base/check.h"
#include "quell/wire/frame_reader.h"
#include "quell/wire/frame_writer.h"

namespace quell {
namespace {

using Buffer = std::vector<std::uint8_t>;

std::vector<Range> ascending_ranges(const AckFrame& ack) {
  std::vector<Range> ranges;
  AckRanges walk{ack};
  while (const auto interval = walk.next()) {
    QUELL_CHECK(interval->smallest <= interval->largest);
    QUELL_CHECK(ranges.empty() || interval->largest + 1 < ranges.back().first);
    ranges.push_back({interval->smallest, interval->largest + 1});
  }
  QUELL_CHECK(ranges.size() == ack.range_count + 1);
  std::reverse(ranges.begin(), ranges.end());
  return ranges;
}

// `room` is enough: the shortest encoding of what was read.
Buffer written_ack(const AckFrame& ack, std::size_t room) {
  RangeSet set;
  for (const Range& range : ascending_ranges(ack)) set.add(range.first, range.end);
  Buffer buffer(room);
  Writer writer{buffer};
  QUELL_CHECK(write_ack(writer, set, ack.raw_delay, ack.ecn ? &*ack.ecn : nullptr, room, set.range_count()));
  buffer.resize(writer.position());
  return buffer;
}

Buffer written(const Frame& frame, std::size_t room) {
  if (const auto* ack = std::get_if<AckFrame>(&frame)) return written_ack(*ack, room);
  Buffer buffer(frame_size(frame));
  Writer writer{buffer};
  write_frame(writer, frame);
  QUELL_CHECK(writer.remaining() == 0);
  return buffer;
}

void check_rewritten(const Frame& frame, std::size_t read_size, PacketType packet) {
  const Buffer first = written(frame, read_size);
  Reader reader{first};
  const Result<Frame> again = read_frame(reader, packet);
  QUELL_CHECK(again.has_value());
  QUELL_CHECK(reader.empty());
  QUELL_CHECK(again->index() == frame.index());
  const Buffer second = written(*again, first.size());
  QUELL_CHECK(first == second);
}

void check_error(const Error& error) {
  const bool is_named =
      error.code == TransportError::frame_encoding_error || error.code == TransportError::protocol_violation;
  QUELL_CHECK(is_named);
  QUELL_CHECK(!error.reason.empty());
}

// The first byte chooses the packet type; the rest is the payload.
void run(Bytes input) {
  constexpr std::array kTypes{PacketType::initial, PacketType::zero_rtt, PacketType::handshake,
                              PacketType::one_rtt};
  if (input.empty()) return;
  const PacketType packet = kTypes[input[0] % kTypes.size()];
  Reader reader{input.subspan(1)};
  while (!reader.empty()) {
    const std::size_t start = reader.position();
    const Result<Frame> frame = read_frame(reader, packet);
    if (!frame) return check_error(frame.error());
    QUELL_CHECK(reader.position() > start);
    check_rewritten(*frame, reader.position() - start, packet);
  }
}

}  // namespace
}  // namespace quell

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  quell::run({data, size});
  return 0;
}
