#include "quell/crypto/hkdf.h"

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

#include <array>

#include "quell/base/check.h"
#include "quell/base/writer.h"

namespace quell {
namespace {

gnutls_mac_algorithm_t mac_of(HashKind hash) {
  return hash == HashKind::sha384 ? GNUTLS_MAC_SHA384 : GNUTLS_MAC_SHA256;
}

std::size_t size_of(HashKind hash) {
  return hash == HashKind::sha384 ? 48 : 32;
}

gnutls_datum_t datum(Bytes bytes) {
  return {const_cast<unsigned char*>(bytes.data()), static_cast<unsigned>(bytes.size())};
}

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

Secret hkdf_extract(HashKind hash, Bytes salt, Bytes input) {
  Secret out(size_of(hash));
  const gnutls_datum_t key = datum(input);
  const gnutls_datum_t salt_datum = datum(salt);
  const int result = gnutls_hkdf_extract(mac_of(hash), &key, &salt_datum, out.data());
  QUELL_CHECK(result == GNUTLS_E_SUCCESS);
  return out;
}

Secret hkdf_expand_label(HashKind hash, Bytes secret, std::string_view label, std::size_t size) {
  constexpr std::string_view kPrefix = "tls13 ";
  QUELL_CHECK(size <= 255 * size_of(hash));
  QUELL_CHECK(kPrefix.size() + label.size() <= 255);
  std::array<std::uint8_t, 2 + 1 + 255 + 1> space;
  Writer info{space};
  info.u16(static_cast<std::uint16_t>(size));
  info.u8(static_cast<std::uint8_t>(kPrefix.size() + label.size()));
  info.bytes(bytes_of(kPrefix));
  info.bytes(bytes_of(label));
  info.u8(0);  // no context

  Secret out(size);
  const gnutls_datum_t key = datum(secret);
  const gnutls_datum_t info_datum = datum(info.written());
  const int result = gnutls_hkdf_expand(mac_of(hash), &key, &info_datum, out.data(), out.size());
  QUELL_CHECK(result == GNUTLS_E_SUCCESS);
  return out;
}

}  // namespace quell
