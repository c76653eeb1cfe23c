#include "quell/crypto/keylog.h"

#include <fcntl.h>
#include <unistd.h>

#include <string_view>

namespace quell {
namespace {

void append_hex(std::string& text, const gnutls_datum_t& bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  for (unsigned i = 0; i < bytes.size; ++i) {
    text += kDigits[bytes.data[i] >> 4];
    text += kDigits[bytes.data[i] & 15];
  }
}

}  // namespace

std::string keylog_line(gnutls_session_t session, const char* label, const gnutls_datum_t& secret) {
  gnutls_datum_t client_random{};
  gnutls_datum_t server_random{};
  gnutls_session_get_random(session, &client_random, &server_random);
  std::string line = std::string{label} + ' ';
  append_hex(line, client_random);
  line += ' ';
  append_hex(line, secret);
  return line;
}

// One write of a whole line to a descriptor in append mode: lines of several workers do not mix.
void append_keylog_line(const std::string& file, std::string line) {
  line += '\n';
  const int descriptor = open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return;
  [[maybe_unused]] const ssize_t written = write(descriptor, line.data(), line.size());
  close(descriptor);
}

}  // namespace quell
