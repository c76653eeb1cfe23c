// What does an endpoint make of datagrams that belong to no connection? (RFC 9000 §5.2, §6, §8.1, §14.1)
#include <gtest/gtest.h>

#include <array>

#include "quell/base/reader.h"
#include "quell/connection/pair_for_test.h"
#include "quell/crypto/keys.h"
#include "quell/crypto/packet_protection.h"
#include "quell/wire/packet_header.h"

namespace quell {
namespace {

using test::Pair;
using ByteVector = std::vector<std::uint8_t>;

constexpr std::array<std::uint8_t, 20> kName{9, 8, 7, 6, 5, 4, 3, 2, 1};

ConnectionId named(std::size_t size) {
  return ConnectionId{Bytes{kName}.first(size)};
}

// An authentic Initial with a PING and padding, as long as it is told.
ByteVector initial(const ConnectionId& destination, std::size_t size) {
  const HeaderFields fields{.type = PacketType::initial, .destination = destination, .source = named(8)};
  ByteVector bytes(size);
  Writer out{bytes};
  const WrittenHeader header = write_header(out, fields);
  out.u8(0x01);
  patch_length(bytes, header);
  const Secret secret = initial_secrets(destination).client;
  PacketKey{AeadKind::aes_128_gcm, secret}.seal(0, bytes, header.payload_offset);
  HeaderKey{AeadKind::aes_128_gcm, secret}.protect(bytes, header.packet_number_offset, 1);
  return bytes;
}
ByteVector of_version(std::uint32_t version, std::size_t id_size, std::size_t size) {
  ByteVector bytes(size);
  Writer out{bytes};
  out.u8(0xc0);
  out.u32(version);
  for (std::uint8_t fill : std::array<std::uint8_t, 2>{0xd1, 0x51}) {  // destination, source
    out.u8(static_cast<std::uint8_t>(id_size));
    out.fill(fill, id_size);
  }
  return bytes;
}

// A server, and what it answers.
class ServerAlone : public testing::Test {
 protected:
  explicit ServerAlone(EndpointConfig config = {}) : server(with_defaults(std::move(config))) {}
  static EndpointConfig with_defaults(EndpointConfig config) {
    config.server = test::echo_config();
    config.server_credentials = test::server_credentials();
    config.seed = 3;
    return config;
  }
  std::vector<ByteVector> answers_to(ByteVector datagram, const Address& from = Pair::kClient) {
    server.handle_datagram({.bytes = datagram, .local = Pair::kServer, .remote = from}, now);
    while (server.poll_event()) {
    }
    std::vector<ByteVector> answers;
    ByteVector buffer(65536);
    while (const auto sent = server.poll_transmit(buffer, 1, now)) {
      EXPECT_EQ(sent->remote, from);
      answers.emplace_back(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(sent->size));
    }
    return answers;
  }

  Endpoint server;
  TimePoint now{};
};

TEST_F(ServerAlone, AcceptsAnInitialOf1200BytesAndNoneBelow) {
  EXPECT_TRUE(answers_to(initial(named(8), 1199)).empty());
  EXPECT_EQ(server.connection_count(), 0U);
  EXPECT_FALSE(answers_to(initial(named(8), 1200)).empty());
  EXPECT_EQ(server.connection_count(), 1U);
}

TEST_F(ServerAlone, AcceptsADestinationOfEightBytesAndNoneBelow) {
  for (std::size_t size = 0; size < 8; ++size) {
    EXPECT_TRUE(answers_to(initial(named(size), 1200)).empty()) << size;
    EXPECT_EQ(server.connection_count(), 0U) << size;
  }
  for (std::size_t size = 8; size <= 20; ++size) {
    EXPECT_FALSE(answers_to(initial(named(size), 1200)).empty()) << size;
    EXPECT_EQ(server.connection_count(), size - 7) << size;
  }
}

TEST_F(ServerAlone, AnswersOtherVersionsWithItsOwn) {
  for (std::size_t id_size : {0U, 8U, 20U, 21U, 255U}) {
    EXPECT_TRUE(answers_to(of_version(0x1a2a3a4a, id_size, 1199)).empty()) << id_size;
    const auto answers = answers_to(of_version(0x1a2a3a4a, id_size, 1200));
    ASSERT_EQ(answers.size(), 1U) << id_size;
    const auto header = parse_invariant(answers[0]);
    ASSERT_TRUE(header);
    EXPECT_EQ(header->version, 0U);
    EXPECT_EQ(ByteVector(header->destination.begin(), header->destination.end()), ByteVector(id_size, 0x51));
    EXPECT_EQ(ByteVector(header->source.begin(), header->source.end()), ByteVector(id_size, 0xd1));
    Reader versions{Bytes{answers[0]}.subspan(7 + 2 * id_size)};
    bool has_ours = false;
    while (versions.remaining() >= 4) has_ours |= versions.u32() == kVersion1;
    EXPECT_TRUE(has_ours);
    EXPECT_TRUE(versions.empty());
  }
  EXPECT_EQ(server.connection_count(), 0U);
}

TEST_F(ServerAlone, NeverAnswersAVersionNegotiation) {
  EXPECT_TRUE(answers_to(of_version(0, 8, 1200)).empty());
}

TEST_F(ServerAlone, NoiseOfAnySizeLeavesNoConnectionAndIsAnsweredByLess) {
  Rng rng{5};
  for (std::size_t size = 0; size <= 1500; ++size) {
    ByteVector noise(size);
    for (auto& byte : noise) byte = static_cast<std::uint8_t>(rng.next());
    for (std::uint8_t first : std::array<std::uint8_t, 4>{0x00, 0x40, 0x80, 0xc0}) {
      if (size > 0) noise[0] = static_cast<std::uint8_t>((noise[0] & 0x3f) | first);
      // Half of them look like a version 1 Initial with an ID of eight bytes.
      if (size > 6 && size % 2 == 0) {
        std::copy_n(std::array<std::uint8_t, 5>{0, 0, 0, 1, 8}.begin(), 5, noise.begin() + 1);
      }
      std::size_t answered = 0;
      for (const auto& answer : answers_to(noise)) answered += answer.size();
      EXPECT_LT(answered, std::max<std::size_t>(size, 1));
    }
  }
  EXPECT_EQ(server.connection_count(), 0U);
}

TEST_F(ServerAlone, RefusesMoreConnectionsThanItTakes) {
  EndpointConfig config;
  config.max_connections = 1;
  Pair pair(test::echo_config(), config);
  ASSERT_TRUE(pair.handshake());
  pair.connect();
  ASSERT_TRUE(pair.run_until([&] { return pair.saw<ConnectionEnded>(Side::client); }, seconds{1}));
  const auto* ended = pair.last<ConnectionEnded>(Side::client);
  EXPECT_EQ(ended->cause, ConnectionEnded::Cause::peer_close);
  EXPECT_EQ(ended->error_code, static_cast<std::uint64_t>(TransportError::connection_refused));
  EXPECT_EQ(pair.server->connection_count(), 1U);
}

class RetryTokens : public ServerAlone {
 protected:
  RetryTokens()
      : ServerAlone([] {
          EndpointConfig config;
          config.require_retry = true;
          config.retry_token_lifetime = seconds{10};
          return config;
        }()) {
    client.connect(Pair::kClient, Pair::kServer, "localhost", test::client_credentials(), test::echo_config(),
                   now);
    const auto retry = answers_to(from_client());
    EXPECT_EQ(retry.size(), 1U);
    to_client(retry.at(0));
    with_token = from_client();
  }
  ByteVector from_client() {
    ByteVector buffer(1452);
    const auto sent = client.poll_transmit(buffer, 1, now);
    EXPECT_TRUE(sent);
    buffer.resize(sent ? sent->size : 0);
    return buffer;
  }
  void to_client(ByteVector datagram) {
    client.handle_datagram({.bytes = datagram, .local = Pair::kClient, .remote = Pair::kServer}, now);
  }
  // The code that the client hears.
  std::optional<std::uint64_t> refusal(const std::vector<ByteVector>& answers) {
    for (const auto& answer : answers) to_client(answer);
    while (const auto event = client.poll_event()) {
      if (const auto* ended = std::get_if<ConnectionEnded>(&event->what)) return ended->error_code;
    }
    return std::nullopt;
  }

  static constexpr auto kInvalidToken = static_cast<std::uint64_t>(TransportError::invalid_token);
  static EndpointConfig seeded() {
    EndpointConfig config;
    config.seed = 4;
    return config;
  }
  Endpoint client{seeded()};
  ByteVector with_token;
};

TEST_F(RetryTokens, AreTakenFromTheAddressTheyWereGivenTo) {
  EXPECT_EQ(server.connection_count(), 0U);
  EXPECT_EQ(refusal(answers_to(with_token)), std::nullopt);
  EXPECT_EQ(server.connection_count(), 1U);
}

TEST_F(RetryTokens, AreRefusedFromAnotherAddress) {
  EXPECT_EQ(refusal(answers_to(with_token, *Address::parse("10.0.0.1:1001"))), kInvalidToken);
  EXPECT_EQ(server.connection_count(), 0U);
}

TEST_F(RetryTokens, AreRefusedWhenTheyAreTooOld) {
  now += seconds{10} + milliseconds{1};
  EXPECT_EQ(refusal(answers_to(with_token)), kInvalidToken);
  EXPECT_EQ(server.connection_count(), 0U);
}

TEST_F(RetryTokens, AreRefusedWhenOneBitDiffers) {
  const auto packet = parse_packet(with_token, 8);
  ASSERT_TRUE(packet);
  with_token[static_cast<std::size_t>(packet->token.data() - with_token.data()) + 20] ^= 1;
  EXPECT_EQ(refusal(answers_to(with_token)), kInvalidToken);
  EXPECT_EQ(server.connection_count(), 0U);
}

// The ID that the Retry chose leads to the connection as long as there is one, and is then forgotten.
TEST_F(RetryTokens, LeaveNoRouteBehind) {
  const ConnectionId retry_source = parse_packet(with_token, 8)->destination;
  answers_to(with_token);
  ASSERT_EQ(server.connection_count(), 1U);
  now += seconds{60};
  server.handle_timeout(now);
  EXPECT_EQ(answers_to({}).size(), 0U);  // polls the last events
  ASSERT_EQ(server.connection_count(), 0U);
  ByteVector late(100, 0x40);
  std::ranges::copy(retry_source.bytes(), late.begin() + 1);
  EXPECT_EQ(answers_to(late).size(), 1U) << "no stateless reset: the ID is still somebody's";
}

}  // namespace
}  // namespace quell
