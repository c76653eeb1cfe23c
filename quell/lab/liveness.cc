#include "quell/lab/liveness.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "quell/lab/laws.h"
#include "quell/lab/quantity.h"

namespace quell::lab {
namespace {

constexpr Duration kLeastVariance = milliseconds{1};  // RFC 9002 §6.1.2: kGranularity

}  // namespace

Liveness::Liveness(std::expected<LivenessTerms, std::string> terms, const Watch& watch, TimePoint start)
    : watch_(watch), start_(start), idle_until_(start) {
  if (terms) {
    terms_ = *terms;
  } else {
    outcome_.not_judged = std::move(terms.error());
  }
}

void Liveness::check(const Facts& facts, TimePoint now) {
  if (is_settled()) return;
  if (!facts.is_data_waiting || !facts.path_clear_at || *facts.path_clear_at > now) {
    // Whoever has nothing to send owes nothing; what was in the middle begins anew.
    if (!facts.is_data_waiting) was_idle_ = true;
    outcome_.cleared_at.reset();
    outcome_.first_ack_at.reset();
    samples_.clear();
    return;
  }
  // Silence lasts until the turn that finds data again, not until the last turn before it.
  if (std::exchange(was_idle_, false)) idle_until_ = now;
  outcome_.cleared_at = std::max(*facts.path_clear_at, idle_until_);
  if (!outcome_.first_ack_at && !find_first_ack(facts, now)) return check_return(now);
  check_progress(now);
}

bool Liveness::find_first_ack(const Facts& facts, TimePoint now) {
  const auto& acks = watch_.acks();
  for (; acks_seen_ < acks.size(); ++acks_seen_) {
    if (acks[acks_seen_].newest_sent_at < *outcome_.cleared_at) continue;
    check_return(now);
    outcome_.first_ack_at = now;
    outcome_.due_at = now + terms_->allowed(facts.stats.smoothed_rtt);
    // What that ACK acknowledged may have been delivered long ago.
    samples_.assign(1, {now, watch_.total_acked()});
    return true;
  }
  return false;
}

// PTOs double (RFC 9002 §6.2.1), so the next probe is no farther away than the last sign of life, and a PTO.
void Liveness::check_return(TimePoint now) {
  if (watch_.acks().empty()) return;
  const TimePoint cleared = *outcome_.cleared_at;
  if (!watch_.confirmed_at() || *watch_.confirmed_at() > cleared) return;
  TimePoint heard = watch_.acks().front().at;
  for (std::size_t i = acks_before_; i < watch_.acks().size() && watch_.acks()[i].newest_sent_at < cleared;
       ++i) {
    heard = watch_.acks()[i].at;
    acks_before_ = i;
  }
  const Duration backoff = std::max(cleared - heard, Duration{0});
  const auto& rtt = watch_.rtt();
  const Duration pto =
      rtt.smoothed + std::max(4 * rtt.variance, kLeastVariance) + terms_->slow_round - terms_->round;
  const TimePoint due = std::max(cleared, heard) + backoff + pto + terms_->slow_round;
  if (now <= due) return;
  breach("heard again",
         fmt::format("no ACK of a packet sent on the clean path for {}; {} since the last sign of life and a "
                     "PTO of {} allow {}",
                     format_duration(now - cleared), format_duration(backoff), format_duration(pto),
                     format_duration(due - cleared)),
         now);
}

void Liveness::check_progress(TimePoint now) {
  const LivenessTerms& t = *terms_;
  if (samples_.back().acked != watch_.total_acked()) samples_.push_back({now, watch_.total_acked()});
  while (samples_.size() > 1 && samples_[1].at <= now - t.span) samples_.pop_front();
  if (samples_.front().at <= now - t.span) {
    const auto acked = static_cast<double>(watch_.total_acked() - samples_.front().acked);
    outcome_.best_share =
        std::max(outcome_.best_share, acked / (t.capacity.bytes_per_second() * to_seconds(t.span)));
    if (acked >= static_cast<double>(t.due())) outcome_.reached_at = now;
  }
  if (outcome_.reached_at || now <= *outcome_.due_at) return;
  breach(kLivenessLaw,
         fmt::format("{:.0f} % of {} at best in the {} since the first ACK on the clean path; allowed: {} to "
                     "settle, {} to climb to "
                     "{:.0f} packets at {} a round, {} to show {:.0f} %",
                     outcome_.best_share * 100, lab::write_rate(t.capacity),
                     format_duration(now - *outcome_.first_ack_at),
                     format_duration(*outcome_.due_at - *outcome_.first_ack_at - t.climb - t.span),
                     format_duration(t.climb), t.window_packets, format_duration(t.round),
                     format_duration(t.span), kLivelyShare * 100),
         now);
}

void Liveness::breach(const char* law, const std::string& what, TimePoint now) {
  if (outcome_.breach.empty())
    outcome_.breach = fmt::format("{} at {:.6f} s: {}", law, to_seconds(now - start_), what);
}

}  // namespace quell::lab
