// Which options of the transport do `serve` and `get` share?
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "quell/connection/config.h"

namespace quell::cli {

struct TransportOptions {
  std::string controller;
  std::string fixed_rate;      // "10 Mbit/s", of the controller of that name; empty: its default
  std::string qlog_directory;  // empty: none
  std::vector<std::string> ciphers;
  std::uint64_t key_update_after = 0;
  std::string keylog_file;
};

void add_transport_options(CLI::App& command, TransportOptions& options);

// With ALPN "h3".
ConnectionConfig to_config(const TransportOptions& options);

// Null when no qlog is wanted. Error: a sentence that names the directory.
std::expected<std::shared_ptr<SinkFactory>, std::string> make_sinks(const TransportOptions& options);

}  // namespace quell::cli
