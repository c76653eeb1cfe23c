#include "quell/crypto/gnutls_handshake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>

#include "quell/base/rng.h"
#include "quell/crypto/test_support.h"
#include "quell/crypto/throwaway_certificate.h"
#include "quell/wire/error.h"

namespace quell {
namespace {

using Buffer = std::vector<std::uint8_t>;
using testing::HasSubstr;

constexpr std::int64_t kYear2001 = 978307200;
constexpr std::int64_t kYear2002 = 1009843200;
constexpr std::int64_t kYear2049 = 2493072000;

const PemPair& certificate() {
  static const PemPair pair = make_throwaway_certificate(KeyAlgorithm::ed25519);
  return pair;
}

HandshakeConfig server_config(const PemPair& pair = certificate()) {
  return {.credentials = server_credentials_from_pem(pair.certificate, pair.key).value(),
          .alpn = {"h3"},
          .server_name = {},
          .transport_parameters = {1, 2, 3},
          .ciphers = {},
          .keylog_file = {}};
}

HandshakeConfig client_config(std::string_view ca = certificate().certificate) {
  return {.credentials = client_credentials_from_ca_pem(ca).value(),
          .alpn = {"h3"},
          .server_name = "localhost",
          .transport_parameters = {4, 5, 6, 7},
          .ciphers = {},
          .keylog_file = {}};
}

// One end, with everything that came out of it.
struct End {
  std::unique_ptr<Handshake> tls;
  std::map<std::pair<Space, Direction>, HandshakeSecret> secrets;
  std::map<Space, std::size_t> sent;
  std::optional<Error> error;

  void note(const Result<void>& result) {
    if (!result && !error) error = result.error();
  }
  std::vector<HandshakeBytes> drain() {
    while (auto secret = tls->poll_secret()) secrets[{secret->space, secret->direction}] = *secret;
    std::vector<HandshakeBytes> all;
    while (auto bytes = tls->poll_bytes()) {
      sent[bytes->space] += bytes->data.size();
      all.push_back(std::move(*bytes));
    }
    return all;
  }
};

// Both ends in one memory.
class Pair {
 public:
  Pair(HandshakeConfig client, HandshakeConfig server) {
    client_.tls = make_gnutls_handshake(Side::client, std::move(client));
    server_.tls = make_gnutls_handshake(Side::server, std::move(server));
  }

  // Delivers in pieces of `piece` bytes until nothing moves any more. `meddle` may change what is under way.
  template <typename Meddle>
  void run(std::size_t piece, Meddle meddle) {
    client_.note(client_.tls->start());
    server_.note(server_.tls->start());
    while (deliver(client_, server_, piece, meddle) || deliver(server_, client_, piece, meddle)) {
    }
  }
  void run(std::size_t piece = 100'000) {
    run(piece, [](HandshakeBytes&) {});
  }

  End& client() { return client_; }
  End& server() { return server_; }

 private:
  template <typename Meddle>
  static bool deliver(End& from, End& to, std::size_t piece, Meddle meddle) {
    bool moved = false;
    for (HandshakeBytes& bytes : from.drain()) {
      moved = true;
      meddle(bytes);
      for (Bytes rest{bytes.data}; !rest.empty() && !to.error;) {
        const std::size_t count = std::min(piece, rest.size());
        to.note(to.tls->receive(bytes.space, rest.first(count)));
        rest = rest.subspan(count);
      }
    }
    return moved;
  }

  End client_;
  End server_;
};

void expect_failure(const End& end, TransportError code, std::string_view reason) {
  ASSERT_TRUE(end.error);
  EXPECT_EQ(static_cast<std::uint64_t>(end.error->code), static_cast<std::uint64_t>(code))
      << end.error->reason;
  EXPECT_THAT(std::string{end.error->reason}, HasSubstr(std::string{reason}));
  EXPECT_FALSE(end.tls->is_complete());
}

class HandshakeWithCipher : public testing::TestWithParam<AeadKind> {};
std::string cipher_test_name(const testing::TestParamInfo<AeadKind>& info) {
  std::string name{to_string(info.param)};
  std::erase(name, '-');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Ciphers, HandshakeWithCipher, testing::ValuesIn(kAllAeads), cipher_test_name);

TEST_P(HandshakeWithCipher, CompletesWithTheSameSecretsAtBothEnds) {
  HandshakeConfig config = client_config();
  config.ciphers = {GetParam()};
  Pair pair{config, server_config()};
  pair.run();
  EXPECT_TRUE(pair.client().tls->is_complete());
  EXPECT_TRUE(pair.server().tls->is_complete());
  EXPECT_EQ(pair.client().secrets.size(), 4U);
  for (const Space space : {Space::handshake, Space::application}) {
    for (const Direction direction : {Direction::send, Direction::receive}) {
      const Direction opposite = direction == Direction::send ? Direction::receive : Direction::send;
      const HandshakeSecret& ours = pair.client().secrets[{space, direction}];
      const HandshakeSecret& theirs = pair.server().secrets[{space, opposite}];
      EXPECT_EQ(ours.aead, GetParam());
      EXPECT_EQ(theirs.aead, GetParam());
      EXPECT_EQ(ours.secret.size(), GetParam() == AeadKind::aes_256_gcm ? 48U : 32U);
      EXPECT_EQ(ours.secret, theirs.secret);
    }
  }
}

TEST_P(HandshakeWithCipher, IsTheServersChoiceToo) {
  HandshakeConfig config = server_config();
  config.ciphers = {GetParam()};
  Pair pair{client_config(), config};
  pair.run();
  EXPECT_EQ((pair.client().secrets[{Space::application, Direction::send}].aead), GetParam());
}

TEST(GnutlsHandshake, CarriesTransportParametersAndProtocolBothWays) {
  HandshakeConfig client = client_config();
  client.alpn = {"first", "h3"};
  Pair pair{client, server_config()};
  pair.run();
  EXPECT_EQ(pair.server().tls->take_peer_parameters(), (Buffer{4, 5, 6, 7}));
  EXPECT_EQ(pair.client().tls->take_peer_parameters(), (Buffer{1, 2, 3}));
  EXPECT_EQ(pair.client().tls->take_peer_parameters(), std::nullopt);
  EXPECT_EQ(pair.client().tls->alpn(), "h3");
  EXPECT_EQ(pair.server().tls->alpn(), "h3");
}

TEST(GnutlsHandshake, CompletesByteByByte) {
  Pair pair{client_config(), server_config()};
  pair.run(1);
  EXPECT_TRUE(pair.client().tls->is_complete());
  EXPECT_TRUE(pair.server().tls->is_complete());
}

TEST(GnutlsHandshake, CompletesWithAnEcdsaCertificate) {
  const PemPair ecdsa = make_throwaway_certificate(KeyAlgorithm::ecdsa_p256);
  Pair pair{client_config(ecdsa.certificate), server_config(ecdsa)};
  pair.run();
  EXPECT_TRUE(pair.client().tls->is_complete());
}

// RFC 9001 §8.1.
TEST(GnutlsHandshake, FailsWithoutAProtocolInCommon) {
  HandshakeConfig client = client_config();
  client.alpn = {"other"};
  Pair pair{client, server_config()};
  pair.run();
  expect_failure(pair.server(), crypto_error(120), "ALPN");
  EXPECT_TRUE(pair.server().sent.empty());
}

// RFC 9001 §8.2.
TEST(GnutlsHandshake, FailsAtTheServerWithoutTheClientsParameters) {
  HandshakeConfig client = client_config();
  client.transport_parameters = {};
  Pair pair{client, server_config()};
  pair.run();
  expect_failure(pair.server(), crypto_error(109), "transport parameters");
  EXPECT_TRUE(pair.server().sent.empty());
}

TEST(GnutlsHandshake, FailsAtTheClientWithoutTheServersParameters) {
  HandshakeConfig server = server_config();
  server.transport_parameters = {};
  Pair pair{client_config(), server};
  pair.run();
  expect_failure(pair.client(), crypto_error(109), "transport parameters");
  EXPECT_FALSE(pair.server().tls->is_complete());
}

TEST(GnutlsHandshake, FailsWithoutACipherInCommon) {
  HandshakeConfig client = client_config();
  client.ciphers = {AeadKind::aes_128_gcm};
  HandshakeConfig server = server_config();
  server.ciphers = {AeadKind::chacha20_poly1305};
  Pair pair{client, server};
  pair.run();
  expect_failure(pair.server(), crypto_error(40), "in common");
}

PemPair certificate_for(std::int64_t from, std::int64_t until, std::vector<std::string> names) {
  return make_certificate({.algorithm = KeyAlgorithm::ed25519,
                           .valid_from = from,
                           .valid_until = until,
                           .dns_names = std::move(names),
                           .ip_addresses = {}});
}

TEST(CertificateCheck, RefusesAnUnknownAuthority) {
  const PemPair other = make_throwaway_certificate(KeyAlgorithm::ed25519);
  Pair pair{client_config(other.certificate), server_config()};
  pair.run();
  expect_failure(pair.client(), crypto_error(48), "unknown authority");
  EXPECT_FALSE(pair.server().tls->is_complete());
}

TEST(CertificateCheck, RefusesAnotherName) {
  HandshakeConfig client = client_config();
  client.server_name = "example.org";
  Pair pair{client, server_config()};
  pair.run();
  expect_failure(pair.client(), crypto_error(42), "does not match the name");
}

TEST(CertificateCheck, RefusesAnExpiredCertificate) {
  const PemPair old = certificate_for(kYear2001, kYear2002, {"localhost"});
  Pair pair{client_config(old.certificate), server_config(old)};
  pair.run();
  expect_failure(pair.client(), crypto_error(45), "expired");
}

TEST(CertificateCheck, RefusesACertificateOfTheFuture) {
  const PemPair early = certificate_for(kYear2049 - 1000, kYear2049, {"localhost"});
  Pair pair{client_config(early.certificate), server_config(early)};
  pair.run();
  expect_failure(pair.client(), crypto_error(45), "not yet valid");
}

TEST(CertificateCheck, AcceptsAddressesThatTheCertificateNames) {
  for (const char* name : {"127.0.0.1", "::1", "[::1]"}) {
    HandshakeConfig client = client_config();
    client.server_name = name;
    Pair pair{client, server_config()};
    pair.run();
    EXPECT_TRUE(pair.client().tls->is_complete()) << name;
  }
}

TEST(CertificateCheck, RefusesAddressesThatTheCertificateDoesNotName) {
  for (const char* name : {"127.0.0.2", "::2", "[::2]"}) {
    HandshakeConfig client = client_config();
    client.server_name = name;
    Pair pair{client, server_config()};
    pair.run();
    expect_failure(pair.client(), crypto_error(42), "does not match the name");
  }
}

TEST(CertificateCheck, NeedsAName) {
  HandshakeConfig client = client_config();
  client.server_name = "";
  Pair pair{client, server_config()};
  pair.run();
  expect_failure(pair.client(), crypto_error(42), "does not match the name");
}

TEST(CertificateCheck, CanBeSwitchedOff) {
  const PemPair old = certificate_for(kYear2001, kYear2002, {"elsewhere"});
  HandshakeConfig client = client_config();
  client.credentials = client_credentials_without_verification().value();
  Pair pair{client, server_config(old)};
  pair.run();
  EXPECT_TRUE(pair.client().tls->is_complete());
}

// The laboratory's runs are only reproducible when handshakes always have the same size.
TEST(HandshakeSize, IsTheSameForEveryEd25519Certificate) {
  std::map<Space, std::size_t> from_client;
  std::map<Space, std::size_t> from_server;
  for (int round = 0; round < 20; ++round) {
    const PemPair fresh = make_throwaway_certificate(KeyAlgorithm::ed25519);
    Pair pair{client_config(fresh.certificate), server_config(fresh)};
    pair.run();
    ASSERT_TRUE(pair.client().tls->is_complete());
    if (round == 0) {
      from_client = pair.client().sent;
      from_server = pair.server().sent;
    }
    EXPECT_EQ(pair.client().sent, from_client);
    EXPECT_EQ(pair.server().sent, from_server);
  }
  // A server's answer must fit three datagrams of 1,200 bytes, or the client must wait for
  // anti-amplification.
  EXPECT_LT(from_server[Space::initial] + from_server[Space::handshake], 3U * 1100);
  EXPECT_LT(from_client[Space::initial], 1100U);
}

// RFC 9001 §8.4. The session ID follows type, length, version and random.
TEST(ClientHello, HasNoLegacySessionId) {
  const auto tls = make_gnutls_handshake(Side::client, client_config());
  ASSERT_TRUE(tls->start());
  const auto hello = tls->poll_bytes();
  ASSERT_TRUE(hello);
  EXPECT_EQ(hello->space, Space::initial);
  EXPECT_EQ(hello->data.at(0), 1);
  EXPECT_EQ(hello->data.at(4 + 2 + 32), 0);
}

bool contains(const Buffer& data, std::string_view text) {
  return std::search(data.begin(), data.end(), text.begin(), text.end()) != data.end();
}

// RFC 6066 §3.
TEST(ClientHello, CarriesANameButNoAddress) {
  HandshakeConfig config = client_config();
  for (const auto& [name, is_sent] : {std::pair{"localhost", true}, {"127.0.0.1", false}, {"::1", false}}) {
    config.server_name = name;
    const auto tls = make_gnutls_handshake(Side::client, config);
    ASSERT_TRUE(tls->start());
    EXPECT_EQ(contains(tls->poll_bytes().value().data, name), is_sent) << name;
  }
}

TEST(GnutlsHandshake, SendsNothingInTheApplicationSpace) {
  Pair pair{client_config(), server_config()};
  pair.run();
  EXPECT_EQ(pair.server().sent.count(Space::application), 0U);
  EXPECT_EQ(pair.client().sent.count(Space::application), 0U);
}

Buffer tls_message(std::uint8_t type, std::size_t body_size) {
  Buffer message{type, static_cast<std::uint8_t>(body_size >> 16), static_cast<std::uint8_t>(body_size >> 8),
                 static_cast<std::uint8_t>(body_size)};
  message.resize(4 + body_size, 0xab);
  return message;
}

class AfterTheHandshake : public testing::TestWithParam<bool> {
 protected:
  AfterTheHandshake() : pair_(client_config(), server_config()) {
    pair_.run();
    if (GetParam()) {
      pair_.client().tls->release();
      pair_.server().tls->release();
    }
  }
  Handshake& client() { return *pair_.client().tls; }
  Handshake& server() { return *pair_.server().tls; }
  Pair pair_;
};
std::string release_test_name(const testing::TestParamInfo<bool>& info) {
  return info.param ? "Released" : "Kept";
}
INSTANTIATE_TEST_SUITE_P(Release, AfterTheHandshake, testing::Bool(), release_test_name);

TEST_P(AfterTheHandshake, AClientIgnoresTicketsInAnyPieces) {
  Buffer tickets = tls_message(4, 300);
  const Buffer second = tls_message(4, 0);
  const Buffer third = tls_message(4, 70'000);
  tickets.insert(tickets.end(), second.begin(), second.end());
  tickets.insert(tickets.end(), third.begin(), third.end());
  for (const std::uint8_t& byte : tickets) ASSERT_TRUE(client().receive(Space::application, Bytes{&byte, 1}));
  EXPECT_TRUE(client().receive(Space::application, tickets));
  EXPECT_TRUE(client().is_complete());
  EXPECT_EQ(client().alpn(), "h3");
}

// RFC 9001 §6.
TEST_P(AfterTheHandshake, AKeyUpdateOfTlsIsAnError) {
  for (Handshake* end : {&client(), &server()}) {
    const auto result = end->receive(Space::application, tls_message(24, 1));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, crypto_error(10));
  }
}

TEST_P(AfterTheHandshake, AServerTakesNothing) {
  const auto result = server().receive(Space::application, tls_message(4, 10));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, crypto_error(10));
}

// RFC 9001 §4.4.
TEST_P(AfterTheHandshake, ARequestForACertificateIsAnError) {
  const auto result = client().receive(Space::application, tls_message(13, 10));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, TransportError::protocol_violation);
}

// RFC 9001 §4.1.3.
TEST_P(AfterTheHandshake, DataOfAnEarlierSpaceIsAnError) {
  const auto result = client().receive(Space::handshake, tls_message(4, 10));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, TransportError::protocol_violation);
}

TEST(GnutlsHandshake, RefusesDataOfALaterSpace) {
  const auto server = make_gnutls_handshake(Side::server, server_config());
  ASSERT_TRUE(server->start());
  const auto result = server->receive(Space::handshake, tls_message(20, 32));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, TransportError::protocol_violation);
}

TEST(GnutlsHandshake, RefusesWhatFollowsTheClientHelloInItsSpace) {
  Pair pair{client_config(), server_config()};
  pair.run(100'000, [](HandshakeBytes& bytes) {
    if (bytes.space == Space::initial) bytes.data.push_back(1);
  });
  expect_failure(pair.server(), TransportError::protocol_violation, "wrong encryption level");
}

TEST(GnutlsHandshake, RefusesAMessageThatClaimsToBeHuge) {
  const auto server = make_gnutls_handshake(Side::server, server_config());
  const auto result = server->receive(Space::initial, Buffer{1, 0xff, 0xff, 0xff, 3, 3});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, TransportError::crypto_buffer_exceeded);
}

TEST(GnutlsHandshake, StaysFailedOnceItFailed) {
  const auto server = make_gnutls_handshake(Side::server, server_config());
  const auto first = server->receive(Space::initial, tls_message(2, 40));
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().code, crypto_error(10));
  const auto second = server->receive(Space::initial, tls_message(1, 40));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, first.error().code);
}

TEST(GnutlsHandshake, SurvivesGarbageInEverySpace) {
  Rng rng{20};
  for (int round = 0; round < 500; ++round) {
    for (const Side side : {Side::client, Side::server}) {
      const auto tls = make_gnutls_handshake(side, side == Side::client ? client_config() : server_config());
      ASSERT_TRUE(tls->start());
      Buffer garbage(rng.below(400));
      rng.fill(garbage);
      if (garbage.size() > 4 && rng.chance(0.7)) {  // a plausible header takes it further in
        const Buffer header = tls_message(side == Side::client ? 2 : 1, garbage.size() - 4);
        std::copy_n(header.begin(), 4, garbage.begin());
      }
      (void)tls->receive(round % 10 == 0 ? Space::handshake : Space::initial, garbage);
      EXPECT_FALSE(tls->is_complete());
    }
  }
}

// Every byte of both flights is damaged once: the handshake fails at one end at least, or stalls; it never
// completes at both, because the transcripts differ.
TEST(GnutlsHandshake, NeverCompletesAtBothEndsWhenAByteWasChanged) {
  Pair clean{client_config(), server_config()};
  clean.run();
  std::size_t total = 0;
  for (End* end : {&clean.client(), &clean.server()}) {
    for (const auto& [space, size] : end->sent) total += size;
  }
  ASSERT_GT(total, 500U);
  for (std::size_t victim = 0; victim < total; victim += 3) {
    std::size_t position = 0;
    Pair pair{client_config(), server_config()};
    pair.run(100'000, [&](HandshakeBytes& bytes) {
      if (victim >= position && victim < position + bytes.data.size()) bytes.data[victim - position] ^= 0x41;
      position += bytes.data.size();
    });
    EXPECT_FALSE(pair.client().tls->is_complete() && pair.server().tls->is_complete()) << "byte " << victim;
  }
}

TEST(KeyLog, HoldsALineForEachSecret) {
  const std::string file = testing::TempDir() + "quell_keylog_test.txt";
  std::remove(file.c_str());
  HandshakeConfig client = client_config();
  client.keylog_file = file;
  Pair pair{client, server_config()};
  pair.run();
  std::ifstream in{file};
  const std::string text{std::istreambuf_iterator<char>{in}, {}};
  std::remove(file.c_str());
  for (const char* label : {"CLIENT_HANDSHAKE_TRAFFIC_SECRET ", "SERVER_HANDSHAKE_TRAFFIC_SECRET ",
                            "CLIENT_TRAFFIC_SECRET_0 ", "SERVER_TRAFFIC_SECRET_0 "}) {
    EXPECT_THAT(text, HasSubstr(label));
  }
  EXPECT_THAT(text,
              HasSubstr(to_hex(pair.client().secrets[{Space::application, Direction::send}].secret) + "\n"));
}

}  // namespace
}  // namespace quell
