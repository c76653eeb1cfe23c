// With which code does each mistake of a peer close the connection? (RFC 9000 §11, §12.4 and each frame's
// section)
#include <gtest/gtest.h>

#include "quell/connection/raw_peer_for_test.h"

namespace quell {
namespace {

using test::payload_of;
using test::RawPeer;
using Payload = std::vector<std::uint8_t>;
using enum TransportError;

constexpr std::uint64_t kMaxVarint = (std::uint64_t{1} << 62) - 1;
const std::array<std::uint8_t, 100> kData{};

// How far the handshake has come when the mistake arrives.
enum class When : std::uint8_t {
  first_flight,  // each side has Initial keys only (as far as the other knows)
  handshake,     // the client has answered, and nothing of it has arrived
  confirmed,
};

struct Mistake {
  std::string name;
  Side at = Side::server;  // who receives it
  RawPeer::Packet packet;
  TransportError code = no_error;
  When when = When::confirmed;
  // A close to an ID that was forged, or that a side without a connection hears, ends nothing there.
  bool peer_hears = true;
};
void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << mistake.name;
}

Bytes data(std::size_t size) {
  return Bytes{kData}.first(size);
}
NewConnectionIdFrame new_id(std::uint64_t sequence, std::uint64_t retire_prior_to, std::uint8_t name) {
  const std::array<std::uint8_t, 8> id{name};
  return {sequence, retire_prior_to, ConnectionId{id}, {name}};
}
Mistake one_rtt(std::string name, Side at, Payload payload, TransportError code) {
  return {std::move(name), at, {.type = PacketType::one_rtt, .payload = std::move(payload)}, code};
}
Mistake to_server(std::string name, Payload payload, TransportError code) {
  return one_rtt(std::move(name), Side::server, std::move(payload), code);
}
Mistake to_client(std::string name, Payload payload, TransportError code) {
  return one_rtt(std::move(name), Side::client, std::move(payload), code);
}

// Client-initiated: 0, 4 bidirectional, 2, 6 unidirectional; server-initiated: 1, 3. Limits: small_server().
std::vector<Mistake> stream_mistakes() {
  return {
      to_server("StreamOnOurSendOnlyStream", payload_of({StreamFrame{3, 0, false, data(1)}}),
                stream_state_error),
      to_server("StreamOnOurStreamNeverOpened", payload_of({StreamFrame{1, 0, false, data(1)}}),
                stream_state_error),
      to_client("StreamOnOurStreamNeverOpenedAtTheClient", payload_of({StreamFrame{0, 0, false, data(1)}}),
                stream_state_error),
      to_server("ResetOnOurSendOnlyStream", payload_of({ResetStreamFrame{3, 0, 0}}), stream_state_error),
      to_server("StreamDataBlockedOnOurSendOnlyStream", payload_of({StreamDataBlockedFrame{3, 0}}),
                stream_state_error),
      to_server("MaxStreamDataOnAReceiveOnlyStream", payload_of({MaxStreamDataFrame{2, 9}}),
                stream_state_error),
      to_server("MaxStreamDataOnOurStreamNeverOpened", payload_of({MaxStreamDataFrame{1, 9}}),
                stream_state_error),
      to_server("StopSendingOnAReceiveOnlyStream", payload_of({StopSendingFrame{2, 9}}), stream_state_error),
      to_server("StopSendingOnOurStreamNeverOpened", payload_of({StopSendingFrame{1, 9}}),
                stream_state_error),
      to_server("BidirectionalStreamBeyondTheLimit", payload_of({StreamFrame{4 * 4, 0, false, data(1)}}),
                stream_limit_error),
      to_server("UnidirectionalStreamBeyondTheLimit", payload_of({StreamFrame{4 * 2 + 2, 0, false, data(1)}}),
                stream_limit_error),
      to_server("StopSendingBeyondTheStreamLimit", payload_of({StopSendingFrame{4 * 4, 0}}),
                stream_limit_error),
      to_server("MoreThanTheStreamsWindow", payload_of({StreamFrame{0, 1000 - 9, false, data(10)}}),
                flow_control_error),
      to_server("ResetBeyondTheStreamsWindow", payload_of({ResetStreamFrame{0, 0, 1001}}),
                flow_control_error),
      to_server("MoreThanTheConnectionsWindow",
                payload_of({StreamFrame{0, 990, false, data(10)}, StreamFrame{4, 491, false, data(10)}}),
                flow_control_error),
      to_server("ResetBeyondTheConnectionsWindow",
                payload_of({ResetStreamFrame{0, 0, 1000}, ResetStreamFrame{4, 0, 501}}), flow_control_error),
      to_server("FinalSizeBelowWhatArrived",
                payload_of({StreamFrame{0, 0, false, data(10)}, StreamFrame{0, 0, true, data(9)}}),
                final_size_error),
      to_server("FinalSizeGrows",
                payload_of({StreamFrame{0, 5, true, data(5)}, StreamFrame{0, 5, true, data(6)}}),
                final_size_error),
      to_server("DataBeyondTheFinalSize",
                payload_of({StreamFrame{0, 5, true, data(5)}, StreamFrame{0, 5, false, data(6)}}),
                final_size_error),
      to_server("ResetBelowWhatArrived",
                payload_of({StreamFrame{0, 0, false, data(10)}, ResetStreamFrame{0, 0, 9}}),
                final_size_error),
      to_server("ResetContradictsTheFin",
                payload_of({StreamFrame{0, 5, true, data(5)}, ResetStreamFrame{0, 0, 11}}), final_size_error),
      to_server("StreamBeyondTheLargestOffset", payload_of({StreamFrame{0, kMaxVarint, false, data(1)}}),
                frame_encoding_error),
  };
}

std::vector<Mistake> connection_mistakes() {
  return {
      to_server("HandshakeDoneToAServer", payload_of({HandshakeDoneFrame{}}), protocol_violation),
      to_server("NewTokenToAServer", payload_of({NewTokenFrame{data(8)}}), protocol_violation),
      to_server("AckOfAPacketNeverSent", {0x02, 0x80, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00},
                protocol_violation),
      to_client("AckOfAPacketNeverSentAtTheClient", {0x02, 0x80, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00},
                protocol_violation),
      to_server("AckBelowZero", {0x02, 0x00, 0x00, 0x00, 0x01}, frame_encoding_error),
      to_server("RetireOfAnIdNeverIssued", payload_of({RetireConnectionIdFrame{4}}), protocol_violation),
      to_server("RetireOfTheIdInUse", payload_of({RetireConnectionIdFrame{0}}), protocol_violation),
      {"OneIdUnderTwoNumbers",
       Side::server,
       {.payload = payload_of({new_id(5, 5, 9), new_id(6, 5, 9)})},
       protocol_violation,
       When::confirmed,
       false},
      to_server("TwoIdsUnderOneNumber", payload_of({new_id(1, 0, 9)}), protocol_violation),
      to_server("MoreIdsThanWeTake", payload_of({new_id(4, 0, 9)}), connection_id_limit_error),
      to_server("RetirePriorToBeyondItsOwnNumber", payload_of({new_id(4, 5, 9)}), frame_encoding_error),
      to_server("PathResponseWithoutAChallenge", payload_of({PathResponseFrame{}}), protocol_violation),
      to_server("AnUnknownFrameType", {0x21, 0x00, 0x00, 0x00}, frame_encoding_error),
      to_server("AFrameTypeInTwoBytes", {0x40, 0x01, 0x00, 0x00}, protocol_violation),
      to_server("ATruncatedFrame", {0x01, 0x01, 0x01, 0x11}, frame_encoding_error),
      to_server("AnEmptyPayload", {}, protocol_violation),
      to_server("MaxStreamsTooLarge",
                payload_of({MaxStreamsFrame{StreamKind::bidi, (std::uint64_t{1} << 60) + 1}}),
                frame_encoding_error),
      to_client("AnEmptyNewToken", {0x07, 0x00, 0x00, 0x00}, frame_encoding_error),
      to_client("CryptoBeyondTheBufferInOneRtt", payload_of({CryptoFrame{70000, data(1)}}),
                crypto_buffer_exceeded),
      {"ReservedBitsInAShortHeader",
       Side::server,
       {.payload = {0x01, 0x00, 0x00, 0x00}, .reserved_bits = 0x10},
       protocol_violation},
  };
}

std::vector<Mistake> early_mistakes() {
  std::vector<Mistake> all;
  for (Side at : {Side::client, Side::server}) {
    for (PacketType type : {PacketType::initial, PacketType::handshake}) {
      const std::string where = std::string{type == PacketType::initial ? "InInitial" : "InHandshake"} +
                                (at == Side::client ? "AtTheClient" : "AtTheServer");
      const When when = type == PacketType::initial ? When::first_flight : When::handshake;
      const auto add = [&](const std::string& name, Payload payload, TransportError code,
                           std::uint8_t bits = 0) {
        all.push_back({name + where,
                       at,
                       {.type = type, .payload = std::move(payload), .reserved_bits = bits},
                       code,
                       when,
                       when == When::handshake || at == Side::server});
      };
      add("Stream", payload_of({StreamFrame{0, 0, false, data(1)}}), protocol_violation);
      add("MaxData", payload_of({MaxDataFrame{9}, PaddingFrame{4}}), protocol_violation);
      add("HandshakeDone", payload_of({HandshakeDoneFrame{}, PaddingFrame{4}}), protocol_violation);
      add("NewToken", payload_of({NewTokenFrame{data(4)}}), protocol_violation);
      add("NewConnectionId", payload_of({new_id(1, 0, 9)}), protocol_violation);
      add("PathChallenge", payload_of({PathChallengeFrame{}}), protocol_violation);
      add("ApplicationClose", payload_of({ConnectionCloseFrame{true, 1, 0, {}}, PaddingFrame{4}}),
          protocol_violation);
      add("CryptoBeyondTheBuffer", payload_of({CryptoFrame{70000, data(1)}}), crypto_buffer_exceeded);
      add("AckOfAPacketNeverSent", {0x02, 0x80, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00}, protocol_violation);
      add("ReservedBits", {0x01, 0x00, 0x00, 0x00}, protocol_violation, 0x08);
      if (at == Side::client || type == PacketType::handshake) add("NoFrames", {}, protocol_violation);
    }
  }
  return all;
}

class BadInput : public testing::TestWithParam<Mistake> {};

EndpointConfig small_server() {
  EndpointConfig config;
  config.server.max_stream_data = 1000;
  config.server.max_data = 1500;
  config.server.max_streams_bidi = 4;
  config.server.max_streams_uni = 2;
  return config;
}

// False: the handshake did not get there.
bool bring_to(RawPeer& peer, const Mistake& mistake) {
  auto& pair = peer.pair;
  if (mistake.when == When::confirmed) {
    const bool is_confirmed = pair.handshake();
    pair.run_for(milliseconds{200});
    return is_confirmed;
  }
  int from_client = 0;
  const bool is_first = mistake.when == When::first_flight;
  peer.lets_through = [&, is_first](Side from, const auto&) {
    if (from == Side::server) return !is_first;
    // At a client that has heard nothing only the server's forger speaks.
    return ++from_client == 1 && !(is_first && mistake.at == Side::client);
  };
  pair.connect();
  pair.run_for(milliseconds{100});
  peer.lets_through = nullptr;
  return is_first || pair.saw<HandshakeComplete>(Side::client);
}

TEST_P(BadInput, ClosesTheConnectionWithTheRightCode) {
  const Mistake& mistake = GetParam();
  RawPeer peer{small_server()};
  ASSERT_TRUE(bring_to(peer, mistake));
  peer.send(other(mistake.at), mistake.packet);
  auto& pair = peer.pair;
  ASSERT_TRUE(pair.run_until([&] { return pair.saw<ConnectionEnded>(mistake.at); }, milliseconds{100}));
  const auto* ended = pair.last<ConnectionEnded>(mistake.at);
  EXPECT_EQ(ended->cause, ConnectionEnded::Cause::local_error) << ended->reason;
  EXPECT_EQ(ended->error_code, static_cast<std::uint64_t>(mistake.code)) << ended->reason;
  EXPECT_FALSE(ended->is_application_code);
  if (!mistake.peer_hears) return;
  const Side peer_side = other(mistake.at);
  ASSERT_TRUE(pair.run_until([&] { return pair.saw<ConnectionEnded>(peer_side); }, milliseconds{100}));
  EXPECT_EQ(pair.last<ConnectionEnded>(peer_side)->cause, ConnectionEnded::Cause::peer_close);
  EXPECT_EQ(pair.last<ConnectionEnded>(peer_side)->error_code, static_cast<std::uint64_t>(mistake.code));
}

std::string name_of(const testing::TestParamInfo<Mistake>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Streams, BadInput, testing::ValuesIn(stream_mistakes()), name_of);
INSTANTIATE_TEST_SUITE_P(Connection, BadInput, testing::ValuesIn(connection_mistakes()), name_of);
INSTANTIATE_TEST_SUITE_P(Early, BadInput, testing::ValuesIn(early_mistakes()), name_of);

}  // namespace
}  // namespace quell
