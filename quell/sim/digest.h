// Was it the same world? 64 bits over every packet's time, size and fate; equal runs give equal digests on
// every machine.
#pragma once

#include <cstdint>
#include <string>

namespace quell::sim {

class Digest {
 public:
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9e3779b97f4a7c15ULL;
    state_ ^= state_ >> 29;
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x2545f4914f6cdd1dULL;
};

// 16 hexadecimal digits.
std::string to_hex(std::uint64_t digest);

}  // namespace quell::sim
