#include "quell/lab/ended_text.h"

#include <fmt/format.h>

namespace quell::lab {
namespace {

const char* name_of(ConnectionEnded::Cause cause) {
  using Cause = ConnectionEnded::Cause;
  switch (cause) {
    case Cause::local_close:
      return "closed by us";
    case Cause::peer_close:
      return "closed by the peer";
    case Cause::local_error:
      return "the peer broke the protocol";
    case Cause::idle_timeout:
      return "idle timeout";
    case Cause::handshake_timeout:
      return "handshake timeout";
    case Cause::stateless_reset:
      return "stateless reset";
    case Cause::version_mismatch:
      return "no version in common";
    case Cause::unreachable:
      return "unreachable";
  }
  return "ended";
}

}  // namespace

std::string describe(const ConnectionEnded& ended) {
  std::string text = name_of(ended.cause);
  if (!ended.reason.empty()) text += ": " + ended.reason;
  if (ended.error_code != 0) text += fmt::format(" (error 0x{:x})", ended.error_code);
  return text;
}

}  // namespace quell::lab
