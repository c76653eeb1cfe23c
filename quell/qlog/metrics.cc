#include "quell/qlog/metrics.h"

#include <chrono>
#include <string_view>

namespace quell::qlog {
namespace {

std::chrono::microseconds shown(Duration d) {
  return std::chrono::duration_cast<std::chrono::microseconds>(d);
}

// Nothing for an unlimited rate: JSON has no infinity. An absurd rate stops at 2^53.
std::uint64_t shown(Rate rate) {
  constexpr double kMost = 9007199254740992.0;
  if (rate.is_unlimited()) return 0;
  const double bits = rate.bits_per_second();
  return static_cast<std::uint64_t>(bits < 0 ? 0 : bits > kMost ? kMost : bits);
}

// Calls the visitor's `time`, `count` or `flag` for every field that differs; the one list of fields, shared
// by the question whether there is a change and by the answer.
template <typename Visitor>
void visit_changes(const trace::RecoveryMetrics& before, const trace::RecoveryMetrics& now, Visitor visitor) {
  const auto time = [&](std::string_view key, Duration a, Duration b) {
    if (shown(a) != shown(b)) visitor.time(key, b);
  };
  const auto count = [&](std::string_view key, std::uint64_t a, std::uint64_t b) {
    if (a != b) visitor.count(key, b);
  };
  time("min_rtt", before.min_rtt, now.min_rtt);
  time("smoothed_rtt", before.smoothed_rtt, now.smoothed_rtt);
  time("latest_rtt", before.latest_rtt, now.latest_rtt);
  time("rtt_variance", before.rtt_variance, now.rtt_variance);
  count("pto_count", before.pto_count, now.pto_count);
  count("congestion_window", before.cwnd, now.cwnd);
  count("bytes_in_flight", before.bytes_in_flight, now.bytes_in_flight);
  if (now.ssthresh && now.ssthresh != before.ssthresh) visitor.count("ssthresh", *now.ssthresh);
  if (!now.pacing_rate.is_unlimited())
    count("pacing_rate", shown(before.pacing_rate), shown(now.pacing_rate));
  count("max_datagram_size", before.max_datagram_size, now.max_datagram_size);
  count("total_delivered", before.total_delivered, now.total_delivered);
  count("total_lost", before.total_lost, now.total_lost);
  time("growth_clock", before.growth_clock, now.growth_clock);
  count("floor_rounds_without_loss", before.floor_rounds_without_loss, now.floor_rounds_without_loss);
  if (before.is_window_limited != now.is_window_limited)
    visitor.flag("is_window_limited", now.is_window_limited);
}

struct Question {
  bool& answer;
  void time(std::string_view, Duration) { answer = true; }
  void count(std::string_view, std::uint64_t) { answer = true; }
  void flag(std::string_view, bool) { answer = true; }
};

struct Fields {
  JsonText& json;
  void time(std::string_view key, Duration value) { json.milliseconds(key, value); }
  void count(std::string_view key, std::uint64_t value) { json.number(key, value); }
  void flag(std::string_view key, bool value) { json.boolean(key, value); }
};

}  // namespace

bool differ_in_log(const trace::RecoveryMetrics& before, const trace::RecoveryMetrics& now) {
  bool differ = false;
  visit_changes(before, now, Question{differ});
  return differ;
}

void write_changed_metrics(JsonText& json, const trace::RecoveryMetrics& before,
                           const trace::RecoveryMetrics& now) {
  visit_changes(before, now, Fields{json});
}

}  // namespace quell::qlog
