// What has the user asked for? An https URL, taken apart (RFC 3986, RFC 9110 §4.2.2).
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace quell::cli {

struct Url {
  std::string text;  // as given
  std::string host;  // without brackets
  std::uint16_t port = 443;
  std::string path = "/";  // with the query, without the fragment
  // What goes into :authority: the port only when it is not 443.
  std::string authority() const;
  // The last segment of the path, for -O; empty for a directory.
  std::string file_name() const;
};
// Error: a sentence that quotes the URL.
std::expected<Url, std::string> parse_url(std::string_view text);

}  // namespace quell::cli
