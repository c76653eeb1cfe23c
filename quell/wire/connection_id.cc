#include "quell/wire/connection_id.h"

#include <bit>

namespace quell {
namespace {

// The state and round of SipHash, cut to one round per word and three at the end (SipHash-1-3): enough for a
// table whose key changes with every process, and cheap beside the decryption that follows the lookup.
struct Sip {
  std::uint64_t a, b, c, d;

  explicit Sip(std::uint64_t key)
      : a(key ^ 0x736f6d6570736575ULL),
        b(~key ^ 0x646f72616e646f6dULL),
        c(key ^ 0x6c7967656e657261ULL),
        d(~key ^ 0x7465646279746573ULL) {}

  void round() {
    a += b;
    b = std::rotl(b, 13) ^ a;
    a = std::rotl(a, 32);
    c += d;
    d = std::rotl(d, 16) ^ c;
    a += d;
    d = std::rotl(d, 21) ^ a;
    c += b;
    b = std::rotl(b, 17) ^ c;
    c = std::rotl(c, 32);
  }
  void absorb(std::uint64_t word) {
    d ^= word;
    round();
    a ^= word;
  }
  std::uint64_t finish() {
    c ^= 0xff;
    round();
    round();
    round();
    return a ^ b ^ c ^ d;
  }
};

}  // namespace

std::string ConnectionId::to_string() const {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  text.reserve(std::size_t{size_} * 2);
  for (const std::uint8_t byte : bytes()) {
    text += kHex[byte >> 4];
    text += kHex[byte & 15];
  }
  return text;
}

std::size_t ConnectionIdHash::operator()(const ConnectionId& id) const {
  std::array<std::uint64_t, 3> words{};
  std::memcpy(words.data(), id.bytes_.data(), id.bytes_.size());
  words.back() ^= std::uint64_t{id.size_} << 56;  // so that a trailing zero counts
  Sip sip{key};
  for (const std::uint64_t word : words) sip.absorb(word);
  return static_cast<std::size_t>(sip.finish());
}

}  // namespace quell
