// How does a command end? The same three codes for all of them.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace quell::cli {

enum ExitCode : int { kFine = 0, kFailed = 1, kUsage = 2 };

// "quell: <message>" on standard error.
template <typename... Args>
void say_error(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  fmt::print(stderr, "quell: {}\n", text);
}

}  // namespace quell::cli
