// How many fields has this struct? So that a test notices a field that was added and not looked after.
#pragma once

#include <cstddef>

namespace quell::lab::test {

// Stands for a value of any type; never evaluated.
struct Anything {
  template <typename T>
  operator T() const;  // NOLINT(google-explicit-constructor): that it converts is its purpose
};

// For aggregates without arrays and bases.
template <typename T, typename... Fields>
consteval std::size_t field_count() {
  if constexpr (requires { T{Fields{}..., Anything{}}; }) {
    return field_count<T, Fields..., Anything>();
  } else {
    return sizeof...(Fields);
  }
}

}  // namespace quell::lab::test
