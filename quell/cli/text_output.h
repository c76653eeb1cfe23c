// Where does a result go that a person or a program asked for? To a file, or to standard output.
#pragma once

#include <string>

namespace quell::cli {

// `path`: a file, or "-" for standard output. Empty, or a sentence about what could not be written.
std::string write_text(const std::string& path, const std::string& text);

}  // namespace quell::cli
