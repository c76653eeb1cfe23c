#include "quell/qlog/writer.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "quell/base/check.h"
#include "quell/qlog/frames.h"
#include "quell/qlog/metrics.h"
#include "quell/qlog/names.h"
#include "quell/qlog/parameters.h"

namespace quell::qlog {
namespace {

constexpr std::size_t kFlushAt = 65'536;
constexpr char kRecordSeparator = '\x1e';  // RFC 7464

std::string_view word(Side side) {
  return side == Side::client ? "client" : "server";
}

// RFC 3339, UTC, to the microsecond.
std::string date_time(std::chrono::microseconds since_unix_epoch) {
  const auto day = std::chrono::floor<std::chrono::days>(since_unix_epoch);
  const std::chrono::year_month_day date{std::chrono::sys_days{day}};
  const auto us = (since_unix_epoch - day).count();
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     us / 3'600'000'000, us / 60'000'000 % 60, us / 1'000'000 % 60, us % 1'000'000);
}

bool has_packet_number(PacketType type) {
  return type != PacketType::retry && type != PacketType::version_negotiation;
}

// A packet number space names no packet type of the draft; 0-RTT packets are reported as 1-RTT here.
std::string_view packet_type(Space space) {
  return quell::to_string(space == Space::initial     ? PacketType::initial
                          : space == Space::handshake ? PacketType::handshake
                                                      : PacketType::one_rtt);
}

void write_numbered_header(JsonText& json, Space space, PacketNumber number) {
  json.begin_object("header");
  json.word("packet_type", packet_type(space));
  json.number("packet_number", number);
  json.end_object();
}

// "10.0.0.1" or "fd00::1": the address without its port and brackets.
std::string ip_text(const Address& address) {
  std::string text = address.to_string();
  text.resize(text.rfind(':'));
  return address.is_v6() ? text.substr(1, text.size() - 2) : text;
}

void write_endpoint(JsonText& json, std::string_view key, const Address& address, const ConnectionId& id) {
  json.begin_object(key);
  if (address.family() != Address::Family::none) {
    json.word(address.is_v6() ? "ip_v6" : "ip_v4", ip_text(address));
    json.number(address.is_v6() ? "port_v6" : "port_v4", address.port());
  }
  json.begin_array("connection_ids");
  json.hex({}, id.bytes());
  json.end_array();
  json.end_object();
}

}  // namespace

Writer::Writer(std::unique_ptr<Output> output, Side side, const ConnectionId& original_destination,
               ReferenceTime reference)
    : output_(std::move(output)),
      side_(side),
      original_destination_(original_destination),
      reference_(reference) {
  QUELL_CHECK(output_ != nullptr);
  buffer_.reserve(kFlushAt + 8192);  // and room for the record that reaches it
}

Writer::~Writer() {
  flush();
}

void Writer::flush() {
  if (!has_failed_ && !buffer_.empty()) has_failed_ = !output_->write(buffer_);
  buffer_.clear();
}

void Writer::write_header(TimePoint first) {
  const auto gap = std::chrono::duration_cast<std::chrono::microseconds>(first - reference_.at);
  buffer_ += kRecordSeparator;
  JsonText json(buffer_);
  json.begin_object();
  json.word("file_schema", kFileSchema);
  json.word("serialization_format", kSerialization);
  json.text("title", fmt::format("quell {}", word(side_)));
  json.begin_object("trace");
  json.begin_object("common_fields");
  json.hex("group_id", original_destination_.bytes());
  json.word("time_format", "relative_to_epoch");
  json.begin_object("reference_time");
  json.word("clock_type", "system");
  json.word("epoch", date_time(reference_.since_unix_epoch + gap));
  json.end_object();
  json.end_object();
  json.begin_object("vantage_point");
  json.word("name", "quell");
  json.word("type", word(side_));
  json.end_object();
  json.begin_array("event_schemas");
  for (const std::string_view schema : {kQuicSchema, kQuicExtensionSchema, kQuellSchema})
    json.word({}, schema);
  json.end_array();
  json.end_object();
  json.end_object();
  buffer_ += '\n';
}

JsonText Writer::begin(std::string_view name, TimePoint now) {
  if (!has_started_) {
    has_started_ = true;
    zero_ = now;
    write_header(now);
  }
  buffer_ += kRecordSeparator;
  JsonText json(buffer_);
  json.begin_object();
  json.milliseconds("time", now - zero_);
  json.word("name", name);
  json.begin_object("data");
  return json;
}

void Writer::end(JsonText& json) {
  json.end_object();
  json.end_object();
  buffer_ += '\n';
  if (buffer_.size() >= kFlushAt) flush();
}

void Writer::connection_started(const trace::ConnectionStarted& event, TimePoint now) {
  JsonText json = begin("quic:connection_started", now);
  write_endpoint(json, "local", event.local, event.source);
  write_endpoint(json, "remote", event.remote, event.destination);
  json.text("congestion_controller", event.controller);
  end(json);
}

void Writer::packet_sent(const trace::Packet& packet, TimePoint now) {
  write_packet("quic:packet_sent", packet, local_ack_delay_exponent_, now);
}

void Writer::packet_received(const trace::Packet& packet, TimePoint now) {
  write_packet("quic:packet_received", packet, remote_ack_delay_exponent_, now);
}

void Writer::write_packet(std::string_view name, const trace::Packet& packet,
                          std::uint64_t ack_delay_exponent, TimePoint now) {
  if (has_failed_) return;
  JsonText json = begin(name, now);
  json.begin_object("header");
  json.word("packet_type", quell::to_string(packet.type));
  if (has_packet_number(packet.type)) json.number("packet_number", packet.number);
  if (packet.type == PacketType::one_rtt) {
    json.boolean("key_phase_bit", packet.key_phase);
  } else {
    json.hex("scid", packet.source.bytes());
    json.hex("dcid", packet.destination.bytes());
  }
  json.end_object();
  json.begin_object("raw");
  json.number("length", packet.size);
  json.number("payload_length", packet.payload.size());
  json.end_object();
  if (has_packet_number(packet.type)) write_frames(json, packet.payload, packet.type, ack_delay_exponent);
  if (packet.ecn != Ecn::not_ect) json.word("ecn", to_string(packet.ecn));
  if (packet.is_pto_probe) json.word("trigger", "pto_probe");
  end(json);
}

void Writer::packet_dropped(const trace::PacketDropped& event, TimePoint now) {
  JsonText json = begin("quic:packet_dropped", now);
  if (event.type) {
    json.begin_object("header");
    json.word("packet_type", quell::to_string(*event.type));
    json.end_object();
  }
  json.begin_object("raw");
  json.number("length", event.size);
  json.end_object();
  json.begin_object("details");
  json.word("reason", to_string(event.reason));
  json.end_object();
  json.word("trigger", trigger_of(event.reason));
  end(json);
}

void Writer::packet_lost(const trace::PacketLost& event, TimePoint now) {
  JsonText json = begin("quic:packet_lost", now);
  write_numbered_header(json, event.space, event.number);
  json.begin_object("raw");
  json.number("length", event.size);
  json.end_object();
  json.word("trigger", to_string(event.trigger));
  end(json);
}

void Writer::spurious_loss(const trace::SpuriousLoss& event, TimePoint now) {
  JsonText json = begin("quell:spurious_loss", now);
  write_numbered_header(json, event.space, event.number);
  end(json);
}

void Writer::recovery_metrics(const trace::RecoveryMetrics& metrics, TimePoint now) {
  if (!differ_in_log(last_metrics_, metrics)) return;
  JsonText json = begin("quic:recovery_metrics_updated", now);
  write_changed_metrics(json, last_metrics_, metrics);
  last_metrics_ = metrics;
  end(json);
}

void Writer::congestion_state_updated(const trace::CongestionStateUpdated& event, TimePoint now) {
  JsonText json = begin("quic:congestion_state_updated", now);
  json.word("old", cc::to_string(event.from));
  json.word("new", cc::to_string(event.to));
  if (!event.trigger.empty()) json.text("trigger", event.trigger);
  end(json);
}

void Writer::parameters_set(const trace::ParametersSet& event, TimePoint now) {
  QUELL_CHECK(event.parameters != nullptr);
  (event.is_local ? local_ack_delay_exponent_ : remote_ack_delay_exponent_) =
      event.parameters->ack_delay_exponent;
  JsonText json = begin("quic:parameters_set", now);
  json.word("initiator", event.is_local ? "local" : "remote");
  write_parameters(json, *event.parameters);
  end(json);
}

void Writer::handshake_progress(const trace::HandshakeProgress& event, TimePoint now) {
  using enum trace::HandshakeProgress::Milestone;
  switch (event.milestone) {
    case handshake_keys:
      return write_key("handshake_secret", "tls", nullptr, now);
    case one_rtt_keys: {
      const std::uint64_t first_phase = 0;
      return write_key("1rtt_secret", "tls", &first_phase, now);
    }
    case complete:
    case confirmed:
      break;
  }
  JsonText json = begin("quic:connection_state_updated", now);
  json.word("new", event.milestone == complete ? "handshake_complete" : "handshake_confirmed");
  end(json);
  if (event.alpn.empty()) return;
  JsonText alpn = begin("quic:alpn_information", now);
  alpn.begin_object("chosen_alpn");
  alpn.text("string_value", event.alpn);
  alpn.end_object();
  end(alpn);
}

// Both directions change at once in our stack; the draft names each of them.
void Writer::write_key(std::string_view secret, std::string_view trigger, const std::uint64_t* phase,
                       TimePoint now) {
  for (const Side side : {Side::client, Side::server}) {
    JsonText json = begin("quic:key_updated", now);
    json.word("key_type", fmt::format("{}_{}", word(side), secret));
    if (phase != nullptr) json.number("key_phase", *phase);
    json.word("trigger", trigger);
    end(json);
  }
}

void Writer::key_updated(const trace::KeyUpdated& event, TimePoint now) {
  write_key("1rtt_secret", event.is_remote_initiated ? "remote_update" : "local_update", &event.generation,
            now);
}

void Writer::ecn_state_updated(const trace::EcnStateUpdated& event, TimePoint now) {
  JsonText json = begin("quic:ecn_state_updated", now);
  json.word("old", to_string(event.from));
  json.word("new", to_string(event.to));
  end(json);
}

void Writer::connection_closed(const trace::ConnectionClosed& event, TimePoint now) {
  const std::string_view trigger = close_trigger(event.trigger);
  const bool was_silent = event.trigger == "idle_timeout" || event.trigger == "handshake_timeout" ||
                          event.trigger == "stateless_reset";
  JsonText json = begin("quic:connection_closed", now);
  json.word("initiator", event.is_local ? "local" : "remote");
  // A timeout or a reset carries no code of either side.
  if (!was_silent) {
    const std::string error = event.is_application ? "unknown" : transport_error(event.error_code);
    json.word(event.is_application ? "application_error" : "connection_error", error);
    if (error == "unknown") json.number("error_code", event.error_code);
  }
  if (!event.reason.empty()) json.text("reason", event.reason);
  json.word("trigger", trigger);
  if (trigger != event.trigger && !event.trigger.empty()) json.text("quell_trigger", event.trigger);
  end(json);
  flush();
}

}  // namespace quell::qlog
