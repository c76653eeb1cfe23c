// What is tried in the laboratory, and what must be seen? A scenario as read from its file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quell/base/time.h"
#include "quell/base/units.h"
#include "quell/path/config.h"
#include "quell/sim/host.h"
#include "quell/wire/types.h"

namespace quell::lab {

enum class LoadKind : std::uint8_t {
  http3,     // one GET over HTTP/3
  stream,    // the same on a raw stream
  handshake  // nothing: the run ends when the client's handshake is confirmed
};

// Times count from the moment at which the sender's application may begin: the server's when it got the
// request, an uploading client's when its handshake is complete.
struct LoadConfig {
  LoadKind kind = LoadKind::http3;
  Side sender = Side::server;  // the client only with `stream`
  ByteCount bytes = 0;         // of the body; zero: without end, and then `lasts` bounds it
  Duration lasts{0};           // the run is complete then, whatever has arrived; zero: when all has
  // From `chunks_after` on, the application has `chunk` bytes more every `every`, the first at once; before,
  // and when `chunk` is zero, it has all of them.
  ByteCount chunk = 0;
  Duration every{0};
  Duration chunks_after{0};
  Duration chunks_for{0};  // then it has all of them again; zero: to the end
  // It falls silent this long after the beginning, for `pause_for`; zero: never.
  Duration pause_after{0};
  Duration pause_for{0};
  // What the receiving application takes off the stream; only with `stream`.
  Rate read_rate = Rate::unlimited();
  bool operator==(const LoadConfig&) const = default;
};

// Of both ends; zero or nothing: the transport's own default.
struct TransportConfig {
  std::optional<Duration> initial_rtt;
  std::optional<Duration> max_ack_delay;
  std::optional<Duration> idle_timeout;
  std::optional<Duration> handshake_timeout;
  std::uint64_t initial_window_packets = 0;
  ByteCount max_datagram_size = 0;
  ByteCount search_mtu_up_to = 0;
  ByteCount stream_window = 0;      // what a receiver lets stand unread: per stream,
  ByteCount connection_window = 0;  // and in all (RFC 9000 §4.1)
  bool pacing = true;
  ByteCount fixed_window = 0;  // of the controllers fixed-window
  Rate fixed_rate{};           // and fixed-rate
  bool operator==(const TransportConfig&) const = default;
};

// From which moment does the measure `cwnd_after` count its round trips?
enum class Anchor : std::uint8_t {
  first_ack_after_trouble,  // the first ACK of a packet that was sent after the path's trouble had ended
  last_cut                  // the end of the last recovery episode
};

struct MeasureConfig {
  Anchor anchor = Anchor::first_ack_after_trouble;
  std::uint32_t rtts = 40;
  std::uint32_t low_window_packets = 4;  // what `low_window_s` calls low
  // The stretch that rates, shares and delays are about, counted from the beginning of the run; zero for
  // `to`: until its end.
  Duration from{0};
  Duration to{0};
  // When the path changes, for `rate_reached_s` and `queue_drained_s`; the share of its rate that must be
  // reached, the wait that a drained queue has at most.
  Duration step_at{0};
  double reach = 0.8;
  Duration drained = milliseconds{5};
  // Where the warm-up ends: this long after the start, and not before so many entries into recovery.
  Duration warm_up{0};
  std::uint32_t warm_up_cuts = 0;
  bool operator==(const MeasureConfig&) const = default;
};

// What the client claims in its ACKs against better knowledge, once the handshake is confirmed and `after`
// has passed since its first 1-RTT packet.
struct LiesConfig {
  Duration after{0};
  std::optional<Duration> ack_delay;  // in every ACK: that it waited so long
  std::uint64_t beyond = 0;           // in one ACK: so many numbers beyond the largest that it got
  bool fills_gaps = false;            // in every ACK: that it got all between the smallest and the largest
  bool operator==(const LiesConfig&) const = default;
  bool any() const { return ack_delay || beyond > 0 || fills_gaps; }
};

// Another client and server on the same path, beside those whose controller is under test. They carry the
// same load.
struct FlowConfig {
  std::string controller = "self";  // or a name of cc/registry; "self": the one under test
  Duration starts{0};               // after the beginning of the run
  Duration delay{0};                // behind the bottleneck, each way, beyond the path's own
  bool operator==(const FlowConfig&) const = default;
};

// One way to run a scenario: most have one, some are about the difference between several.
struct Variant {
  std::string name;  // empty when there is one only
  path::PathConfig path;
  Duration rtt{0};  // of the empty path
  sim::HostConfig client_host;
  sim::HostConfig server_host;
  TransportConfig transport;
  LiesConfig lies;
  LoadConfig load;
  std::vector<FlowConfig> flows;  // beside the first
  MeasureConfig measure;
  Duration deadline = seconds{60};  // of virtual time, for the whole run
  std::uint64_t events = 50'000'000;
  bool operator==(const Variant&) const = default;
};

enum class Statistic : std::uint8_t {
  each,  // every seed must meet the bound, or `share` of them; a seed that does not has not passed
  median,
  p90,
  max  // over the seeds
};

struct Expectation {
  std::string measure{};  // a name of measures.h
  Statistic statistic = Statistic::each;
  std::optional<double> at_least{};
  std::optional<double> at_most{};
  double share = 1;  // only with `each`
  // Empty: all; with statistics other than `each`: all that are not expected to fail.
  std::vector<std::string> controllers{};
  std::vector<std::string> variants{};  // empty: all
  std::string why{};
  bool operator==(const Expectation&) const = default;
};

// The windows of two variants, compared at the same round trip after the anchor, for every controller and
// seed. Each variant counts its own round trips and its own packets.
struct Comparison {
  enum class Alignment : std::uint8_t {
    anchor,      // the same time after each variant's anchor, at `rtts`
    each_rtt,    // the same, at every round trip until `rtts`
    silence_cut  // the first variant's longest silence is cut out; then every `RTT` until `rtts` after it
  };
  std::vector<std::string> variants;
  Alignment alignment = Alignment::anchor;
  std::uint32_t rtts = 40;
  std::optional<double> within_ratio;    // largest / smallest − 1
  std::optional<double> within_packets;  // difference
  std::vector<std::string> controllers;  // empty: all
  std::string why;
  bool operator==(const Comparison&) const = default;
};

// One controller against another, on the same variant with the same seed: what a measure must be of the
// other's.
struct Versus {
  std::string against{};
  std::string measure{};
  std::optional<double> at_least_ratio{};  // of the other's value
  std::optional<double> at_most_ratio{};
  double share = 1;                        // of the seeds
  std::vector<std::string> controllers{};  // empty: all but the other
  std::vector<std::string> variants{};     // empty: all
  std::string why{};
  bool operator==(const Versus&) const = default;
};

// A specimen that this scenario must catch.
struct ExpectedFailure {
  std::string controller{};
  // A fault of recovery (quell/faults) that `controller` runs on; empty: the controller itself is the
  // specimen.
  std::string fault{};
  double at_least = 1;  // share of seeds that must fail
  // What must be among the misses when `lab specimens` asks whether it was caught for the right reason: names
  // of measures and laws, "compare" for a comparison.
  std::vector<std::string> by{};
  std::string why{};
  bool operator==(const ExpectedFailure&) const = default;
};

struct Scenario {
  std::string name;
  std::string title;
  std::string story;
  std::vector<std::string> controllers;  // run when none are named
  std::uint32_t seeds = 1;
  std::vector<Variant> variants;  // at least one
  std::vector<Expectation> expectations;
  std::vector<Comparison> comparisons;
  std::vector<Versus> rivalries;
  std::vector<ExpectedFailure> expected_failures;

  bool operator==(const Scenario&) const = default;
  const ExpectedFailure* expected_failure(const std::string& controller) const {
    for (const auto& failure : expected_failures) {
      if (failure.fault.empty() && failure.controller == controller) return &failure;
    }
    return nullptr;
  }
};

}  // namespace quell::lab
