// Can datagrams from the network break a server, or make it keep or send more than it may? The input is a
// story: a list of records, each with a head of four bytes (kind, time, size) and its content.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "quell/base/check.h"
#include "quell/base/reader.h"
#include "quell/base/writer.h"
#include "quell/connection/endpoint.h"
#include "quell/crypto/keys.h"
#include "quell/crypto/packet_protection.h"
#include "quell/wire/packet_header.h"

namespace quell {
namespace {

using Buffer = std::vector<std::uint8_t>;

// What a record's content is.
enum class Kind : std::uint8_t {
  datagram,        // as it is
  initial,         // frames; they are padded and sealed with the keys of the connection's first Initial
  initial_header,  // the same, with the first content byte in place of the header's lower bits
  from_elsewhere,  // a datagram from another address
  new_connection,  // frames of a connection's first Initial, under another destination ID
};
constexpr std::uint8_t kKinds = 5;

// Made once: with it a handshake could go on, if a fuzzer could speak TLS.
CredentialsPtr credentials() {
  static const CredentialsPtr made = [] {
    const PemPair pair = make_throwaway_certificate(KeyAlgorithm::ed25519);
    return *server_credentials_from_pem(pair.certificate, pair.key);
  }();
  return made;
}

EndpointConfig config() {
  EndpointConfig made;
  made.server.alpn = {"test"};
  made.server_credentials = credentials();
  made.max_connections = 8;
  made.seed = 1;
  return made;
}

class Story {
 public:
  void run(Bytes input) {
    Reader reader{input};
    while (reader.remaining() >= 4) {
      const auto kind = static_cast<Kind>(reader.u8() % kKinds);
      now_ += time_of(reader.u8());
      const std::size_t size = reader.u16();
      tell(kind, reader.bytes(std::min(size, reader.remaining())));
      settle();
    }
    finish();
  }

 private:
  // From nothing to more than every timeout, most of them short.
  static Duration time_of(std::uint8_t step) { return microseconds{(std::int64_t{1} << step % 27) - 1}; }

  void tell(Kind kind, Bytes content) {
    switch (kind) {
      case Kind::datagram:
        return receive({content.begin(), content.end()}, kClient);
      case Kind::from_elsewhere:
        return receive({content.begin(), content.end()}, kElsewhere);
      case Kind::initial:
        return receive(sealed(content, 0), kClient);
      case Kind::initial_header: {
        const std::uint8_t bits = content.empty() ? std::uint8_t{0} : content[0];
        return receive(sealed(content.subspan(content.empty() ? 0 : 1), bits & 0x0f), kClient);
      }
      case Kind::new_connection:
        ++destination_[0];
        next_number_ = 0;
        return receive(sealed(content, 0), kClient);
    }
  }

  // An Initial that the server believes to be the client's.
  Buffer sealed(Bytes frames, std::uint8_t header_bits) {
    const ConnectionId destination{destination_};
    const HeaderFields fields{.type = PacketType::initial,
                              .destination = destination,
                              .source = ConnectionId{kSource},
                              .packet_number = next_number_++,
                              .packet_number_size = 4};
    constexpr std::size_t kMostFrames = 8000;  // the length field has two bytes
    frames = frames.first(std::min(frames.size(), kMostFrames));
    Buffer bytes(std::max(header_size(fields) + frames.size() + kAeadTagSize, kMinInitialDatagram));
    Writer out{bytes};
    const WrittenHeader header = write_header(out, fields);
    out.bytes(frames);
    patch_length(bytes, header);
    bytes[0] = static_cast<std::uint8_t>(bytes[0] ^ header_bits);
    const Secret secret = initial_secrets(destination).client;
    PacketKey{AeadKind::aes_128_gcm, secret}.seal(fields.packet_number, bytes, header.payload_offset);
    HeaderKey{AeadKind::aes_128_gcm, secret}.protect(bytes, header.packet_number_offset, 4);
    return bytes;
  }

  void receive(Buffer datagram, const Address& from) {
    received_ += datagram.size();
    server_.handle_datagram({.bytes = datagram, .local = kServer, .remote = from}, now_);
  }

  // Nobody here ever proves an address, so that the threefold holds for all that is sent (RFC 9000 §8.1).
  void settle() {
    server_.handle_timeout(now_);
    while (const auto sent = server_.poll_transmit(room_, 16, now_)) {
      QUELL_CHECK(sent->size > 0);
      QUELL_CHECK(sent->size <= room_.size());
      QUELL_CHECK(sent->segment_size > 0);
      sent_ += sent->size;
    }
    while (server_.poll_event()) {
    }
    QUELL_CHECK(sent_ <= 3 * received_);
    QUELL_CHECK(server_.connection_count() <= config().max_connections);
  }

  // Without a peer every connection ends, and its timers with it.
  void finish() {
    for (int turn = 0; const auto next = server_.next_timeout(); ++turn) {
      QUELL_CHECK(turn < 10000);
      now_ = std::max(now_, *next);
      settle();
    }
    QUELL_CHECK(server_.connection_count() == 0);
  }

  static inline const Address kServer = *Address::parse("10.0.0.2:443");
  static inline const Address kClient = *Address::parse("10.0.0.1:1000");
  static inline const Address kElsewhere = *Address::parse("10.0.0.3:1000");
  static constexpr std::array<std::uint8_t, 4> kSource{'p', 'e', 'e', 'r'};

  Endpoint server_{config()};
  TimePoint now_{};
  std::array<std::uint8_t, 8> destination_{'d', 'e', 's', 't', 'i', 'n', 'e', 'd'};
  PacketNumber next_number_ = 0;
  ByteCount received_ = 0;
  ByteCount sent_ = 0;
  Buffer room_ = Buffer(65536);
};

}  // namespace
}  // namespace quell

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  quell::Story{}.run({data, size});
  return 0;
}
