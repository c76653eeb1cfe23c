#include "quell/qlog/factory.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace quell::qlog {

std::string file_name(Side side, const ConnectionId& original_destination) {
  return original_destination.to_string() + (side == Side::client ? "_client.sqlog" : "_server.sqlog");
}

std::expected<std::unique_ptr<trace::Sink>, std::string> make_file_sink(
    const std::string& directory, Side side, const ConnectionId& original_destination,
    ReferenceTime reference, ErrorReporter report) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) {
    return std::unexpected(fmt::format("cannot make the qlog directory {}: {}", directory, error.message()));
  }
  const auto path = std::filesystem::path(directory) / file_name(side, original_destination);
  auto output = FileOutput::open(path.string(), std::move(report));
  if (!output) return std::unexpected(std::move(output.error()));
  return std::make_unique<Writer>(std::move(*output), side, original_destination, reference);
}

}  // namespace quell::qlog
