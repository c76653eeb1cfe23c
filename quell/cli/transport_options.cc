#include "quell/cli/transport_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "quell/cc/registry.h"
#include "quell/lab/quantity.h"
#include "quell/net/monotonic_clock.h"
#include "quell/qlog/factory.h"

namespace quell::cli {
namespace {

constexpr std::array<std::pair<std::string_view, AeadKind>, 3> kCiphers{
    std::pair{"aes128", AeadKind::aes_128_gcm},
    {"aes256", AeadKind::aes_256_gcm},
    {"chacha20", AeadKind::chacha20_poly1305}};

std::string known_controllers() {
  std::vector<std::string_view> names;
  for (const cc::Entry& entry : cc::entries()) names.push_back(entry.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string check_controller(const std::string& name) {
  if (cc::find(name) != nullptr) return {};
  return fmt::format("unknown congestion controller '{}'; known are {}", name, known_controllers());
}

std::string check_rate(const std::string& text) {
  const auto rate = lab::parse_rate(text);
  return rate ? std::string{} : rate.error();
}

std::string check_cipher(const std::string& name) {
  if (std::ranges::find(kCiphers, name, &decltype(kCiphers)::value_type::first) != kCiphers.end()) return {};
  return fmt::format("unknown cipher '{}'; known are aes128, aes256, chacha20", name);
}

class QlogSinks final : public SinkFactory {
 public:
  explicit QlogSinks(std::string directory) : directory_(std::move(directory)) {}

  std::unique_ptr<trace::Sink> make_sink(Side side, const ConnectionId& original_destination) override {
    const auto wall = std::chrono::system_clock::now().time_since_epoch();
    const qlog::ReferenceTime reference{net::now(),
                                        std::chrono::duration_cast<std::chrono::microseconds>(wall)};
    auto sink = qlog::make_file_sink(directory_, side, original_destination, reference);
    if (sink) return std::move(*sink);
    fmt::print(stderr, "quell: {}\n", sink.error());
    return nullptr;
  }

 private:
  std::string directory_;
};

}  // namespace

void add_transport_options(CLI::App& command, TransportOptions& options) {
  options.controller = cc::kDefaultController;
  command
      .add_option("--cc", options.controller,
                  fmt::format("Congestion controller of what we send: {}", known_controllers()))
      ->type_name("NAME")
      ->capture_default_str()
      ->check(CLI::Validator{check_controller, ""});
  command.add_option("--qlog", options.qlog_directory, "Write a qlog file per connection into DIR")
      ->type_name("DIR");
  command.add_option("--fixed-rate", options.fixed_rate, "What --cc fixed-rate sends at")
      ->type_name("RATE")
      ->check(CLI::Validator{check_rate, ""});
  // For tests and for hunting bugs; an empty group hides them from --help.
  command.add_option("--ciphers", options.ciphers, "Only these ciphers: aes128, aes256, chacha20")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Validator{check_cipher, ""})
      ->group("");
  command
      .add_option("--key-update-after", options.key_update_after,
                  "Begin a key update after that many packets")
      ->group("");
  command.add_option("--keylog", options.keylog_file, "Append TLS secrets to FILE (SSLKEYLOGFILE format)")
      ->group("");
}

ConnectionConfig to_config(const TransportOptions& options) {
  ConnectionConfig config;
  config.controller = options.controller;
  if (!options.fixed_rate.empty()) config.fixed_rate = *lab::parse_rate(options.fixed_rate);
  config.alpn = {"h3"};
  for (const auto& [name, kind] : kCiphers) {
    if (std::ranges::find(options.ciphers, name) != options.ciphers.end()) config.ciphers.push_back(kind);
  }
  config.key_update_after_packets = options.key_update_after;
  config.keylog_file = options.keylog_file;
  return config;
}

std::expected<std::shared_ptr<SinkFactory>, std::string> make_sinks(const TransportOptions& options) {
  if (options.qlog_directory.empty()) return nullptr;
  std::error_code error;
  std::filesystem::create_directories(options.qlog_directory, error);
  if (error) {
    return std::unexpected(
        fmt::format("cannot create the qlog directory {}: {}", options.qlog_directory, error.message()));
  }
  return std::make_shared<QlogSinks>(options.qlog_directory);
}

}  // namespace quell::cli
