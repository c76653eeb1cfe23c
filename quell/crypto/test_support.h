// How do the crypto tests write bytes and go through the engines?
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "quell/base/check.h"
#include "quell/crypto/aead.h"

namespace quell {

inline std::vector<std::uint8_t> from_hex(std::string_view text) {
  const auto digit = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); };
  QUELL_CHECK(text.size() % 2 == 0);
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(digit(text[i]) << 4 | digit(text[i + 1])));
  }
  return bytes;
}

inline std::string to_hex(Bytes bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

inline constexpr AeadKind kAllAeads[] = {AeadKind::aes_128_gcm, AeadKind::aes_256_gcm,
                                         AeadKind::chacha20_poly1305};

// A test that is run once for every engine of this machine.
class EveryEngine : public testing::TestWithParam<const CryptoEngine*> {
 protected:
  const CryptoEngine& engine() const { return *GetParam(); }
};

inline std::string engine_test_name(const testing::TestParamInfo<const CryptoEngine*>& info) {
  std::string name{info.param->name()};
  std::erase(name, '-');
  return name;
}

}  // namespace quell
