#include "quell/lab/laws.h"

#include <fmt/format.h>

#include <algorithm>

#include "quell/cc/controller.h"

namespace quell::lab {
namespace {

// Choice: a delayed ACK may be a millisecond late, for timers that round.
constexpr Duration kAckSlack = milliseconds{1};
constexpr ByteCount kFloorPackets = 2;  // RFC 9002 §7.2
constexpr const char* kCauseOfCut = "every cut has a cause";
constexpr const char* kOneCut = "one cut per episode";
constexpr const char* kNoGrowthUnused = "no growth of an unused window";
constexpr const char* kGrowth = "growth within what was acknowledged";

}  // namespace

std::string_view law_of(std::string_view sentence) {
  return sentence.substr(0, sentence.find(" at "));
}

bool is_law_of_controllers(std::string_view law) {
  return law == kCauseOfCut || law == kOneCut || law == kGrowth || law == kNoGrowthUnused ||
         law == kLivenessLaw;
}

void Laws::check(const Facts& facts, TimePoint now) {
  check_flight(facts, now);
  check_window(facts, now);
  check_growth_clock(facts, now);
  check_gates(facts, now);
  check_wake_up(facts, now);
  check_figures(facts, now);
  const ConnectionStats& s = facts.stats;
  before_ = Before{s.cwnd,
                   watch_.total_acked(),
                   watch_.total_filling_acked(),
                   watch_.losses().size(),
                   watch_.marks(),
                   s.growth_clock,
                   s.recovery.persistent_congestion_events,
                   s.recovery.congestion_events,
                   s.recovery.spurious_episodes,
                   watch_.doubled_cuts()};
}

// Each law is reported once: what follows a breach is mostly its echo.
void Laws::breach(const char* law, const std::string& what, TimePoint now) {
  if (std::ranges::find(broken_laws_, law) != broken_laws_.end()) return;
  broken_laws_.push_back(law);
  broken_.push_back(fmt::format("{} at {:.6f} s ({}): {}", law, to_seconds(now - start_),
                                side_ == Side::client ? "client" : "server", what));
}

// Bytes in flight are the sum of the outstanding packets. Before the handshake is confirmed nobody tells when
// keys are discarded, so only bounds are known.
void Laws::check_flight(const Facts& facts, TimePoint now) {
  const Ledger& ledger = watch_.ledger();
  const ByteCount most = ledger.in_flight();
  const ByteCount least = ledger.is_confirmed() ? most : ledger.in_flight(Space::application);
  const ByteCount claimed = facts.stats.bytes_in_flight;
  if (claimed < least || claimed > most) {
    breach("bytes_in_flight", fmt::format("{} claimed, {} to {} outstanding", claimed, least, most), now);
  }
  if (watch_.has_double_exit())
    breach("one way out of flight", "a packet was lost that was not in flight", now);
}

// The floor holds; the window falls once per episode and for a cause; it grows by no more than was
// acknowledged. A cut that is taken back, because all its losses arrived, is as if it had never been.
void Laws::check_window(const Facts& facts, TimePoint now) {
  const ByteCount cwnd = facts.stats.cwnd;
  const ByteCount packet = watch_.max_datagram_size();
  if (packet > 0 && cwnd < kFloorPackets * packet) breach("floor", fmt::format("cwnd {}", cwnd), now);
  if (cwnd > cc::kMostWindow) breach("cap", fmt::format("cwnd {}", cwnd), now);
  if (!before_ || has_lawless_window_) return;
  const auto& recovery = facts.stats.recovery;
  const bool is_undone_now = recovery.spurious_episodes > before_->spurious_episodes;
  is_cut_undone_ = is_cut_undone_ || is_undone_now;
  if (cwnd < before_->cwnd) {
    const bool is_persistent = recovery.persistent_congestion_events > before_->persistent_congestions;
    const bool has_event = recovery.congestion_events > before_->congestion_events;
    const bool has_cause = watch_.losses().size() > before_->losses || watch_.marks() > before_->marks;
    if (!is_persistent && !(has_event && has_cause)) {
      breach(kCauseOfCut, fmt::format("cwnd {} to {}", before_->cwnd, cwnd), now);
    } else if (!is_persistent && !is_cut_undone_ && watch_.doubled_cuts() > before_->doubled_cuts) {
      breach(kOneCut, fmt::format("cwnd {} to {} for a packet sent before the last cut", before_->cwnd, cwnd),
             now);
    }
    is_cut_undone_ = false;
  }
  check_growth(facts, is_undone_now, now);
}

void Laws::check_growth(const Facts& facts, bool is_undone_now, TimePoint now) {
  const ByteCount cwnd = facts.stats.cwnd;
  if (is_undone_now || cwnd <= before_->cwnd) return;
  const ByteCount acked = watch_.total_acked() - before_->total_acked;
  const ByteCount filling = watch_.total_filling_acked() - before_->total_filling_acked;
  const std::string growth = fmt::format("cwnd {} to {}, {} bytes acknowledged", before_->cwnd, cwnd, acked);
  if (cwnd > before_->cwnd + acked) breach(kGrowth, growth, now);
  if (cwnd > before_->cwnd + filling) {
    breach(kNoGrowthUnused, fmt::format("{}, {} of them filled the window when they left", growth, filling),
           now);
  }
}

// Neither waits for the window: a probe leaves when its timer fires (RFC 9002 §6.2.4, §7.5), an ACK within
// its delay (RFC 9000 §13.2.1). Before the handshake is confirmed the anti-amplification limit may hold a
// server back.
void Laws::check_gates(const Facts& facts, TimePoint now) {
  if (!watch_.confirmed_at()) return;
  const Gates& gates = watch_.gates();
  if (gates.owes_probe()) breach("a probe leaves at its time", "the timer fired, and none left", now);
  if (gates.owes_ack_since() && now - *gates.owes_ack_since() > facts.max_ack_delay + kAckSlack) {
    breach("an ACK leaves at its time",
           format_ms(now - *gates.owes_ack_since()) + " after what it is owed for", now);
  }
}

void Laws::check_growth_clock(const Facts& facts, TimePoint now) {
  const Duration clock = facts.stats.growth_clock;
  if (before_ && clock < before_->growth_clock) breach("growth clock runs forward", format_ms(clock), now);
  if (clock > now - start_) breach("growth clock behind the wall clock", format_ms(clock), now);

  // While PRR brings the flight down to the window, flow control may be what stops the sender, and the clock.
  const bool is_full = facts.is_data_waiting && !watch_.is_held_by_flow_control() &&
                       facts.stats.bytes_in_flight + watch_.max_datagram_size() > facts.stats.cwnd;
  if (!is_full || facts.stats.smoothed_rtt <= Duration{0}) {
    full_.reset();
    return;
  }
  if (!full_) full_ = Full{now, clock};
  const Duration rtt = facts.stats.smoothed_rtt;
  if (now - full_->since < rtt) return;
  if (clock - full_->growth_clock < rtt) {
    breach("growth clock not frozen",
           fmt::format("advanced {} in a round trip of {} with a full window and data waiting",
                       format_ms(clock - full_->growth_clock), format_ms(rtt)),
           now);
  }
  full_ = Full{now, clock};
}

// Data waiting or in flight: something must wake the sender. A server that has not validated its client may
// be blocked by the anti-amplification limit (RFC 9000 §8.1), so the law begins when the handshake is
// confirmed.
void Laws::check_wake_up(const Facts& facts, TimePoint now) {
  if (!watch_.confirmed_at() || facts.next_turn) return;
  if (!facts.is_data_waiting && facts.stats.bytes_in_flight == 0) return;
  breach("a finite next wake-up", fmt::format("none with {} bytes in flight", facts.stats.bytes_in_flight),
         now);
}

// Whatever the path and whatever the peer claims, the figures stay what they can be. RFC 9002 §5.2, §5.3: an
// ACK delay is taken off a sample only where that leaves min_rtt, so their mean is not below it, unless
// persistent congestion has set min_rtt anew.
void Laws::check_figures(const Facts& facts, TimePoint now) {
  const ConnectionStats& s = facts.stats;
  const bool has_sample = s.min_rtt > Duration{0};
  if (has_sample && s.recovery.persistent_congestion_events == 0 && s.smoothed_rtt < s.min_rtt) {
    breach("smoothed_rtt is not below min_rtt",
           fmt::format("{} below {}", format_ms(s.smoothed_rtt), format_ms(s.min_rtt)), now);
  }
}

std::string Laws::format_ms(Duration d) {
  return fmt::format("{:.3f} ms", to_milliseconds(d));
}

}  // namespace quell::lab
