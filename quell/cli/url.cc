#include "quell/cli/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace quell::cli {
namespace {

std::unexpected<std::string> bad(std::string_view text, std::string_view why) {
  return std::unexpected(fmt::format("'{}' is no URL that quell can fetch: {}", text, why));
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (failure != std::errc{} || end != text.data() + text.size() || port == 0) return std::nullopt;
  return port;
}

bool is_host_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_';
}
bool is_ipv6_char(char c) {
  return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || (c >= '0' && c <= '9') || c == ':' || c == '.';
}
// Blanks and control characters must have been escaped; the rest is the server's to judge.
bool is_path_char(char c) {
  return static_cast<unsigned char>(c) > 0x20 && static_cast<unsigned char>(c) != 0x7f;
}

}  // namespace

std::string Url::authority() const {
  const std::string name = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return port == 443 ? name : fmt::format("{}:{}", name, port);
}

std::string Url::file_name() const {
  const std::string_view without_query = std::string_view{path}.substr(0, path.find('?'));
  return std::string{without_query.substr(without_query.rfind('/') + 1)};
}

std::expected<Url, std::string> parse_url(std::string_view text) {
  constexpr std::string_view kScheme = "https://";
  if (!text.starts_with(kScheme)) return bad(text, "it must begin with https://");
  std::string_view rest = text.substr(kScheme.size());
  rest = rest.substr(0, rest.find('#'));
  const std::size_t path_at = std::min(rest.find_first_of("/?"), rest.size());
  std::string_view authority = rest.substr(0, path_at);
  const std::string_view path = rest.substr(path_at);
  if (authority.find('@') != std::string_view::npos)
    return bad(text, "user names and passwords are not supported");

  Url url{.text = std::string{text}, .host = {}, .port = 443, .path = std::string{path}};
  if (!url.path.starts_with('/')) url.path.insert(0, "/");
  const bool is_literal = authority.starts_with('[');
  const std::size_t bracket = authority.find(']');
  if (is_literal && bracket == std::string_view::npos)
    return bad(text, "the IPv6 address has no closing bracket");
  const std::size_t host_end = is_literal ? bracket + 1 : std::min(authority.find(':'), authority.size());
  const std::string_view port = authority.substr(host_end);
  if (!port.empty()) {
    const auto number = port.starts_with(':') ? parse_port(port.substr(1)) : std::nullopt;
    if (!number) return bad(text, "the port must be a number from 1 to 65535");
    url.port = *number;
  }
  url.host = is_literal ? authority.substr(1, bracket - 1) : authority.substr(0, host_end);
  if (url.host.empty()) return bad(text, "it names no host");
  if (!std::ranges::all_of(url.host, is_literal ? is_ipv6_char : is_host_char))
    return bad(text, "the host is malformed");
  if (!std::ranges::all_of(url.path, is_path_char))
    return bad(text, "the path holds blanks or control characters");
  return url;
}

}  // namespace quell::cli
