#include "quell/lab/companion.h"

#include <fmt/format.h>

#include "quell/lab/certificate.h"
#include "quell/lab/connection_setup.h"
#include "quell/lab/relay.h"

namespace quell::lab {
namespace {

constexpr std::size_t kMaxSegments = 44;  // as UDP_SEGMENT takes
constexpr std::string_view kSelf = "self";

Address address(std::uint32_t flow, std::uint8_t host, std::uint16_t port) {
  return Address::v4({10, static_cast<std::uint8_t>(flow >> 8), static_cast<std::uint8_t>(flow), host}, port);
}

// Lets each end's watch hear its one connection.
class WatchOnly final : public SinkFactory {
 public:
  explicit WatchOnly(Watch& watch) : watch_(watch) {}
  std::unique_ptr<trace::Sink> make_sink(Side /*side*/, const ConnectionId& /*original*/) override {
    if (used_) return nullptr;
    used_ = true;
    return std::make_unique<Relay>(watch_);
  }

 private:
  Watch& watch_;
  bool used_ = false;
};

Call make_call(const Variant& variant, std::uint32_t flow, const std::string& controller, TimePoint starts) {
  Call call{address(flow, 1, 50000), address(flow, 2, 443), lab_certificate().client,
            connection_config(variant, controller)};
  call.starts_at = starts;
  return call;
}

}  // namespace

Companion::Companion(const Variant& variant, std::uint32_t flow, const std::string& controller,
                     Duration starts, const Rng& rng)
    : flow_(flow),
      sender_(variant.load.sender),
      controller_(controller),
      client_watch_(false, sim::kStart),
      server_watch_(false, sim::kStart),
      client_laws_(Side::client, has_lawless_window(controller), client_watch_, sim::kStart),
      server_laws_(Side::server, has_lawless_window(controller), server_watch_, sim::kStart),
      load_(make_load(variant.load, make_call(variant, flow, controller, sim::kStart + starts))),
      client_(endpoint_config(variant, Side::client, rng)),
      server_(endpoint_config(variant, Side::server, rng)),
      client_node_(client_, load_->client(), address(flow, 1, 50000), address(flow, 2, 443), kMaxSegments),
      server_node_(server_, load_->server(), address(flow, 2, 443), address(flow, 1, 50000), kMaxSegments) {}

EndpointConfig Companion::endpoint_config(const Variant& variant, Side side, const Rng& rng) {
  EndpointConfig config;
  config.seed = rng.fork(fmt::format("{}-{}", side == Side::client ? "client" : "server", flow_)).next();
  config.sinks = std::make_shared<WatchOnly>(side == Side::client ? client_watch_ : server_watch_);
  if (side == Side::server) {
    config.server = connection_config(variant, controller_);
    config.server.alpn = {load_->alpn()};
    config.server_credentials = lab_certificate().server;
  }
  return config;
}

void Companion::after_turn(Side host, std::optional<TimePoint> next_turn, TimePoint now) {
  const bool is_client = host == Side::client;
  const auto connection = is_client ? load_->client_connection() : load_->server_connection();
  if (!connection) return;
  const auto stats = (is_client ? client_ : server_).stats(*connection, now);
  if (!stats) return;
  const Laws::Facts facts{*stats, host == sender_ && load_->is_data_waiting(now), next_turn};
  (is_client ? client_laws_ : server_laws_).check(facts, now);
}

std::optional<std::string> Companion::failure() const {
  if (const auto failure = load_->failure()) return fmt::format("flow {}: {}", flow_, *failure);
  return std::nullopt;
}

std::vector<std::string> Companion::broken_laws() const {
  std::vector<std::string> broken;
  for (const Laws* laws : {&server_laws_, &client_laws_}) {
    for (const auto& law : laws->broken()) {
      broken.push_back(fmt::format("{} (flow {}, {})", law, flow_, controller_));
    }
  }
  return broken;
}

std::vector<std::unique_ptr<Companion>> make_companions(const Variant& variant, const std::string& self,
                                                        const Rng& rng, sim::Simulation& world) {
  std::vector<std::unique_ptr<Companion>> companions;
  for (const FlowConfig& flow : variant.flows) {
    const auto ordinal = static_cast<std::uint32_t>(companions.size() + 1);
    const std::string& controller = flow.controller == kSelf ? self : flow.controller;
    auto& companion =
        companions.emplace_back(std::make_unique<Companion>(variant, ordinal, controller, flow.starts, rng));
    world.add_flow(companion->client(), variant.client_host, companion->server(), variant.server_host);
    world.set_flow_delay(ordinal, flow.delay);
  }
  return companions;
}

}  // namespace quell::lab
