// Which controllers did the user mean? Names that come with the program, or shared libraries of their own
// (quell/cc/plugin.h).
#pragma once

#include <expected>
#include <string>
#include <vector>

namespace quell::lab {

// The names under which cc/registry knows them, in the order asked for. Whatever ends in ".so" or contains a
// slash is a file, which is loaded, once, and stays for as long as the process lives. Errors are sentences.
// Not while a batch runs.
std::expected<std::vector<std::string>, std::string> choose_controllers(
    const std::vector<std::string>& names_or_files);

// What the user has to write to mean this controller again: its name, or the file it came from.
std::string spelling_of(const std::string& controller);

}  // namespace quell::lab
