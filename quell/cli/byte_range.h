// Which part of a file does a Range field ask for? (RFC 9110 §14)
#pragma once

#include <cstdint>
#include <string_view>

#include "quell/base/units.h"

namespace quell::cli {

struct ByteRange {
  enum class Kind : std::uint8_t {
    whole,          // no range, or one that we may ignore: several, other units, malformed
    part,           // `first` to `last`, both within the file
    unsatisfiable,  // 416
  };
  Kind kind = Kind::whole;
  ByteCount first = 0;
  ByteCount last = 0;
  bool operator==(const ByteRange&) const = default;
};

// Choice: of several ranges none is served; the whole file is a right answer (RFC 9110 §14.2), and multipart
// bodies are not worth their amplification.
ByteRange parse_byte_range(std::string_view field, ByteCount size);

}  // namespace quell::cli
