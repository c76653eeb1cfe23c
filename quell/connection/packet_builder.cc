#include "quell/connection/packet_builder.h"

#include <algorithm>

namespace quell {

void PacketBuilder::pad(std::size_t count) {
  const std::size_t padding = std::min(count, sink_.room());
  sink_.writer().fill(0, padding);
  padded_ |= padding > 0;
}

MutableBytes PacketBuilder::seal(PacketKey& key, HeaderKey& header_key) {
  if (sink_.size() < kLeastPayload) sink_.writer().fill(0, kLeastPayload - sink_.size());
  const MutableBytes packet = room_.first(size());
  if (fields_.type != PacketType::one_rtt) patch_length(packet, header_);
  key.seal(fields_.packet_number, packet, header_.payload_offset);
  header_key.protect(packet, header_.packet_number_offset, fields_.packet_number_size);
  return packet;
}

}  // namespace quell
