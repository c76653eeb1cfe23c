#include "quell/lab/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "quell/base/check.h"

namespace quell::lab {
namespace {

double packets_at(const RunResult& run, TimePoint t) {
  const auto after = std::ranges::upper_bound(run.windows, t, {}, &Watch::Window::at);
  if (after == run.windows.begin() || run.max_datagram_size == 0) return 0;
  return static_cast<double>(std::prev(after)->cwnd) / static_cast<double>(run.max_datagram_size);
}

struct Member {
  const RunResult* run = nullptr;
  Duration rtt{0};
};

struct Sample {
  std::uint32_t rtts = 0;
  std::vector<double> packets;  // one per variant; zero: the run was over, or never got there
};

// The same number of round trips after each one's anchor.
Sample after_anchor(const std::vector<Member>& members, std::uint32_t n) {
  Sample sample{n, {}};
  for (const auto& [run, rtt] : members) {
    const TimePoint t = run->anchor.value_or(TimePoint::max() - rtt * n) + rtt * n;
    sample.packets.push_back(t <= run->ended_at ? packets_at(*run, t) : 0);
  }
  return sample;
}

// `n` round trips after the first one's silence has ended; for the others, after it would have begun.
Sample after_silence(const std::vector<Member>& members, std::uint32_t n) {
  const Watch::Silence silence = members.front().run->silence;
  Sample sample{n, {}};
  for (const auto& [run, rtt] : members) {
    const TimePoint t = (run == members.front().run ? silence.to : silence.from) + rtt * n;
    sample.packets.push_back(t <= run->ended_at ? packets_at(*run, t) : 0);
  }
  return sample;
}

bool is_within(const Comparison& c, const Sample& sample) {
  const auto [least, most] = std::ranges::minmax(sample.packets);
  if (least <= 0) return false;
  return (!c.within_ratio || most / least - 1 <= *c.within_ratio) &&
         (!c.within_packets || most - least <= *c.within_packets);
}

std::string describe(const Comparison& c, const Sample& sample) {
  std::string text =
      fmt::format("windows {} round trips after {}:", sample.rtts,
                  c.alignment == Comparison::Alignment::silence_cut ? "the silence" : "the anchor");
  for (std::size_t i = 0; i < sample.packets.size(); ++i) {
    text += fmt::format("{} {} {:.4g}", i == 0 ? "" : ",", c.variants[i], sample.packets[i]);
  }
  if (c.within_ratio) text += fmt::format("; must agree within {:g} %", *c.within_ratio * 100);
  if (c.within_packets) text += fmt::format("; must agree within {:g} packets", *c.within_packets);
  return text;
}

}  // namespace

ComparisonOutcome compare(const Scenario& scenario, const Comparison& c, std::span<const RunResult> all) {
  std::vector<Member> members;
  for (const auto& name : c.variants) {
    const auto variant = std::ranges::find(scenario.variants, name, &Variant::name);
    QUELL_CHECK(variant != scenario.variants.end());
    members.push_back({&all[static_cast<std::size_t>(variant - scenario.variants.begin())], variant->rtt});
  }
  const bool is_silence = c.alignment == Comparison::Alignment::silence_cut;
  // The first two round trips after a silence belong to the window that went before it.
  std::uint32_t first = 1;
  if (c.alignment == Comparison::Alignment::anchor) first = c.rtts;
  if (is_silence) first = 2;
  Sample sample;
  for (std::uint32_t n = first; n <= c.rtts; ++n) {
    sample = is_silence ? after_silence(members, n) : after_anchor(members, n);
    if (!is_within(c, sample)) return {false, describe(c, sample)};
  }
  return {true, describe(c, sample)};
}

}  // namespace quell::lab
