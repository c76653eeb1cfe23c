// What may the user of an endpoint choose?
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "quell/base/time.h"
#include "quell/base/units.h"
#include "quell/crypto/aead.h"
#include "quell/crypto/gnutls_credentials.h"
#include "quell/crypto/key_log.h"
#include "quell/trace/sink.h"
#include "quell/wire/connection_id.h"
#include "quell/wire/types.h"

namespace quell {

struct ConnectionConfig {
  // A name of cc/registry; an unknown one is our own bug (check it where the user typed it).
  std::string controller = "cubic";
  std::vector<std::string> alpn;
  std::vector<AeadKind> ciphers;    // in order of preference; empty: all three
  std::string keylog_file;          // SSLKEYLOGFILE lines are appended when not empty
  std::shared_ptr<KeyLog> key_log;  // hears the same lines; may be null

  Duration idle_timeout = seconds{30};       // zero: none (RFC 9000 §10.1)
  Duration handshake_timeout = seconds{10};  // zero: none
  Duration initial_rtt = milliseconds{333};  // RFC 9002 §6.2.2
  Duration max_ack_delay = milliseconds{25};

  // Flow control that we offer (RFC 9000 §4). The windows slide; they do not grow by themselves.
  ByteCount max_data = 24 << 20;
  ByteCount max_stream_data = 16 << 20;
  std::uint64_t max_streams_bidi = 128;
  std::uint64_t max_streams_uni = 16;

  ByteCount max_datagram_size = kDefaultMaxDatagram;  // what we send; 1200 to 65527
  // Search for the largest datagram that the path takes, up to this (RFC 8899); not above max_datagram_size:
  // no search.
  ByteCount search_mtu_up_to = 0;
  ByteCount initial_window = 0;  // bytes; zero: RFC 9002 §7.2
  ByteCount fixed_window = 0;    // bytes, of fixed-window; zero: its default
  Rate fixed_rate{};             // of fixed-rate; zero: its default
  bool ecn = true;
  bool pacing = true;
  // Packets after which we update keys by ourselves; zero: only near the AEAD's limit (RFC 9001 §6.6).
  std::uint64_t key_update_after_packets = 0;
};

// Makes one sink per connection; null sinks are fine. Called once, when a connection begins.
class SinkFactory {
 public:
  virtual ~SinkFactory() = default;
  virtual std::unique_ptr<trace::Sink> make_sink(Side side, const ConnectionId& original_destination) = 0;
};

struct EndpointConfig {
  // For connections that peers open; `server_credentials` null: none are accepted.
  ConnectionConfig server;
  CredentialsPtr server_credentials;
  bool require_retry = false;  // validate every address first (RFC 9000 §8.1.2)
  Duration retry_token_lifetime = seconds{10};
  std::size_t max_connections = 10000;  // further Initials are refused with CONNECTION_REFUSED
  std::size_t connection_id_size = 8;   // of the IDs that we issue: 4 to 20
  std::shared_ptr<SinkFactory> sinks;   // may be null
  // Nothing: the system's randomness. A seed makes every connection ID, token and skipped number
  // reproducible.
  std::optional<std::uint64_t> seed;
};

}  // namespace quell
