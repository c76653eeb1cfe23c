// Does every field survive being written and read? Three nets: the files that there are, random scenarios,
// and a count of the fields, which a new field trips even where no file and no random scenario uses it.
#include "quell/lab/scenario_writer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "quell/base/rng.h"
#include "quell/lab/catalogue.h"
#include "quell/lab/field_count_for_test.h"
#include "quell/lab/scenario_toml.h"

namespace quell::lab {
namespace {

void expect_round_trip(const Scenario& scenario) {
  const std::string text = write_scenario(scenario);
  const auto back = parse_scenario(text, "written.toml");
  ASSERT_TRUE(back.has_value()) << back.error() << "\n" << text;
  EXPECT_EQ(*back, scenario) << text;
}

TEST(ScenarioWriter, EveryScenarioFileReadsBackEqual) {
  for (const auto& name : scenario_names()) {
    SCOPED_TRACE(name);
    expect_round_trip(find_scenario(name).value());
  }
}

// Has a struct a new field? Teach variant_writer.cc or scenario_writer.cc to write it and `Chance` below to
// draw it, then raise the number.
TEST(ScenarioWriter, KnowsEveryField) {
  using test::field_count;
  EXPECT_EQ(field_count<path::Trigger>(), 2U);
  EXPECT_EQ(field_count<path::LinkConfig>(), 10U);
  EXPECT_EQ(field_count<path::GilbertElliott>(), 4U);
  EXPECT_EQ(field_count<path::LossPhase>(), 5U);
  EXPECT_EQ(field_count<path::DropScript>(), 4U);
  EXPECT_EQ(field_count<path::ThinScript>(), 2U);
  EXPECT_EQ(field_count<path::Phase>(), 2U);
  EXPECT_EQ(field_count<path::RateStep>(), 2U);
  EXPECT_EQ(field_count<path::RateTrace>(), 2U);
  EXPECT_EQ(field_count<path::DelayStep>(), 2U);
  EXPECT_EQ(field_count<path::CodelConfig>(), 3U);
  EXPECT_EQ(field_count<path::DualPi2Config>(), 6U);
  EXPECT_EQ(field_count<path::EcnPhase>(), 4U);
  EXPECT_EQ(field_count<path::PolicerConfig>(), 3U);
  EXPECT_EQ(field_count<path::ReorderPhase>(), 6U);
  EXPECT_EQ(field_count<path::DuplicatePhase>(), 2U);
  EXPECT_EQ(field_count<path::CorruptPhase>(), 3U);
  EXPECT_EQ(field_count<path::MtuPhase>(), 2U);
  EXPECT_EQ(field_count<path::DirectionConfig>(), 10U);
  EXPECT_EQ(field_count<path::PathConfig>(), 3U);
  EXPECT_EQ(field_count<sim::HostConfig>(), 5U);
  EXPECT_EQ(field_count<LoadConfig>(), 11U);
  EXPECT_EQ(field_count<TransportConfig>(), 12U);
  EXPECT_EQ(field_count<MeasureConfig>(), 10U);
  EXPECT_EQ(field_count<LiesConfig>(), 4U);
  EXPECT_EQ(field_count<FlowConfig>(), 3U);
  EXPECT_EQ(field_count<Variant>(), 12U);
  EXPECT_EQ(field_count<Expectation>(), 8U);
  EXPECT_EQ(field_count<Comparison>(), 7U);
  EXPECT_EQ(field_count<ExpectedFailure>(), 5U);
  EXPECT_EQ(field_count<Versus>(), 8U);
  EXPECT_EQ(field_count<Scenario>(), 10U);
}

// Draws every field, each at its default now and then.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : rng_(seed) {}

  Scenario scenario() {
    Scenario s;
    s.name = text();
    s.title = text();
    s.story = text();
    s.controllers = {"cubic"};
    s.seeds = 1 + small();
    if (rng_.chance(0.5)) {
      s.variants.push_back(variant(""));
    } else {
      s.variants = {variant("a"), variant("b")};
      s.comparisons.push_back(comparison());
    }
    s.expectations = list([&] { return expectation(); });
    s.rivalries = list([&] { return versus(); });
    s.expected_failures = list([&] { return expected_failure(); });
    return s;
  }

 private:
  Variant variant(const char* name) {
    Variant v;
    v.name = name;
    v.rtt = duration();
    v.path = {.up = direction(), .down = direction(), .rebindings = list([&] { return trigger(); })};
    if (rng_.chance(0.5)) v.path.down = v.path.up;
    v.client_host = host();
    v.server_host = rng_.chance(0.5) ? v.client_host : host();
    v.transport = {.initial_rtt = maybe(duration()),
                   .max_ack_delay = maybe(duration()),
                   .idle_timeout = maybe(duration()),
                   .handshake_timeout = maybe(duration()),
                   .initial_window_packets = small(),
                   .max_datagram_size = small(),
                   .search_mtu_up_to = small(),
                   .stream_window = small(),
                   .connection_window = small(),
                   .pacing = rng_.chance(0.5),
                   .fixed_window = small(),
                   .fixed_rate = Rate::bits_per_second(static_cast<double>(small()))};
    v.load = load();
    v.lies = {.after = duration(),
              .ack_delay = maybe(duration()),
              .beyond = small(),
              .fills_gaps = rng_.chance(0.5)};
    v.measure = {.anchor = one_of<Anchor, 2>(),
                 .rtts = small(),
                 .low_window_packets = small(),
                 .from = duration(),
                 .to = duration(),
                 .step_at = duration(),
                 .reach = share(),
                 .drained = duration(),
                 .warm_up = duration(),
                 .warm_up_cuts = small()};
    v.flows = list([&] { return FlowConfig{rng_.chance(0.5) ? "self" : "reno", duration(), duration()}; });
    v.deadline = duration();
    v.events = small();
    return v;
  }

  LoadConfig load() {
    LoadConfig l{.kind = one_of<LoadKind, 3>(),
                 .bytes = small(),
                 .lasts = duration(),
                 .pause_after = duration(),
                 .pause_for = duration()};
    if (rng_.chance(0.5)) {
      l.chunk = 1 + small();
      l.every = Duration{1} + duration();
      l.chunks_after = duration();
      l.chunks_for = duration();
    }
    if (l.kind == LoadKind::stream) {
      l.sender = one_of<Side, 2>();
      l.read_rate = rate();
    }
    return l;
  }

  path::DirectionConfig direction() {
    path::DirectionConfig d;
    d.link = link();
    d.losses = list([&] { return loss(); });
    d.drops = list([&] {
      return path::DropScript{
          .from = trigger(), .every = duration(), .times = small(), .least_size = small()};
    });
    d.thin = {.keep_one_in = small(), .at_most = small()};
    d.ecn =
        list([&] { return path::EcnPhase{phase(), one_of<path::EcnAction, 3>(), share(), maybe(small())}; });
    d.policers = list(
        [&] { return path::PolicerConfig{phase(), Rate::bits_per_second(1 + rng_.real() * 1e9), small()}; });
    d.reorders =
        list([&] { return path::ReorderPhase{phase(), share(), small(), small(), small(), duration()}; });
    d.duplicates = list([&] { return path::DuplicatePhase{phase(), share()}; });
    d.corruptions = list([&] { return path::CorruptPhase{phase(), share(), small()}; });
    d.mtus = list([&] { return path::MtuPhase{phase(), small()}; });
    return d;
  }

  path::LinkConfig link() {
    path::LinkConfig l;
    l.delay = duration();
    l.rate = rate();
    l.queue_bytes = small();
    l.jitter = duration();
    l.jitter_reorders = rng_.chance(0.5);
    l.rates = trace();
    l.delay_steps = list([&] { return path::DelayStep{duration(), duration()}; });
    const bool is_limited = !l.rate.is_unlimited() || !l.rates.steps.empty();
    if (is_limited) l.queue = one_of<path::QueueKind, 3>();
    if (rng_.chance(0.5)) l.codel = {duration(), duration(), rng_.chance(0.5)};
    if (rng_.chance(0.5)) {
      l.dual_pi2 = {duration() + Duration{1},
                    duration() + Duration{1},
                    1 + share(),
                    duration(),
                    duration() + Duration{1},
                    rng_.real()};
    }
    return l;
  }

  path::RateTrace trace() {
    path::RateTrace trace;
    const std::uint64_t steps = rng_.below(4);
    Duration at{0};
    for (std::uint64_t i = 0; i < steps; ++i, at += seconds{1} + Duration{small()}) {
      trace.steps.push_back({at, rng_.chance(0.3) && i + 1 < steps ? Rate{} : Rate::bits_per_second(1e6)});
    }
    if (steps > 0) trace.every = maybe(at);
    return trace;
  }

  path::Phase phase() { return {trigger(), maybe(duration())}; }

  path::LossPhase loss() {
    path::LossPhase p;
    p.from = trigger();
    p.lasts = maybe(duration());
    p.probability = share();
    p.label = text();
    if (rng_.chance(0.5)) p.bursts = path::GilbertElliott{share(), share(), share(), share()};
    return p;
  }

  path::Trigger trigger() { return {.opening = one_of<path::Opening, 3>(), .after = duration()}; }

  sim::HostConfig host() {
    return {.clock = one_of<sim::ClockReading, 2>(),
            .timer_granularity = duration(),
            .wake_latency = duration(),
            .turn_cost = duration(),
            .datagram_cost = duration()};
  }

  Expectation expectation() {
    return {.measure = "cwnd_after",
            .statistic = one_of<Statistic, 4>(),
            .at_least = share(),
            .at_most = maybe(rng_.real() * 1e6),
            .share = share(),
            .controllers = list([] { return std::string{"reno"}; }),
            .variants = {},
            .why = text()};
  }

  Comparison comparison() {
    return {.variants = {"a", "b"},
            .alignment = one_of<Comparison::Alignment, 3>(),
            .rtts = small(),
            .within_ratio = share(),
            .within_packets = maybe(share()),
            .controllers = list([] { return std::string{"reno"}; }),
            .why = text()};
  }

  Versus versus() {
    return {.against = "reno",
            .measure = "cwnd_after",
            .at_least_ratio = share(),
            .at_most_ratio = maybe(share()),
            .share = share(),
            .controllers = list([] { return std::string{"cubic"}; }),
            .variants = {},
            .why = text()};
  }

  ExpectedFailure expected_failure() {
    return {.controller = "reno",
            .fault = text(),
            .at_least = share(),
            .by = list([] { return std::string{"losses"}; }),
            .why = text()};
  }

  template <typename Make>
  std::vector<std::invoke_result_t<Make>> list(Make make) {
    std::vector<std::invoke_result_t<Make>> items(rng_.below(3));
    for (auto& item : items) item = make();
    return items;
  }
  template <typename T>
  std::optional<T> maybe(T value) {
    return rng_.chance(0.5) ? std::optional{value} : std::nullopt;
  }
  template <typename Enum, std::uint64_t Count>
  Enum one_of() {
    return static_cast<Enum>(rng_.below(Count));
  }
  std::uint32_t small() { return static_cast<std::uint32_t>(rng_.below(3) * rng_.below(100'000)); }
  double share() { return rng_.chance(0.3) ? static_cast<double>(rng_.below(2)) : rng_.real(); }
  Duration duration() {
    return Duration{static_cast<std::int64_t>(rng_.below(std::uint64_t{1} << rng_.below(50)))};
  }
  Rate rate() { return rng_.chance(0.3) ? Rate::unlimited() : Rate::bits_per_second(1 + rng_.real() * 1e9); }
  std::string text() {
    static const std::string kTexts[] = {"",   "plain",         "two\nlines",
                                         "\n", "a \"quote\"\\", "tab\t, \"\"\", ünï\n"};
    return kTexts[rng_.below(std::size(kTexts))];
  }

  Rng rng_;
};

RC_GTEST_PROP(ScenarioWriter, RandomScenariosReadBackEqual, (std::uint64_t seed)) {
  const Scenario scenario = Chance{seed}.scenario();
  const std::string text = write_scenario(scenario);
  RC_LOG() << text;
  const auto back = parse_scenario(text, "written.toml");
  if (!back) RC_FAIL(back.error());
  RC_ASSERT(*back == scenario);
}

TEST(ScenarioWriter, WritesNoMoreThanItMust) {
  Scenario s;
  s.name = "small";
  s.title = "Small";
  s.controllers = {"reno"};
  Variant& v = s.variants.emplace_back();
  v.rtt = milliseconds{10};
  v.path.up.link.delay = v.path.down.link.delay = milliseconds{5};
  v.path.up.losses =
      v.path.down.losses = {{.from = {}, .lasts = seconds{2}, .probability = 0.3, .bursts = {}, .label = {}}};
  v.load.bytes = 1'000'000;
  EXPECT_EQ(write_scenario(s), R"(name = "small"
title = "Small"
controllers = ["reno"]

[path]
rtt = "10 ms"

[[path.loss]]
lasts = "2 s"
probability = 0.3

[load]
kind = "http3"
bytes = "1 MB"
)");
}

}  // namespace
}  // namespace quell::lab
