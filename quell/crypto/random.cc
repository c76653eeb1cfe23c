#include "quell/crypto/random.h"

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

#include <algorithm>
#include <array>

#include "quell/base/check.h"

namespace quell {
namespace {

class SystemRandom final : public Random {
 public:
  ~SystemRandom() override { gnutls_memset(block_.data(), 0, block_.size()); }
  void fill(MutableBytes out) override {
    while (!out.empty()) {
      if (used_ == block_.size()) refill();
      const std::size_t count = std::min(out.size(), block_.size() - used_);
      std::copy_n(block_.begin() + static_cast<std::ptrdiff_t>(used_), count, out.begin());
      used_ += count;
      out = out.subspan(count);
    }
  }

 private:
  void refill() {
    const int result = gnutls_rnd(GNUTLS_RND_RANDOM, block_.data(), block_.size());
    QUELL_CHECK(result == GNUTLS_E_SUCCESS);
    used_ = 0;
  }

  // Choice: 256 bytes, some dozen connection IDs, between two calls of the library.
  std::array<std::uint8_t, 256> block_{};
  std::size_t used_ = block_.size();
};

class SeededRandom final : public Random {
 public:
  explicit SeededRandom(Rng rng) : rng_(rng) {}
  void fill(MutableBytes out) override { rng_.fill(out); }

 private:
  Rng rng_;
};

}  // namespace

std::uint64_t Random::u64() {
  std::array<std::uint8_t, 8> bytes;
  fill(bytes);
  std::uint64_t value = 0;
  for (const std::uint8_t byte : bytes) value = value << 8 | byte;
  return value;
}

std::unique_ptr<Random> make_system_random() {
  return std::make_unique<SystemRandom>();
}

std::unique_ptr<Random> make_seeded_random(Rng rng) {
  return std::make_unique<SeededRandom>(rng);
}

}  // namespace quell
