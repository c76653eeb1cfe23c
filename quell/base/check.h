// What happens when we ourselves are wrong? The process stops and says where. On in every build.
#pragma once

namespace quell {

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace quell

// Check one fact per line: the message is the condition.
#define QUELL_CHECK(condition)                               \
  do {                                                       \
    if (!(condition)) [[unlikely]] {                         \
      ::quell::check_failed(#condition, __FILE__, __LINE__); \
    }                                                        \
  } while (false)
