// How do tests say what a correct peer never says? With the keys of a real connection, sealing any payload
// into packets that either side takes for the other's.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "quell/connection/pair_for_test.h"
#include "quell/crypto/keys.h"
#include "quell/crypto/packet_protection.h"
#include "quell/wire/frame_writer.h"
#include "quell/wire/packet_header.h"

namespace quell::test {

// Any frames but ACK, as a packet's payload.
inline std::vector<std::uint8_t> payload_of(std::initializer_list<Frame> frames) {
  std::size_t size = 0;
  for (const Frame& frame : frames) size += frame_size(frame);
  std::vector<std::uint8_t> payload(size);
  Writer out{payload};
  for (const Frame& frame : frames) write_frame(out, frame);
  return payload;
}

// A Pair whose client writes a key log, and a forger that reads it. The forged packet numbers are so high
// that no real packet has them.
class RawPeer {
 public:
  struct Packet {
    PacketType type = PacketType::one_rtt;
    std::vector<std::uint8_t> payload;
    std::uint8_t reserved_bits = 0;        // set in the first byte, below the header protection
    std::optional<ConnectionId> source{};  // another than the sender's own
    std::vector<std::uint8_t> token{};
    std::size_t datagram_size = 0;  // Initial packets are padded to it; zero: to 1200
  };

  explicit RawPeer(EndpointConfig server = {})
      : keylog_(fresh_keylog()), pair(config_with(keylog_), std::move(server)) {
    pair.fate = [this](Side from, std::vector<std::uint8_t>& datagram) {
      learn(from, datagram);
      return !lets_through || lets_through(from, datagram);
    };
  }

  // Dropped or not: like Pair::fate, which this class needs for itself.
  Pair::Fate lets_through;

 private:
  const std::string keylog_;  // before the pair that writes it

 public:
  Pair pair;

  std::vector<std::uint8_t> seal(Side from, const Packet& packet) {
    std::vector<std::uint8_t> payload = packet.payload;
    HeaderFields fields{.type = packet.type,
                        .destination = from == Side::client && packet.type == PacketType::initial
                                           ? original_destination_
                                           : source_[index_of(other(from))],
                        .source = packet.source.value_or(source_[index_of(from)]),
                        .token = packet.token,
                        .packet_number = next_number_++,
                        .packet_number_size = 4};
    const std::size_t least = packet.datagram_size != 0 ? packet.datagram_size : kMinInitialDatagram;
    const std::size_t around = header_size(fields) + kAeadTagSize;
    if (packet.type == PacketType::initial && around + payload.size() < least && !payload.empty()) {
      payload.resize(least - around);
    }
    std::vector<std::uint8_t> bytes(around + payload.size());
    Writer out{bytes};
    const WrittenHeader header = write_header(out, fields);
    out.bytes(payload);
    if (packet.type != PacketType::one_rtt) patch_length(bytes, header);
    bytes[0] |= packet.reserved_bits;
    const Secret secret = secret_of(from, packet.type);
    PacketKey{AeadKind::aes_128_gcm, secret}.seal(fields.packet_number, bytes, header.payload_offset);
    HeaderKey{AeadKind::aes_128_gcm, secret}.protect(bytes, header.packet_number_offset,
                                                     fields.packet_number_size);
    return bytes;
  }
  void send(Side from, const Packet& packet) { pair.inject(from, seal(from, packet)); }
  const ConnectionId& original_destination() const { return original_destination_; }
  const ConnectionId& source_of(Side side) const { return source_[index_of(side)]; }

 private:
  static std::size_t index_of(Side side) { return side == Side::client ? 0 : 1; }
  static ConnectionConfig config_with(std::string keylog) {
    ConnectionConfig config = echo_config();
    config.keylog_file = std::move(keylog);
    config.ciphers = {AeadKind::aes_128_gcm};
    return config;
  }
  static std::string fresh_keylog() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string{test->test_suite_name()} + test->name();
    std::ranges::replace(name, '/', '.');
    const std::string file = testing::TempDir() + name + ".keys";
    std::ofstream{file, std::ios::trunc};
    return file;
  }
  void learn(Side from, Bytes datagram) {
    const auto packet = parse_packet(datagram, 8);
    if (!packet || packet->type == PacketType::one_rtt) return;
    if (from == Side::client && original_destination_.empty()) original_destination_ = packet->destination;
    if (source_[index_of(from)].empty()) source_[index_of(from)] = packet->source;
  }
  Secret secret_of(Side from, PacketType type) const {
    if (type == PacketType::initial) {
      const InitialSecrets secrets = initial_secrets(original_destination_);
      return from == Side::client ? secrets.client : secrets.server;
    }
    const std::string label =
        std::string{from == Side::client ? "CLIENT_" : "SERVER_"} +
        (type == PacketType::handshake ? "HANDSHAKE_TRAFFIC_SECRET" : "TRAFFIC_SECRET_0");
    std::ifstream file{keylog_};
    for (std::string word, client_random, secret; file >> word >> client_random >> secret;) {
      if (word == label) return from_hex(secret);
    }
    ADD_FAILURE() << "no " << label << " in the key log";
    return Secret(32);
  }
  static Secret from_hex(const std::string& text) {
    Secret bytes;
    for (std::size_t at = 0; at + 1 < text.size(); at += 2) {
      bytes.push_back(static_cast<std::uint8_t>(std::stoul(text.substr(at, 2), nullptr, 16)));
    }
    return bytes;
  }

  ConnectionId original_destination_;
  std::array<ConnectionId, 2> source_;
  PacketNumber next_number_ = 100000;
};

}  // namespace quell::test
