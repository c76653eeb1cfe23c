#include "quell/lab/gates.h"

#include <variant>

#include "quell/base/reader.h"
#include "quell/wire/frame_reader.h"

namespace quell::lab {
namespace {

bool has_ack(const trace::Packet& packet) {
  Reader payload{packet.payload};
  while (!payload.empty()) {
    const auto frame = read_frame(payload, packet.type);
    if (!frame) return false;
    if (std::holds_alternative<AckFrame>(*frame)) return true;
  }
  return false;
}

}  // namespace

void Gates::on_sent(const trace::Packet& packet) {
  if (packet.is_pto_probe) owes_probe_ = false;
  if (packet.type == PacketType::one_rtt && owes_ack_since_ && has_ack(packet)) owes_ack_since_.reset();
}

void Gates::on_received(const trace::Packet& packet, bool is_ack_eliciting, TimePoint now) {
  if (packet.type == PacketType::one_rtt && is_ack_eliciting && !owes_ack_since_) owes_ack_since_ = now;
}

void Gates::on_pto_count(std::uint32_t count) {
  if (count > pto_count_) owes_probe_ = true;
  pto_count_ = count;
}

}  // namespace quell::lab
