// Does a record keep the rules of the qlog draft? For tests only: the fields of each event's CDDL, as far as
// we write them.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace quell::qlog::test {

using Json = nlohmann::json;

// "name:type" per field; a trailing '!' marks a required one. Types: n(umber), u(nsigned), s(tring), b(ool),
// x (hex string), o(bject), a(rray). After '|' stand extension fields of ours.
using Rules = std::map<std::string_view, std::string_view>;

inline const Rules kEventRules{
    {"quic:connection_started", "local:o! remote:o! | congestion_controller:s"},
    {"quic:connection_closed",
     "initiator:s connection_error:s application_error:s error_code:u internal_code:u reason:s trigger:s | "
     "quell_trigger:s"},
    {"quic:connection_state_updated", "old:s new:s!"},
    {"quic:alpn_information", "server_alpns:a client_alpns:a chosen_alpn:o"},
    {"quic:parameters_set",
     "initiator:s original_destination_connection_id:x initial_source_connection_id:x "
     "retry_source_connection_id:x "
     "disable_active_migration:b max_idle_timeout:u max_udp_payload_size:u ack_delay_exponent:u "
     "max_ack_delay:u "
     "active_connection_id_limit:u initial_max_data:u initial_max_stream_data_bidi_local:u "
     "initial_max_stream_data_bidi_remote:u initial_max_stream_data_uni:u initial_max_streams_bidi:u "
     "initial_max_streams_uni:u max_datagram_frame_size:u"},
    {"quic:packet_sent", "header:o! frames:a raw:o trigger:s | ecn:s"},
    {"quic:packet_received", "header:o! frames:a raw:o trigger:s | ecn:s"},
    {"quic:packet_dropped", "header:o raw:o details:o trigger:s"},
    {"quic:packet_lost", "header:o frames:a trigger:s | raw:o"},
    {"quic:key_updated", "key_type:s! key_phase:u trigger:s"},
    {"quic:recovery_metrics_updated",
     "min_rtt:n smoothed_rtt:n latest_rtt:n rtt_variance:n pto_count:u congestion_window:u bytes_in_flight:u "
     "ssthresh:u "
     "packets_in_flight:u pacing_rate:u | max_datagram_size:u total_delivered:u total_lost:u growth_clock:n "
     "floor_rounds_without_loss:u "
     "is_window_limited:b"},
    {"quic:congestion_state_updated", "old:s new:s! trigger:s"},
    {"quic:ecn_state_updated", "old:s new:s!"},
    {"quell:spurious_loss", "header:o!"},
};

inline const Rules kFrameRules{
    {"padding", "raw:o"},
    {"ping", "raw:o"},
    {"ack", "ack_delay:n acked_ranges:a ect1:u ect0:u ce:u"},
    {"reset_stream", "stream_id:u! error:s! error_code:u final_size:u!"},
    {"stop_sending", "stream_id:u! error:s! error_code:u"},
    {"crypto", "offset:u! raw:o!"},
    {"new_token", "token:o!"},
    {"stream", "stream_id:u! offset:u fin:b raw:o"},
    {"max_data", "maximum:u!"},
    {"max_stream_data", "stream_id:u! maximum:u!"},
    {"max_streams", "stream_type:s! maximum:u!"},
    {"data_blocked", "limit:u!"},
    {"stream_data_blocked", "stream_id:u! limit:u!"},
    {"streams_blocked", "stream_type:s! limit:u!"},
    {"new_connection_id", "sequence_number:u! retire_prior_to:u! connection_id:x!"},
    {"retire_connection_id", "sequence_number:u!"},
    {"path_challenge", "data:x"},
    {"path_response", "data:x"},
    {"connection_close", "error_space:s error:s error_code:u reason:s reason_bytes:x trigger_frame_type:u"},
    {"handshake_done", ""},
    {"unknown", "frame_type_bytes:u! raw:o"},
};

// The closed lists of words, by event and field.
inline const std::map<std::string_view, std::set<std::string>> kWords{
    {"quic:connection_closed/trigger",
     {"idle_timeout", "application", "error", "version_mismatch", "stateless_reset", "aborted",
      "unspecified"}},
    {"quic:connection_closed/initiator", {"local", "remote"}},
    {"quic:parameters_set/initiator", {"local", "remote"}},
    {"quic:packet_sent/trigger",
     {"retransmit_reordered", "retransmit_timeout", "pto_probe", "retransmit_crypto", "cc_bandwidth_probe"}},
    {"quic:packet_received/trigger", {"keys_available"}},
    {"quic:packet_dropped/trigger",
     {"internal_error", "rejected", "unsupported", "invalid", "duplicate", "connection_unknown",
      "decryption_failure", "key_unavailable", "general"}},
    {"quic:packet_lost/trigger", {"reordering_threshold", "time_threshold", "pto_expired"}},
    {"quic:key_updated/trigger", {"tls", "remote_update", "local_update"}},
    {"quic:key_updated/key_type",
     {"server_initial_secret", "client_initial_secret", "server_handshake_secret", "client_handshake_secret",
      "server_0rtt_secret", "client_0rtt_secret", "server_1rtt_secret", "client_1rtt_secret"}},
    {"quic:ecn_state_updated/new", {"testing", "unknown", "failed", "capable"}},
    {"stream_type", {"unidirectional", "bidirectional"}},
    {"packet_type",
     {"initial", "handshake", "0RTT", "1RTT", "retry", "version_negotiation", "stateless_reset", "unknown"}},
};

inline bool has_type(const Json& value, char type) {
  switch (type) {
    case 'n':
      return value.is_number();
    case 'u':
      return value.is_number_unsigned();
    case 's':
      return value.is_string();
    case 'b':
      return value.is_boolean();
    case 'o':
      return value.is_object();
    case 'a':
      return value.is_array();
    case 'x':
      return value.is_string() &&
             value.get_ref<const std::string&>().find_first_not_of("0123456789abcdef") == std::string::npos &&
             value.get_ref<const std::string&>().size() % 2 == 0;
    default:
      return false;
  }
}

// Empty when `object` keeps the rule, else what is wrong.
inline std::string check_fields(const Json& object, std::string_view rule, std::string_view where) {
  std::map<std::string, char> types;
  std::istringstream words{std::string(rule)};
  for (std::string word; words >> word;) {
    if (word == "|") continue;
    const std::string key = word.substr(0, word.find(':'));
    types[key] = word[key.size() + 1];
    if (word.back() == '!' && !object.contains(key)) return std::string(where) + " lacks " + key;
  }
  for (const auto& [key, value] : object.items()) {
    if (key == "frame_type") continue;
    if (!types.contains(key)) return std::string(where) + " has the unknown field " + key;
    if (!has_type(value, types[key])) return std::string(where) + ": " + key + " has the wrong type";
    const auto allowed = kWords.find(std::string(where) + "/" + key);
    if (allowed != kWords.end() && !allowed->second.contains(value.get<std::string>())) {
      return std::string(where) + ": " + key + " may not be " + value.dump();
    }
  }
  return {};
}

inline std::string check_frame(const Json& frame) {
  const std::string type = frame.value("frame_type", "");
  if (!kFrameRules.contains(type)) return "no such frame type: " + type;
  if (frame.contains("stream_type") && !kWords.at("stream_type").contains(frame["stream_type"]))
    return "stream_type";
  return check_fields(frame, kFrameRules.at(type), type);
}

inline std::string check_event(const Json& record) {
  if (!record.contains("time") || !record["time"].is_number()) return "no time";
  const std::string name = record.value("name", "");
  if (!kEventRules.contains(name)) return "no such event: " + name;
  const Json& data = record.at("data");
  if (std::string wrong = check_fields(data, kEventRules.at(name), name); !wrong.empty()) return wrong;
  if (data.contains("header")) {
    const std::string type = data["header"].value("packet_type", "");
    if (!kWords.at("packet_type").contains(type)) return name + ": packet_type may not be " + type;
  }
  if (data.contains("frames")) {
    for (const Json& frame : data["frames"]) {
      if (std::string wrong = check_frame(frame); !wrong.empty()) return name + ": " + wrong;
    }
  }
  return {};
}

// The records of a JSON-SEQ text (RFC 7464), separators and line ends taken off. Empty when the text is not
// one.
inline std::vector<std::string> split_records(std::string_view text) {
  std::vector<std::string> records;
  while (!text.empty()) {
    const std::size_t end = text.find("\n");
    if (text.front() != '\x1e' || end == std::string_view::npos) return {};
    records.emplace_back(text.substr(1, end - 1));
    text.remove_prefix(end + 1);
  }
  return records;
}

}  // namespace quell::qlog::test
