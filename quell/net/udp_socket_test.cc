#include "quell/net/udp_socket.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <numeric>
#include <string>

#include "quell/net/socket_address.h"

namespace quell::net {
namespace {

Address loopback_v4() {
  return *Address::parse("127.0.0.1:0");
}
Address loopback_v6() {
  return *Address::parse("[::1]:0");
}

UdpSocket bound(const Address& address) {
  auto socket = UdpSocket::bind(address);
  EXPECT_TRUE(socket.has_value()) << socket.error().message();
  return std::move(*socket);
}
UdpSocket connected(const Address& address) {
  auto socket = UdpSocket::connect(address);
  EXPECT_TRUE(socket.has_value()) << socket.error().message();
  return std::move(*socket);
}

std::vector<std::uint8_t> numbered(std::size_t size) {
  std::vector<std::uint8_t> data(size);
  for (std::size_t i = 0; i != size; ++i) data[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
  return data;
}

void wait_readable(const UdpSocket& socket) {
  pollfd waiting{socket.fd(), POLLIN, 0};
  ASSERT_EQ(::poll(&waiting, 1, 2000), 1) << "nothing arrived within two seconds";
}

struct Arrived {
  std::vector<std::vector<std::uint8_t>> datagrams;
  std::vector<Ecn> ecn;
  std::size_t messages = 0;
  Address local;
  Address remote;
};
// Receives until `bytes` have come.
Arrived receive_all(UdpSocket& socket, std::size_t bytes) {
  Arrived arrived;
  ReceiveBatch batch;
  std::size_t total = 0;
  while (total < bytes) {
    wait_readable(socket);
    if (testing::Test::HasFatalFailure()) break;
    EXPECT_FALSE(socket.receive(batch));
    arrived.messages += batch.messages().size();
    batch.for_each_datagram([&](const Datagram& d) {
      arrived.datagrams.emplace_back(d.bytes.begin(), d.bytes.end());
      arrived.ecn.push_back(d.ecn);
      arrived.local = d.local;
      arrived.remote = d.remote;
      total += d.bytes.size();
    });
  }
  return arrived;
}

std::vector<std::uint8_t> joined(const Arrived& arrived) {
  std::vector<std::uint8_t> all;
  for (const auto& d : arrived.datagrams) all.insert(all.end(), d.begin(), d.end());
  return all;
}

class UdpSocketTest : public testing::TestWithParam<bool> {
 protected:
  Address any() const { return GetParam() ? loopback_v6() : loopback_v4(); }
};

TEST_P(UdpSocketTest, OneDatagramArrivesWithBothAddresses) {
  UdpSocket server = bound(any());
  UdpSocket client = connected(server.local_address());
  const auto data = numbered(1200);
  ASSERT_FALSE(
      client.send({.local = {}, .remote = server.local_address(), .size = 1200, .segment_size = 1200}, data));
  const Arrived arrived = receive_all(server, data.size());
  ASSERT_EQ(arrived.datagrams.size(), 1U);
  EXPECT_EQ(arrived.datagrams[0], data);
  EXPECT_EQ(arrived.remote, client.local_address());
  EXPECT_EQ(arrived.local, server.local_address());
}

TEST_P(UdpSocketTest, ABurstArrivesAsItsSegmentsInOrder) {
  UdpSocket server = bound(any());
  UdpSocket client = connected(server.local_address());
  const std::size_t segments = 44;
  const auto data = numbered(segments * 1452 + 100);
  ASSERT_FALSE(client.send(
      {.local = {}, .remote = server.local_address(), .size = data.size(), .segment_size = 1452}, data));
  const Arrived arrived = receive_all(server, data.size());
  ASSERT_EQ(arrived.datagrams.size(), segments + 1);
  for (std::size_t i = 0; i != segments; ++i) EXPECT_EQ(arrived.datagrams[i].size(), 1452U);
  EXPECT_EQ(arrived.datagrams.back().size(), 100U);
  EXPECT_EQ(joined(arrived), data);
  // One message when GSO meets GRO; a kernel without them may need one each.
  if (client.uses_gso()) {
    EXPECT_LT(arrived.messages, segments + 1);
  }
}

TEST_P(UdpSocketTest, ABurstWithoutGsoArrivesAsTheSameSegments) {
  UdpSocket server = bound(any());
  UdpSocket client = connected(server.local_address());
  client.disable_gso();
  const auto data = numbered(3 * 1452 + 7);
  ASSERT_FALSE(client.send(
      {.local = {}, .remote = server.local_address(), .size = data.size(), .segment_size = 1452}, data));
  const Arrived arrived = receive_all(server, data.size());
  ASSERT_EQ(arrived.datagrams.size(), 4U);
  EXPECT_EQ(joined(arrived), data);
}

TEST_P(UdpSocketTest, TheReceiverSeesTheEcnBitsOfEveryCodepoint) {
  UdpSocket server = bound(any());
  UdpSocket client = connected(server.local_address());
  for (const Ecn ecn : {Ecn::not_ect, Ecn::ect0, Ecn::ect1, Ecn::ce}) {
    const auto data = numbered(2400);
    ASSERT_FALSE(client.send(
        {.local = {}, .remote = server.local_address(), .size = 2400, .segment_size = 1200, .ecn = ecn},
        data));
    const Arrived arrived = receive_all(server, data.size());
    ASSERT_EQ(arrived.ecn.size(), 2U);
    EXPECT_EQ(arrived.ecn[0], ecn);
    EXPECT_EQ(arrived.ecn[1], ecn);
  }
}

TEST_P(UdpSocketTest, AConnectedSocketHearsThatNobodyListens) {
  Address gone;
  {
    UdpSocket server = bound(any());
    gone = server.local_address();
  }
  UdpSocket client = connected(gone);
  const auto data = numbered(1200);
  ASSERT_FALSE(client.send({.local = {}, .remote = gone, .size = 1200, .segment_size = 1200}, data));
  wait_readable(client);
  ReceiveBatch batch;
  EXPECT_EQ(client.receive(batch), std::errc::connection_refused);
  EXPECT_TRUE(batch.messages().empty());
}

TEST_P(UdpSocketTest, ABoundSocketForgivesPeersThatAreGone) {
  UdpSocket server = bound(any());
  Address gone;
  {
    UdpSocket other = bound(any());
    gone = other.local_address();
  }
  const auto data = numbered(1200);
  EXPECT_FALSE(server.send({.local = {}, .remote = gone, .size = 1200, .segment_size = 1200}, data));
  EXPECT_FALSE(server.send({.local = {}, .remote = gone, .size = 1200, .segment_size = 1200}, data));
  ReceiveBatch batch;
  EXPECT_FALSE(server.receive(batch));
}

TEST_P(UdpSocketTest, NothingThereIsAnEmptyBatch) {
  UdpSocket server = bound(any());
  ReceiveBatch batch;
  EXPECT_FALSE(server.receive(batch));
  EXPECT_TRUE(batch.messages().empty());
}

TEST_P(UdpSocketTest, APortInUseIsAnError) {
  UdpSocket first = bound(any());
  const auto second = UdpSocket::bind(first.local_address());
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error(), std::errc::address_in_use);
}

INSTANTIATE_TEST_SUITE_P(Families, UdpSocketTest, testing::Bool(),
                         [](const auto& param) { return param.param ? "IPv6" : "IPv4"; });

// A server on every address must answer from the one that was asked (RFC 9000 §9: else the client sees a
// stranger).
TEST(UdpSocketWildcard, RepliesFromTheAddressThatWasAsked) {
  UdpSocket server = bound(*Address::parse("0.0.0.0:0"));
  UdpSocket client = connected(Address::parse("127.0.0.5:0")->with_port(server.local_address().port()));
  const auto data = numbered(1200);
  ASSERT_FALSE(client.send(
      {.local = {}, .remote = client.remote_address(), .size = 1200, .segment_size = 1200}, data));
  const Arrived arrived = receive_all(server, data.size());
  EXPECT_EQ(arrived.local, client.remote_address());
  ASSERT_FALSE(server.send(
      {.local = arrived.local, .remote = arrived.remote, .size = 1200, .segment_size = 1200}, data));
  // The client is connected: it would not hear an answer from 127.0.0.1.
  EXPECT_EQ(receive_all(client, data.size()).remote, client.remote_address());
}

TEST(UdpSocketWildcard, OneIpv6SocketServesIpv4TooWithEcn) {
  UdpSocket server = bound(*Address::parse("[::]:0"));
  UdpSocket client = connected(Address::parse("127.0.0.1:0")->with_port(server.local_address().port()));
  const auto data = numbered(2400);
  ASSERT_FALSE(client.send(
      {.local = {}, .remote = client.remote_address(), .size = 2400, .segment_size = 1200, .ecn = Ecn::ect0},
      data));
  const Arrived arrived = receive_all(server, data.size());
  EXPECT_TRUE(is_v4_mapped(arrived.remote));
  EXPECT_EQ(arrived.ecn.front(), Ecn::ect0);
  ASSERT_FALSE(server.send(
      {.local = arrived.local, .remote = arrived.remote, .size = 2400, .segment_size = 1200, .ecn = Ecn::ce},
      data));
  const Arrived answer = receive_all(client, data.size());
  EXPECT_EQ(answer.ecn.front(), Ecn::ce);
}

}  // namespace
}  // namespace quell::net
