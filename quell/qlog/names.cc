#include "quell/qlog/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace quell::qlog {

std::string_view trigger_of(trace::DropReason reason) {
  using enum trace::DropReason;
  switch (reason) {
    case unknown_version:
      return "unsupported";
    case unknown_connection:
      return "connection_unknown";
    case keys_unavailable:
      return "key_unavailable";
    case decryption_failure:
      return "decryption_failure";
    case duplicate:
      return "duplicate";
    case malformed:
    case invalid:
      return "invalid";
    case unexpected:
      return "rejected";
    case reset_received:
      return "general";
  }
  return "general";
}

std::string_view to_string(trace::DropReason reason) {
  using enum trace::DropReason;
  switch (reason) {
    case unknown_version:
      return "unknown_version";
    case unknown_connection:
      return "unknown_connection";
    case keys_unavailable:
      return "keys_unavailable";
    case decryption_failure:
      return "decryption_failure";
    case duplicate:
      return "duplicate";
    case malformed:
      return "malformed";
    case invalid:
      return "invalid";
    case unexpected:
      return "unexpected";
    case reset_received:
      return "stateless_reset";
  }
  return "unknown";
}

std::string_view to_string(trace::LossTrigger trigger) {
  using enum trace::LossTrigger;
  switch (trigger) {
    case reordering_threshold:
      return "reordering_threshold";
    case time_threshold:
      return "time_threshold";
    case pto_expired:
      return "pto_expired";
  }
  return "reordering_threshold";
}

std::string_view to_string(trace::EcnState state) {
  using enum trace::EcnState;
  switch (state) {
    case testing:
      return "testing";
    case unknown:
      return "unknown";
    case failed:
      return "failed";
    case capable:
      return "capable";
  }
  return "unknown";
}

std::string_view close_trigger(std::string_view trigger) {
  static constexpr std::array<std::string_view, 7> kDraft{"idle_timeout",     "application",     "error",
                                                          "version_mismatch", "stateless_reset", "aborted",
                                                          "unspecified"};
  if (std::ranges::find(kDraft, trigger) != kDraft.end()) return trigger;
  if (trigger == "clean") return "application";
  if (trigger == "handshake_timeout") return "aborted";
  return "unspecified";
}

std::string transport_error(std::uint64_t code) {
  if (code >= 0x100 && code <= 0x1ff) return fmt::format("crypto_error_0x{:03x}", code);
  if (code > static_cast<std::uint64_t>(TransportError::no_viable_path)) return "unknown";
  std::string name{quell::to_string(static_cast<TransportError>(code))};
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return name;
}

std::string_view to_string(Ecn ecn) {
  switch (ecn) {
    case Ecn::not_ect:
      return "Not-ECT";
    case Ecn::ect1:
      return "ECT(1)";
    case Ecn::ect0:
      return "ECT(0)";
    case Ecn::ce:
      return "CE";
  }
  return "Not-ECT";
}

}  // namespace quell::qlog
