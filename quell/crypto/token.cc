#include "quell/crypto/token.h"

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

#include <algorithm>

#include "quell/base/check.h"
#include "quell/base/reader.h"
#include "quell/base/writer.h"
#include "quell/crypto/aead.h"

namespace quell {
namespace {

// The first byte says what a token is for, so that tokens for NEW_TOKEN frames can never pass as Retry
// tokens.
constexpr std::uint8_t kRetryKind = 0x01;
// Kind, nonce, then sealed: when it was made, and two connection IDs with their lengths.
constexpr std::size_t kClearSize = 1 + kAeadNonceSize;
constexpr std::size_t kMaxSealedSize = 8 + 2 * (1 + ConnectionId::kMaxSize) + kAeadTagSize;

struct Context {
  std::array<std::uint8_t, 1 + 1 + 16 + 2> space{};
  std::size_t size = 0;
  Bytes bytes() const { return Bytes{space}.first(size); }
};

// What a token is bound to and does not carry: its kind and the client's address and port.
Context context_of(std::uint8_t kind, const Address& client) {
  Context context;
  Writer out{context.space};
  out.u8(kind);
  out.u8(static_cast<std::uint8_t>(client.family()));
  out.bytes(client.ip());
  out.u16(client.port());
  context.size = out.position();
  return context;
}

void write_id(Writer& out, const ConnectionId& id) {
  out.u8(static_cast<std::uint8_t>(id.size()));
  out.bytes(id.bytes());
}

// Tokens are authentic when this is called: a length that does not fit is our own bug, not a peer's.
ConnectionId read_id(Reader& in) {
  const std::size_t size = in.u8();
  return ConnectionId{in.bytes(size)};
}

}  // namespace

TokenKey::TokenKey(Random& random) {
  random.fill(aead_key_);
  random.fill(reset_key_);
}

std::vector<std::uint8_t> TokenKey::make_retry_token(const Address& client,
                                                     const ConnectionId& original_destination,
                                                     const ConnectionId& retry_source, TimePoint now,
                                                     Random& random) const {
  Nonce nonce;
  random.fill(nonce);
  std::array<std::uint8_t, kClearSize + kMaxSealedSize> space;
  Writer out{space};
  out.u8(kRetryKind);
  out.bytes(nonce);
  out.u64(static_cast<std::uint64_t>(now.time_since_epoch().count()));
  write_id(out, original_destination);
  write_id(out, retry_source);
  out.advance(kAeadTagSize);

  const MutableBytes token = out.written();
  const Context context = context_of(kRetryKind, client);
  default_engine()
      .make_aead(AeadKind::aes_128_gcm, aead_key_)
      ->seal(nonce, context.bytes(), token.subspan(kClearSize));
  return {token.begin(), token.end()};
}

std::optional<TokenKey::RetryToken> TokenKey::open_retry_token(Bytes token, const Address& client,
                                                               Duration lifetime, TimePoint now) const {
  if (token.size() < kClearSize + kAeadTagSize || token.size() > kClearSize + kMaxSealedSize)
    return std::nullopt;
  if (token[0] != kRetryKind) return std::nullopt;
  Nonce nonce;
  std::copy_n(token.begin() + 1, nonce.size(), nonce.begin());
  std::array<std::uint8_t, kMaxSealedSize> space;
  const Bytes sealed = token.subspan(kClearSize);
  std::copy(sealed.begin(), sealed.end(), space.begin());
  const MutableBytes opened = MutableBytes{space}.first(sealed.size());
  const Context context = context_of(kRetryKind, client);
  if (!default_engine().make_aead(AeadKind::aes_128_gcm, aead_key_)->open(nonce, context.bytes(), opened)) {
    return std::nullopt;
  }

  Reader in{opened.first(opened.size() - kAeadTagSize)};
  const TimePoint made_at{Duration{static_cast<std::int64_t>(in.u64())}};
  const RetryToken result{.original_destination = read_id(in), .retry_source = read_id(in)};
  QUELL_CHECK(in.ok());
  if (now - made_at > lifetime) return std::nullopt;
  return result;
}

StatelessResetToken TokenKey::reset_token(const ConnectionId& id) const {
  std::array<std::uint8_t, 32> mac;
  const int result = gnutls_hmac_fast(GNUTLS_MAC_SHA256, reset_key_.data(), reset_key_.size(),
                                      id.bytes().data(), id.size(), mac.data());
  QUELL_CHECK(result == GNUTLS_E_SUCCESS);
  StatelessResetToken token;
  std::copy_n(mac.begin(), token.size(), token.begin());
  return token;
}

}  // namespace quell
