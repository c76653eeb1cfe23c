#include "quell/lab/liar.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "quell/base/check.h"
#include "quell/base/reader.h"
#include "quell/base/writer.h"
#include "quell/wire/frame_reader.h"
#include "quell/wire/frame_writer.h"
#include "quell/wire/packet_header.h"
#include "quell/wire/packet_number.h"
#include "quell/wire/transport_parameters.h"

namespace quell::lab {
namespace {

constexpr std::string_view kLabel = "CLIENT_TRAFFIC_SECRET_0 ";
constexpr std::size_t kMaxAckSize = 512;
constexpr std::size_t kServerIdSize = 8;  // EndpointConfig's default

std::uint8_t from_hex(char digit) {
  return static_cast<std::uint8_t>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

RangeSet ranges_of(const AckFrame& ack) {
  RangeSet received;
  AckRanges ranges{ack};
  while (const auto range = ranges.next()) received.add(range->smallest, range->largest + 1);
  return received;
}

}  // namespace

void ConfidedSecret::on_secret(std::string_view line) {
  if (!line.starts_with(kLabel)) return;
  const std::string_view hex = line.substr(line.rfind(' ') + 1);
  Secret secret;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    secret.push_back(static_cast<std::uint8_t>(from_hex(hex[i]) << 4 | from_hex(hex[i + 1])));
  }
  secret_ = std::move(secret);
}

void Liar::drain(const Emit& emit, TimePoint now) {
  honest_.drain(
      [&](Bytes datagram, const sim::Envelope& envelope) {
        emit(is_lying(datagram, now) ? falsify(datagram) : datagram, envelope);
      },
      now);
}

// Only datagrams of a single 1-RTT packet: what is coalesced belongs to the handshake.
bool Liar::is_lying(Bytes datagram, TimePoint now) {
  if ((datagram[0] & 0x80) != 0 || !confided_->secret()) return false;
  if (!first_one_rtt_at_) first_one_rtt_at_ = now;
  return now - *first_one_rtt_at_ >= lies_.after;
}

Bytes Liar::falsify(Bytes datagram) {
  if (!keys_) {
    keys_.emplace(Keys{PacketKey{AeadKind::aes_128_gcm, *confided_->secret()},
                       HeaderKey{AeadKind::aes_128_gcm, *confided_->secret()}});
  }
  std::vector<std::uint8_t> opened(datagram.begin(), datagram.end());
  const std::size_t number_offset = 1 + kServerIdSize;
  const auto unprotected = keys_->header.unprotect(opened, number_offset);
  QUELL_CHECK(unprotected.has_value());
  const PacketNumber number =
      decode_packet_number(unprotected->truncated_number, unprotected->number_size, largest_sent_);
  const std::size_t header_size = number_offset + unprotected->number_size;
  // A run is too short for a key update (RFC 9001 §6.6).
  QUELL_CHECK(keys_->packet.open(number, opened, header_size));
  largest_sent_ = number;

  packet_.assign(opened.begin(), opened.begin() + static_cast<std::ptrdiff_t>(header_size));
  const Bytes payload = Bytes{opened}.subspan(header_size, opened.size() - header_size - kAeadTagSize);
  has_lied_ = false;
  if (!rewrite(payload, packet_)) return datagram;
  if (has_lied_ && !first_lie_) first_lie_ = number;
  packet_.resize(packet_.size() + kAeadTagSize);
  keys_->packet.seal(number, packet_, header_size);
  keys_->header.protect(packet_, number_offset, unprotected->number_size);
  return packet_;
}

// False when the payload holds no ACK. Other frames are copied as they are.
bool Liar::rewrite(Bytes payload, std::vector<std::uint8_t>& out) {
  bool has_ack = false;
  Reader in{payload};
  while (!in.empty()) {
    const std::size_t begin = in.position();
    const auto frame = read_frame(in, PacketType::one_rtt);
    QUELL_CHECK(frame.has_value());
    if (const auto* ack = std::get_if<AckFrame>(&*frame)) {
      has_ack = true;
      write_false_ack(*ack, out);
    } else {
      const Bytes as_it_was = payload.subspan(begin, in.position() - begin);
      out.insert(out.end(), as_it_was.begin(), as_it_was.end());
    }
  }
  return has_ack;
}

void Liar::write_false_ack(const AckFrame& ack, std::vector<std::uint8_t>& out) {
  RangeSet claimed = ranges_of(ack);
  if (lies_.fills_gaps && claimed.range_count() > 1) {
    claimed.add(claimed.lowest(), ack.largest + 1);
    has_lied_ = true;
  }
  if (lies_.beyond > 0 && !has_overstated_) {
    claimed.add(ack.largest, ack.largest + 1 + lies_.beyond);
    has_overstated_ = true;
    has_lied_ = true;
  }
  std::uint64_t raw_delay = ack.raw_delay;
  if (lies_.ack_delay) {
    const auto delay_us = std::chrono::duration_cast<microseconds>(*lies_.ack_delay).count();
    raw_delay = static_cast<std::uint64_t>(delay_us) >> TransportParameters{}.ack_delay_exponent;
  }
  std::array<std::uint8_t, kMaxAckSize> buffer{};
  Writer writer{buffer};
  const EcnCounts* ecn = ack.ecn ? &*ack.ecn : nullptr;
  QUELL_CHECK(write_ack(writer, claimed, raw_delay, ecn, buffer.size(), claimed.range_count()));
  const Bytes written = writer.written();
  out.insert(out.end(), written.begin(), written.end());
}

}  // namespace quell::lab
