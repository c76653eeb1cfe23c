#include "quell/lab/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "quell/base/check.h"
#include "quell/cc/registry.h"
#include "quell/lab/certificate.h"
#include "quell/lab/companion.h"
#include "quell/lab/connection_setup.h"
#include "quell/lab/cubic_replay.h"
#include "quell/lab/laws.h"
#include "quell/lab/liar.h"
#include "quell/lab/load.h"
#include "quell/lab/observed.h"
#include "quell/lab/path_text.h"
#include "quell/lab/relay.h"
#include "quell/qlog/output.h"
#include "quell/qlog/writer.h"
#include "quell/sim/endpoint_node.h"
#include "quell/trace/tee.h"

namespace quell::lab {
namespace {

// As a server with UDP_SEGMENT would: bursts of at most this many datagrams.
constexpr std::size_t kMaxSegments = 44;

const Address& client_address() {
  static const Address address = Address::v4({10, 0, 0, 1}, 50000);
  return address;
}
const Address& server_address() {
  static const Address address = Address::v4({10, 0, 0, 2}, 443);
  return address;
}

// Hands each connection a way to our watch and, if asked, a qlog file.
class Sinks final : public SinkFactory {
 public:
  Sinks(std::vector<trace::Sink*> watches, std::string qlog_file)
      : watches_(std::move(watches)), qlog_file_(std::move(qlog_file)) {}

  std::unique_ptr<trace::Sink> make_sink(Side side, const ConnectionId& original_destination) override {
    // A client whose first connection has failed does not try again, and a server has one client.
    if (used_) return nullptr;
    used_ = true;
    auto tee = std::make_unique<trace::Tee>();
    for (trace::Sink* watch : watches_) tee->add(std::make_unique<Relay>(*watch));
    if (!qlog_file_.empty()) {
      if (auto output = qlog::FileOutput::open(qlog_file_, qlog::report_to_stderr)) {
        tee->add(
            std::make_unique<qlog::Writer>(std::move(*output), side, original_destination,
                                           qlog::ReferenceTime{.at = sim::kStart, .since_unix_epoch = {}}));
      } else {
        qlog::report_to_stderr(output.error());
      }
    }
    return tee;
  }

 private:
  std::vector<trace::Sink*> watches_;
  std::string qlog_file_;
  bool used_ = false;
};

std::optional<GrowthLaw> growth_law(const std::string& controller) {
  return growth_law_of(cc::find(controller)->make({})->traits());
}

// A run's world: two endpoints, their load, the path, and those who watch. Everything lives as long as it
// does.
class Run final : public sim::Tap {
 public:
  explicit Run(const RunRequest& request);

  RunResult run();

 private:
  void on_entered(const Entered& datagram, TimePoint now) override;
  void on_left(path::Fate fate, const path::Packet& packet, TimePoint now) override;
  void after_turn(const sim::Place& host, std::optional<TimePoint> next_turn, TimePoint now) override;
  EndpointConfig endpoint_config(Side side);
  std::string qlog_file(Side side) const;
  void collect_series(RunResult& result);
  // Of any flow.
  std::optional<std::string> load_failure() const;
  ByteCount backlog(const ConnectionStats& stats, TimePoint now) const;
  // Whose window the measures are about.
  Side sender() const { return variant_.load.sender; }
  Watch& sender_watch() { return sender() == Side::client ? client_watch_ : server_watch_; }

  const RunRequest& request_;
  const Variant& variant_;
  Rng rng_;
  Watch client_watch_;
  Watch server_watch_;
  std::optional<CubicReplay> replay_;
  std::optional<PacketNumber> lie_;  // the client's packet that holds its first lie
  Conduct conduct_;
  Traffic traffic_;
  bool is_confirmed_ = false;  // by the sender
  Laws client_laws_;
  Laws server_laws_;
  Liveness liveness_;
  std::shared_ptr<ConfidedSecret> confided_;  // null: the client is honest
  std::unique_ptr<Load> load_;
  Endpoint client_;
  Endpoint server_;
  sim::EndpointNode client_node_;
  sim::EndpointNode server_node_;
  std::unique_ptr<Liar> liar_;  // null: the client is honest
  sim::Simulation world_;
  std::vector<std::unique_ptr<Companion>> companions_;  // flows 1, 2, …
  Crossings crossings_;
  ConnectionStats sender_stats_;
};

// It costs memory for every packet.
bool asks_for_the_oracle(const Scenario& scenario) {
  return std::ranges::any_of(scenario.expectations,
                             [](const Expectation& e) { return e.measure.starts_with("oracle_"); });
}

Call make_call(const Variant& variant, const std::string& controller, std::shared_ptr<KeyLog> key_log) {
  Call call{client_address(), server_address(), lab_certificate().client,
            connection_config(variant, controller)};
  call.config.key_log = std::move(key_log);
  return call;
}

Run::Run(const RunRequest& request)
    : request_(request),
      variant_(request.scenario->variants.at(request.variant)),
      rng_(request.seed),
      client_watch_(request.want_series && sender() == Side::client, sim::kStart),
      server_watch_(request.want_series && sender() == Side::server, sim::kStart),
      replay_(asks_for_the_oracle(*request.scenario) ? std::optional<CubicReplay>{std::in_place}
                                                     : std::nullopt),
      conduct_(lie_),
      traffic_(sender()),
      client_laws_(Side::client, has_lawless_window(request.controller), client_watch_, sim::kStart),
      server_laws_(Side::server, has_lawless_window(request.controller), server_watch_, sim::kStart),
      liveness_(derive_liveness(variant_, growth_law(request.controller)), sender_watch(), sim::kStart),
      confided_(variant_.lies.any() ? std::make_shared<ConfidedSecret>() : nullptr),
      load_(make_load(variant_.load, make_call(variant_, request.controller, confided_))),
      client_(endpoint_config(Side::client)),
      server_(endpoint_config(Side::server)),
      client_node_(client_, load_->client(), client_address(), server_address(), kMaxSegments),
      server_node_(server_, load_->server(), server_address(), client_address(), kMaxSegments),
      liar_(variant_.lies.any() ? std::make_unique<Liar>(client_node_, variant_.lies, confided_, lie_)
                                : nullptr),
      world_(variant_.path, rng_, liar_ ? static_cast<sim::Node&>(*liar_) : client_node_,
             variant_.client_host, server_node_, variant_.server_host),
      crossings_(sender()) {
  world_.set_tap(this);
  companions_ = make_companions(variant_, request.controller, rng_, world_);
}

std::string Run::qlog_file(Side side) const {
  if (request_.qlog_dir.empty()) return {};
  return fmt::format("{}/{}{}{}-{}-{}-{}.sqlog", request_.qlog_dir, request_.scenario->name,
                     variant_.name.empty() ? "" : "-", variant_.name, request_.controller, request_.seed,
                     side == Side::client ? "client" : "server");
}

EndpointConfig Run::endpoint_config(Side side) {
  EndpointConfig config;
  config.seed = rng_.fork(side == Side::client ? "client" : "server").next();
  std::vector<trace::Sink*> watches{side == Side::client ? &client_watch_ : &server_watch_};
  if (side == sender()) watches.push_back(&conduct_);
  if (side == sender() && replay_) watches.push_back(&*replay_);
  config.sinks = std::make_shared<Sinks>(std::move(watches), qlog_file(side));
  if (side == Side::server) {
    config.server = connection_config(variant_, request_.controller);
    config.server.alpn = {load_->alpn()};
    config.server_credentials = lab_certificate().server;
  }
  return config;
}

void Run::on_entered(const Entered& datagram, TimePoint now) {
  crossings_.on_entered(datagram, now);
  if (datagram.from.flow == 0) traffic_.on_entered(datagram);
}

void Run::on_left(path::Fate fate, const path::Packet& packet, TimePoint now) {
  crossings_.on_left(fate, packet, now);
  if (packet.flow == 0) traffic_.on_left(fate, packet, now);
}

void Run::after_turn(const sim::Place& host, std::optional<TimePoint> next_turn, TimePoint now) {
  if (host.flow > 0) return companions_[host.flow - 1]->after_turn(host.side, next_turn, now);
  if (!is_confirmed_ && sender_watch().confirmed_at()) {
    is_confirmed_ = true;
    traffic_.restart();
  }
  traffic_.on_turn(host.side);
  const bool is_client = host.side == Side::client;
  const auto connection = is_client ? load_->client_connection() : load_->server_connection();
  if (!connection) return;
  const auto stats = (is_client ? client_ : server_).stats(*connection, now);
  if (!stats) return;
  const bool is_sender = host.side == sender();
  const Laws::Facts facts{*stats, is_sender && load_->is_data_waiting(now), next_turn,
                          variant_.transport.max_ack_delay.value_or(ConnectionConfig{}.max_ack_delay)};
  (is_client ? client_laws_ : server_laws_).check(facts, now);
  (is_client ? client_watch_ : server_watch_).end_turn(is_sender ? backlog(*stats, now) : 0);
  if (!is_sender) return;
  sender_stats_ = *stats;
  if (replay_) replay_->on_turn(backlog(*stats, now), now);
  liveness_.check({*stats, facts.is_data_waiting, world_.path().trouble_ends_at()}, now);
}

// What the sender's application has written and its transport has not sent, and all else that it has.
ByteCount Run::backlog(const ConnectionStats& stats, TimePoint now) const {
  if (load_->is_data_waiting(now)) return cc::kMostWindow;
  return load_->written() - std::min(load_->written(), stats.stream_bytes_sent);
}

std::optional<std::string> Run::load_failure() const {
  if (auto failure = load_->failure()) return failure;
  for (const auto& companion : companions_) {
    if (auto failure = companion->failure()) return failure;
  }
  return std::nullopt;
}

RunResult Run::run() {
  const sim::Simulation::Limits limits{sim::kStart + variant_.deadline, variant_.events};
  const auto has_broken = [&](const Laws& laws) {
    return std::ranges::any_of(laws.broken(), [&](const std::string& sentence) {
      return request_.stop_at_law->empty() || law_of(sentence) == *request_.stop_at_law;
    });
  };
  const auto is_settled = [&] {
    return liveness_.is_settled() || has_broken(server_laws_) || has_broken(client_laws_);
  };
  const auto is_over = [&] {
    return load_->completed_at().has_value() || load_failure().has_value() ||
           (request_.stop_at_law && is_settled());
  };
  RunResult result;
  result.outcome = world_.run(is_over, limits);
  if (result.outcome == sim::Outcome::deadline)
    result.failure = "deadline passed";
  else if (result.outcome != sim::Outcome::done)
    result.failure = sim::to_string(result.outcome);
  if (const auto failure = load_failure()) result.failure = *failure;
  // A run that was cut off by its deadline has lasted until then, although its last event was earlier.
  result.ended_at = result.outcome == sim::Outcome::deadline ? limits.deadline : world_.now();

  Watch& watch = sender_watch();
  const Observed observed{.variant = &variant_,
                          .sender = &watch,
                          .replay = replay_ ? &*replay_ : nullptr,
                          .start = sim::kStart,
                          .ended_at = result.ended_at,
                          .completed_at = result.failure.empty() ? load_->completed_at() : std::nullopt,
                          .confirmed_at = load_->confirmed_at(),
                          .trouble_ended_at = world_.path().trouble_ends_at(),
                          .sender_stats = sender_stats_,
                          .crossings = &crossings_,
                          .rates = &world_.path().rates(crossings_.way()),
                          .conduct = &conduct_,
                          .traffic = &traffic_};
  result.measures = Measures{observed};
  result.anchor = find_anchor(observed);
  for (const Laws* laws : {&server_laws_, &client_laws_}) {
    result.broken_laws.insert(result.broken_laws.end(), laws->broken().begin(), laws->broken().end());
  }
  for (const auto& companion : companions_) {
    for (auto& law : companion->broken_laws()) result.broken_laws.push_back(std::move(law));
  }
  if (!liveness_.outcome().breach.empty()) result.broken_laws.push_back(liveness_.outcome().breach);
  result.liveness = liveness_.outcome();
  result.digest = world_.digest();
  result.events = world_.events();
  result.max_datagram_size = watch.max_datagram_size();
  result.silence = watch.longest_silence();
  if (request_.want_windows) result.windows = watch.windows();
  if (request_.want_series) collect_series(result);
  return result;
}

void Run::collect_series(RunResult& result) {
  result.series = sender_watch().take_series(result.ended_at);
  result.series.phases = describe_phases(variant_.path, world_.path(), sim::kStart, result.ended_at);
}

}  // namespace

RunResult run_once(const RunRequest& request) {
  return Run{request}.run();
}

}  // namespace quell::lab
