// What does the transport itself cost? Two endpoints joined in memory, no kernel between them: CPU per packet
// of both ends together. Usage: quell_endpoint_bench [MEGABYTES]. For comparison over time run it under
// `valgrind --tool=callgrind`.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "quell/base/check.h"
#include "quell/connection/endpoint.h"

namespace {

using namespace quell;

const Address kClient = *Address::parse("10.0.0.1:1000");
const Address kServer = *Address::parse("10.0.0.2:443");

struct Ends {
  std::unique_ptr<Endpoint> client;
  std::unique_ptr<Endpoint> server;
  ConnectionHandle client_connection;
  ConnectionHandle server_connection;
  StreamId stream = 0;
  ByteCount received = 0;
  bool is_complete = false;
  bool is_finished = false;
  std::size_t datagrams = 0;
};

Ends make_ends() {
  const PemPair pem = make_throwaway_certificate(KeyAlgorithm::ed25519);
  EndpointConfig server;
  server.server.alpn = {"bench"};
  server.server_credentials = *server_credentials_from_pem(pem.certificate, pem.key);
  Ends ends{std::make_unique<Endpoint>(EndpointConfig{}), std::make_unique<Endpoint>(server), {}, {}};
  ConnectionConfig client;
  client.alpn = {"bench"};
  ends.client_connection = ends.client->connect(kClient, kServer, "localhost",
                                                *client_credentials_from_ca_pem(pem.certificate), client, {});
  return ends;
}

void serve(Ends& ends, ByteCount& left) {
  while (auto event = ends.server->poll_event()) {
    if (std::holds_alternative<ConnectionAccepted>(event->what)) ends.server_connection = event->connection;
    if (std::holds_alternative<HandshakeComplete>(event->what)) {
      ends.stream = *ends.server->open_stream(ends.server_connection, StreamKind::uni);
      ends.is_complete = true;
    }
  }
  static const std::vector<std::uint8_t> block(262144, 'q');
  static const auto owner = std::make_shared<int>(0);
  while (ends.is_complete && left > 0 && ends.server->write_room(ends.server_connection, ends.stream) > 0) {
    const ByteCount size = std::min<ByteCount>(left, block.size());
    left -= size;
    QUELL_CHECK(ends.server
                    ->write(ends.server_connection, ends.stream,
                            {owner, Bytes{block}.first(static_cast<std::size_t>(size))}, left == 0)
                    .has_value());
  }
}

void read(Ends& ends) {
  while (auto event = ends.client->poll_event()) {
    const auto* readable = std::get_if<StreamReadable>(&event->what);
    if (readable == nullptr) continue;
    for (;;) {
      const auto got = ends.client->read(ends.client_connection, readable->stream);
      if (!got || (got->bytes.empty() && !got->fin)) break;
      ends.received += got->bytes.size();
      ends.is_finished = got->fin;
      ends.client->consume(ends.client_connection, readable->stream, got->bytes.size());
      if (ends.is_finished) break;
    }
  }
}

void carry(Ends& ends, Endpoint& from, Endpoint& to, bool to_server, MutableBytes buffer, TimePoint now) {
  while (auto transmit = from.poll_transmit(buffer, 44, now)) {
    for (std::size_t at = 0; at < transmit->size; at += transmit->segment_size) {
      ++ends.datagrams;
      to.handle_datagram({.bytes = buffer.subspan(at, std::min(transmit->segment_size, transmit->size - at)),
                          .local = to_server ? kServer : kClient,
                          .remote = to_server ? kClient : kServer,
                          .ecn = transmit->ecn},
                         now);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const ByteCount total = (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 500) << 20;
  ByteCount left = total;
  Ends ends = make_ends();
  std::vector<std::uint8_t> buffer(65536);
  TimePoint now{};
  const auto start = std::chrono::steady_clock::now();
  while (!ends.is_finished) {
    serve(ends, left);
    carry(ends, *ends.server, *ends.client, false, buffer, now);
    read(ends);
    carry(ends, *ends.client, *ends.server, true, buffer, now);
    now += microseconds{100};
    ends.client->handle_timeout(now);
    ends.server->handle_timeout(now);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%.0f MB in %.3f s: %.0f MB/s, %.0f ns per datagram, both ends\n",
              static_cast<double>(ends.received) / 1e6, seconds,
              static_cast<double>(ends.received) / 1e6 / seconds,
              seconds * 1e9 / static_cast<double>(ends.datagrams));
  return ends.received == total ? 0 : 1;
}
