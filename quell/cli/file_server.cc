#include "quell/cli/file_server.h"

#include <fmt/format.h>

#include <charconv>

#include "quell/cli/byte_range.h"
#include "quell/cli/media_types.h"
#include "quell/cli/request_path.h"

namespace quell::cli {
namespace {

http3::Response short_answer(std::uint32_t status, std::string_view text, bool is_head) {
  const std::string line = fmt::format("{} {}\n", status, text);
  http3::Response response{
      .status = status, .fields = {{"content-type", "text/plain; charset=utf-8"}}, .body = nullptr};
  if (is_head) {
    response.fields.push_back({"content-length", std::to_string(line.size())});
  } else {
    response.body = std::make_unique<http3::MemoryBody>(line);
  }
  return response;
}

// "/1000000" under --generate. Choice: at most a pebibyte; more is a typing error.
std::optional<ByteCount> generated_size(std::string_view path) {
  constexpr ByteCount kLargest = ByteCount{1} << 50;
  const std::string_view digits = path.substr(1, path.find('?') - 1);
  ByteCount size = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  if (digits.empty() || failure != std::errc{} || end != digits.data() + digits.size() || size > kLargest)
    return std::nullopt;
  return size;
}

}  // namespace

http3::Response FileServer::answer(const http3::RequestReceived& request) const {
  const bool is_head = request.method == "HEAD";
  if (!is_head && request.method != "GET") {
    http3::Response response = short_answer(405, "Method Not Allowed", false);
    response.fields.push_back({"allow", "GET, HEAD"});
    return response;
  }
  const auto content = find(request.path);
  if (!content) return short_answer(404, "Not Found", is_head);

  // RFC 9110 §14.2: Range has a meaning for GET only.
  const auto field = is_head ? std::nullopt : http3::find(request.fields, "range");
  const ByteRange range = parse_byte_range(field.value_or(""), content->size);
  if (range.kind == ByteRange::Kind::unsatisfiable) {
    http3::Response response = short_answer(416, "Range Not Satisfiable", false);
    response.fields.push_back({"content-range", fmt::format("bytes */{}", content->size)});
    return response;
  }
  const bool is_part = range.kind == ByteRange::Kind::part;
  const ByteCount size = is_part ? range.last - range.first + 1 : content->size;
  http3::Response response{.status = is_part ? 206U : 200U,
                           .fields = {{"content-type", content->type},
                                      {"content-length", std::to_string(size)},
                                      {"accept-ranges", "bytes"}},
                           .body = nullptr};
  if (is_part) {
    response.fields.push_back(
        {"content-range", fmt::format("bytes {}-{}/{}", range.first, range.last, content->size)});
  }
  if (!is_head) response.body = body_of(*content, range.first, size);
  return response;
}

// All that is not to be had looks the same from outside: a probing client learns nothing of what lies beyond
// the root.
std::optional<FileServer::Content> FileServer::find(std::string_view path) const {
  if (!path.starts_with('/')) return std::nullopt;
  if (options_.generate) {
    if (const auto size = generated_size(path)) return Content{*size, "application/octet-stream", nullptr};
  }
  const auto relative = to_relative_path(path);
  if (!relative || !options_.root) return std::nullopt;
  auto file = options_.root->find(*relative);
  if (!file) return std::nullopt;
  return Content{file->size, std::string{media_type(file->path)}, std::move(file->fd)};
}

http3::BodyPtr FileServer::body_of(const Content& content, ByteCount first, ByteCount size) const {
  if (content.file == nullptr) return std::make_unique<http3::GeneratedBody>(size, first);
  return std::make_unique<FileBody>(content.file, first, size, pool_);
}

}  // namespace quell::cli
