// Who may read along?
#pragma once

#include <string_view>

namespace quell {

// Hears every TLS secret of a connection as a line of the SSLKEYLOGFILE format, without its end of line.
// Called from within the handshake: must not call back.
class KeyLog {
 public:
  virtual ~KeyLog() = default;
  virtual void on_secret(std::string_view line) = 0;
};

}  // namespace quell
