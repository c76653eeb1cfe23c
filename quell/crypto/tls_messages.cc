#include "quell/crypto/tls_messages.h"

#include <algorithm>

#include "quell/crypto/tls_alert.h"

namespace quell {
namespace {

// RFC 8446 §4.
constexpr std::uint8_t kNewSessionTicket = 4;
constexpr std::uint8_t kCertificateRequest = 13;

std::size_t body_size(Bytes header) {
  return std::size_t{header[1]} << 16 | std::size_t{header[2]} << 8 | header[3];
}

Result<void> check_type(std::uint8_t type) {
  if (type == kNewSessionTicket) return {};
  if (type == kCertificateRequest) {
    return fail(TransportError::protocol_violation, "the server asked for a certificate after the handshake");
  }
  return fail(crypto_error(kAlertUnexpectedMessage), "a TLS message came after the handshake");
}

}  // namespace

Result<std::optional<Bytes>> TlsMessageCutter::next(Bytes& data) {
  if (handed_out_) message_.clear();
  handed_out_ = false;
  take(data, kTlsMessageHeaderSize);
  if (message_.size() < kTlsMessageHeaderSize) return std::nullopt;
  const std::size_t size = kTlsMessageHeaderSize + body_size(message_);
  if (size > limit_)
    return fail(TransportError::crypto_buffer_exceeded, "a TLS message is larger than allowed");
  take(data, size);
  if (message_.size() < size) return std::nullopt;
  handed_out_ = true;
  return Bytes{message_};
}

void TlsMessageCutter::take(Bytes& data, std::size_t wanted_size) {
  if (message_.size() >= wanted_size) return;
  const std::size_t count = std::min(data.size(), wanted_size - message_.size());
  message_.insert(message_.end(), data.begin(), data.begin() + static_cast<std::ptrdiff_t>(count));
  data = data.subspan(count);
}

Result<void> PostHandshakeSkipper::skip(Bytes data) {
  while (!data.empty()) {
    if (header_bytes_seen_ < kTlsMessageHeaderSize) {
      if (header_bytes_seen_ == 0) {
        if (const auto allowed = check_type(data[0]); !allowed) return allowed;
      } else {
        body_left_ = body_left_ << 8 | data[0];
      }
      ++header_bytes_seen_;
      data = data.subspan(1);
    } else {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(body_left_, data.size()));
      body_left_ -= count;
      data = data.subspan(count);
    }
    if (header_bytes_seen_ == kTlsMessageHeaderSize && body_left_ == 0) header_bytes_seen_ = 0;
  }
  return {};
}

}  // namespace quell
