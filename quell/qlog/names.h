// By what words does the qlog draft know what happened? (draft-ietf-quic-qlog-quic-events-13)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "quell/trace/event.h"

namespace quell::qlog {

// The schemas that our records use. The draft's number must follow until the RFC is out.
inline constexpr std::string_view kFileSchema = "urn:ietf:params:qlog:file:sequential";
inline constexpr std::string_view kSerialization = "application/qlog+json-seq";
inline constexpr std::string_view kQuicSchema = "urn:ietf:params:qlog:events:quic-13";
// Choice: we own no domain to name a private schema by, so ours are unregistered URNs. The first defines the
// namespace `quell`, the second extends events of `quic` with fields of ours (main schema, "Event Schema
// URIs").
inline constexpr std::string_view kQuellSchema = "urn:x-quell:qlog:events:quell";
inline constexpr std::string_view kQuicExtensionSchema = "urn:x-quell:qlog:events:quic#quell";

std::string_view trigger_of(trace::DropReason reason);
// The finer word of ours, where the draft's trigger is coarser.
std::string_view to_string(trace::DropReason reason);
std::string_view to_string(trace::LossTrigger trigger);
std::string_view to_string(trace::EcnState state);
// The draft's closed list has no word for every trigger of ours; those become "aborted" or "unspecified".
std::string_view close_trigger(std::string_view trigger);
// "protocol_violation", "crypto_error_0x12a"; "unknown" where the draft has no word.
std::string transport_error(std::uint64_t code);
std::string_view to_string(Ecn ecn);

}  // namespace quell::qlog
