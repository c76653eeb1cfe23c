// How does one packet come to be: header, frames, padding, seal?
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "quell/connection/frame_sink.h"
#include "quell/crypto/packet_protection.h"
#include "quell/wire/packet_header.h"

namespace quell {

// Lays a packet into `room`, its tag's place kept free. Nothing is encrypted before `seal`, so a packet may
// be given up.
class PacketBuilder {
 public:
  // Header and tag and the least payload.
  static std::size_t least_size(const HeaderFields& fields) {
    return header_size(fields) + kLeastPayload + kAeadTagSize;
  }

  // `room` holds at least least_size() bytes.
  PacketBuilder(MutableBytes room, const HeaderFields& fields, std::vector<SentFrame>& notes)
      : room_(room), fields_(fields), header_(lay_header()), sink_(payload_room(), notes) {}

  FrameSink& sink() { return sink_; }
  const HeaderFields& fields() const { return fields_; }
  bool is_empty() const { return sink_.size() == 0; }
  bool is_padded() const { return padded_; }
  // Of the whole packet, tag included, as it would be sealed now.
  std::size_t size() const {
    return header_.payload_offset + std::max(sink_.size(), kLeastPayload) + kAeadTagSize;
  }
  Bytes payload() const { return Bytes{room_}.subspan(header_.payload_offset, sink_.size()); }
  // Adds PADDING frames so that the packet grows by `count` bytes, as far as there is room.
  void pad(std::size_t count);
  // The finished packet's bytes.
  MutableBytes seal(PacketKey& key, HeaderKey& header_key);

 private:
  // RFC 9001 §5.4.2: the sample begins four bytes behind the packet number's start; with a number of one byte
  // three of payload are needed. (The tag fills the sample itself.)
  static constexpr std::size_t kLeastPayload = 4;

  WrittenHeader lay_header() {
    Writer out{room_};
    return write_header(out, fields_);
  }
  MutableBytes payload_room() const {
    return room_.subspan(header_.payload_offset, room_.size() - header_.payload_offset - kAeadTagSize);
  }

  MutableBytes room_;
  HeaderFields fields_;
  WrittenHeader header_;
  FrameSink sink_;
  bool padded_ = false;
};

}  // namespace quell
