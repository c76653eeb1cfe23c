#include "quell/qlog/parameters.h"

namespace quell::qlog {
namespace {

std::uint64_t whole_milliseconds(Duration d) {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(d).count());
}

void write_id(JsonText& json, std::string_view key, const std::optional<ConnectionId>& id) {
  if (id) json.hex(key, id->bytes());
}

}  // namespace

void write_parameters(JsonText& json, const TransportParameters& p) {
  write_id(json, "original_destination_connection_id", p.original_destination_connection_id);
  write_id(json, "initial_source_connection_id", p.initial_source_connection_id);
  write_id(json, "retry_source_connection_id", p.retry_source_connection_id);
  json.boolean("disable_active_migration", p.disable_active_migration);
  json.number("max_idle_timeout", whole_milliseconds(p.max_idle_timeout));
  json.number("max_udp_payload_size", p.max_udp_payload_size);
  json.number("ack_delay_exponent", p.ack_delay_exponent);
  json.number("max_ack_delay", whole_milliseconds(p.max_ack_delay));
  json.number("active_connection_id_limit", p.active_connection_id_limit);
  json.number("initial_max_data", p.initial_max_data);
  json.number("initial_max_stream_data_bidi_local", p.initial_max_stream_data_bidi_local);
  json.number("initial_max_stream_data_bidi_remote", p.initial_max_stream_data_bidi_remote);
  json.number("initial_max_stream_data_uni", p.initial_max_stream_data_uni);
  json.number("initial_max_streams_bidi", p.initial_max_streams_bidi);
  json.number("initial_max_streams_uni", p.initial_max_streams_uni);
  if (p.max_datagram_frame_size != 0) json.number("max_datagram_frame_size", p.max_datagram_frame_size);
}

}  // namespace quell::qlog
