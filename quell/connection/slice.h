// How does data that waits for acknowledgement stay alive without being copied? As a view with a shared
// owner.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "quell/base/units.h"

namespace quell {

// `bytes` stays valid and unchanged as long as `owner` lives.
struct Slice {
  std::shared_ptr<const void> owner;
  Bytes bytes;

  static Slice copy_of(Bytes data) {
    auto storage = std::make_shared<std::vector<std::uint8_t>>(data.begin(), data.end());
    const Bytes view{*storage};
    return Slice{std::move(storage), view};
  }
  static Slice adopt(std::vector<std::uint8_t> data) {
    auto storage = std::make_shared<std::vector<std::uint8_t>>(std::move(data));
    const Bytes view{*storage};
    return Slice{std::move(storage), view};
  }
};

}  // namespace quell
