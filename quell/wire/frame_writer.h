// How is each frame laid out, and how much room does it need? (RFC 9000 §19)
#pragma once

#include <cstddef>

#include "quell/base/range_set.h"
#include "quell/base/writer.h"
#include "quell/wire/frame.h"

namespace quell {

// Exact encoded size of any frame but AckFrame, with a length field in STREAM frames.
std::size_t frame_size(const Frame& frame);
// Writes any frame but AckFrame; needs frame_size() bytes. STREAM frames carry their length.
void write_frame(Writer& out, const Frame& frame);

// STREAM frames, the hot path: header size with or without a length field for `data_size` bytes of data.
std::size_t stream_header_size(StreamId stream, ByteCount offset, std::size_t data_size, bool with_length);
// Writes the header only; the caller copies the data behind it.
void write_stream_header(Writer& out, StreamId stream, ByteCount offset, std::size_t data_size, bool fin,
                         bool with_length);
std::size_t crypto_header_size(ByteCount offset, std::size_t data_size);
void write_crypto_header(Writer& out, ByteCount offset, std::size_t data_size);

// Writes an ACK (ACK_ECN when `ecn` is given) of the highest ranges of `received` that fit into `max_size`
// bytes, highest first, at most `max_ranges`. Returns false, writing nothing, when not even the first range
// fits. `received` must not be empty. `raw_delay` is already scaled by our ack_delay_exponent.
bool write_ack(Writer& out, const RangeSet& received, std::uint64_t raw_delay, const EcnCounts* ecn,
               std::size_t max_size, std::size_t max_ranges);

}  // namespace quell
