// Which file does a request path name? A relative path without tricks, or none.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quell::cli {

// Decodes %XX, drops the query, and gives the path relative to the root: "" for "/". A trailing slash stays,
// to tell directories. Nothing when the path does not begin with a slash, has a segment "." or "..", an empty
// segment in the middle, a NUL, a backslash, a slash that was encoded, or an escape that is none. What this
// lets through cannot climb; symbolic links are the document root's.
std::optional<std::string> to_relative_path(std::string_view request_path);

}  // namespace quell::cli
