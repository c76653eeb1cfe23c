// What does another program say? Runs it and reads its standard output to the end.
#pragma once

#include <expected>
#include <string>
#include <vector>

namespace quell::cli {

struct ChildOutput {
  std::string text;
  int exit_code = 0;
};

// No shell is in between. Errors are sentences: it did not start, or a signal ended it.
std::expected<ChildOutput, std::string> child_output(const std::string& program,
                                                     const std::vector<std::string>& arguments);

}  // namespace quell::cli
