#include "quell/base/rng.h"

#include <bit>
#include <cmath>
#include <cstddef>

#include "quell/base/check.h"

namespace quell {
namespace {

std::uint64_t splitmix64(std::uint64_t& x) {
  x += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = x;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Rng::Rng(std::uint64_t seed) : state_{} {
  for (auto& word : state_) word = splitmix64(seed);
}

Rng Rng::fork(std::string_view label) const {
  std::uint64_t seed = 0xcbf29ce484222325ULL;  // FNV-1a over the label, then over the parent's state
  for (char c : label) seed = (seed ^ static_cast<std::uint8_t>(c)) * 0x100000001b3ULL;
  for (auto word : state_) seed = (seed ^ word) * 0x100000001b3ULL + (seed >> 29);
  return Rng{seed};
}

std::uint64_t Rng::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Rng::below(std::uint64_t bound) {
  QUELL_CHECK(bound > 0);
  const std::uint64_t reject_below = (0 - bound) % bound;  // keeps the draw exactly uniform
  for (;;) {
    const std::uint64_t draw = next();
    if (draw >= reject_below) return draw % bound;
  }
}

double Rng::real() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

bool Rng::chance(double p) {
  return real() < p;
}

double Rng::exponential(double mean) {
  return -mean * std::log1p(-real());
}

void Rng::fill(MutableBytes out) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (i % 8 == 0) word = next();
    out[i] = static_cast<std::uint8_t>(word >> (8 * (i % 8)));
  }
}

}  // namespace quell
