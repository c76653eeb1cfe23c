#include "quell/qlog/frames.h"

#include <algorithm>

#include "quell/base/reader.h"
#include "quell/qlog/names.h"
#include "quell/wire/frame_reader.h"

namespace quell::qlog {
namespace {

std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
std::string_view stream_type(StreamKind kind) {
  return kind == StreamKind::uni ? "unidirectional" : "bidirectional";
}

// The draft asks for a frame's own length field, the size of its data, in raw.length.
void raw_length(JsonText& json, std::uint64_t length) {
  json.begin_object("raw");
  json.number("length", length);
  json.end_object();
}

// RFC 9000 §19.3: in units of 2^exponent microseconds. A peer may write any varint: the result is capped.
Duration ack_delay(std::uint64_t raw, std::uint64_t exponent) {
  constexpr std::uint64_t kMaxUs = std::uint64_t{1} << 50;
  const std::uint64_t shift = std::min<std::uint64_t>(exponent, 20);
  return raw > kMaxUs >> shift ? microseconds{kMaxUs} : microseconds{raw << shift};
}

// The draft knows no application codes: HTTP/3's are in a schema of its own.
void application_error(JsonText& json, std::uint64_t code) {
  json.word("error", "unknown");
  json.number("error_code", code);
}

// One overload per frame: what stands behind "frame_type".
struct Spell {
  JsonText& json;
  std::uint64_t ack_delay_exponent;

  void type(std::string_view name) const { json.word("frame_type", name); }

  void operator()(const PaddingFrame& frame) const {
    type("padding");
    json.begin_object("raw");
    json.number("length", frame.size);
    json.number("payload_length", frame.size);
    json.end_object();
  }
  void operator()(const PingFrame&) const { type("ping"); }
  void operator()(const AckFrame& frame) const {
    type("ack");
    json.milliseconds("ack_delay", ack_delay(frame.raw_delay, ack_delay_exponent));
    json.begin_array("acked_ranges");
    AckRanges ranges(frame);
    while (const auto range = ranges.next()) {
      json.begin_array();
      json.number({}, range->smallest);
      if (range->largest != range->smallest) json.number({}, range->largest);
      json.end_array();
    }
    json.end_array();
    if (!frame.ecn) return;
    json.number("ect1", frame.ecn->ect1);
    json.number("ect0", frame.ecn->ect0);
    json.number("ce", frame.ecn->ce);
  }
  void operator()(const ResetStreamFrame& frame) const {
    type("reset_stream");
    json.number("stream_id", frame.stream);
    application_error(json, frame.error_code);
    json.number("final_size", frame.final_size);
  }
  void operator()(const StopSendingFrame& frame) const {
    type("stop_sending");
    json.number("stream_id", frame.stream);
    application_error(json, frame.error_code);
  }
  void operator()(const CryptoFrame& frame) const {
    type("crypto");
    json.number("offset", frame.offset);
    raw_length(json, frame.data.size());
  }
  void operator()(const NewTokenFrame& frame) const {
    type("new_token");
    json.begin_object("token");
    raw_length(json, frame.token.size());
    json.end_object();
  }
  void operator()(const StreamFrame& frame) const {
    type("stream");
    json.number("stream_id", frame.stream);
    json.number("offset", frame.offset);
    if (frame.fin) json.boolean("fin", true);
    raw_length(json, frame.data.size());
  }
  void operator()(const MaxDataFrame& frame) const {
    type("max_data");
    json.number("maximum", frame.maximum);
  }
  void operator()(const MaxStreamDataFrame& frame) const {
    type("max_stream_data");
    json.number("stream_id", frame.stream);
    json.number("maximum", frame.maximum);
  }
  void operator()(const MaxStreamsFrame& frame) const {
    type("max_streams");
    json.word("stream_type", stream_type(frame.kind));
    json.number("maximum", frame.maximum);
  }
  void operator()(const DataBlockedFrame& frame) const {
    type("data_blocked");
    json.number("limit", frame.limit);
  }
  void operator()(const StreamDataBlockedFrame& frame) const {
    type("stream_data_blocked");
    json.number("stream_id", frame.stream);
    json.number("limit", frame.limit);
  }
  void operator()(const StreamsBlockedFrame& frame) const {
    type("streams_blocked");
    json.word("stream_type", stream_type(frame.kind));
    json.number("limit", frame.limit);
  }
  // Choice: the reset token stays out of the log. Whoever reads it could end the connection.
  void operator()(const NewConnectionIdFrame& frame) const {
    type("new_connection_id");
    json.number("sequence_number", frame.sequence);
    json.number("retire_prior_to", frame.retire_prior_to);
    json.hex("connection_id", frame.id.bytes());
  }
  void operator()(const RetireConnectionIdFrame& frame) const {
    type("retire_connection_id");
    json.number("sequence_number", frame.sequence);
  }
  void operator()(const PathChallengeFrame& frame) const {
    type("path_challenge");
    json.hex("data", frame.data);
  }
  void operator()(const PathResponseFrame& frame) const {
    type("path_response");
    json.hex("data", frame.data);
  }
  void operator()(const ConnectionCloseFrame& frame) const {
    type("connection_close");
    json.word("error_space", frame.is_application ? "application" : "transport");
    const std::string error = frame.is_application ? "unknown" : transport_error(frame.error_code);
    json.word("error", error);
    if (error == "unknown") json.number("error_code", frame.error_code);
    const std::string_view reason = as_text(frame.reason);
    if (is_utf8(reason)) {
      json.text("reason", reason);
    } else {
      json.hex("reason_bytes", frame.reason);
    }
    if (!frame.is_application) json.number("trigger_frame_type", frame.frame_type);
  }
  void operator()(const HandshakeDoneFrame&) const { type("handshake_done"); }
};

void write_unknown(JsonText& json, Bytes rest) {
  json.begin_object();
  json.word("frame_type", "unknown");
  json.number("frame_type_bytes", Reader(rest).varint());
  raw_length(json, rest.size());
  json.end_object();
}

}  // namespace

void write_frame(JsonText& json, const Frame& frame, std::uint64_t ack_delay_exponent) {
  json.begin_object();
  std::visit(Spell{json, ack_delay_exponent}, frame);
  json.end_object();
}

void write_frames(JsonText& json, Bytes payload, PacketType packet, std::uint64_t ack_delay_exponent) {
  json.begin_array("frames");
  Reader reader(payload);
  while (!reader.empty()) {
    const Bytes rest = reader.rest();
    const auto frame = read_frame(reader, packet);
    if (!frame) {
      write_unknown(json, rest);
      break;
    }
    write_frame(json, *frame, ack_delay_exponent);
  }
  json.end_array();
}

}  // namespace quell::qlog
