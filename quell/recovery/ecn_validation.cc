#include "quell/recovery/ecn_validation.h"

namespace quell {
namespace {

// RFC 9000 §13.4.2: ten packets, or three times the PTO.
constexpr std::uint64_t kTestPackets = 10;
constexpr int kTestPtos = 3;
// Choice: two PTOs in a row, three PTO periods after the last packet that arrived. A path that swallows
// marked packets from the first one on, or all of a sudden, then carries the second pair of probes.
constexpr std::uint32_t kSuspiciousPtos = 2;

bool has_decreased(const EcnCounts& before, const EcnCounts& after) {
  return after.ect0 < before.ect0 || after.ect1 < before.ect1 || after.ce < before.ce;
}

}  // namespace

Ecn EcnValidation::codepoint() const {
  return state_ == State::testing || state_ == State::capable ? Ecn::ect0 : Ecn::not_ect;
}

void EcnValidation::on_time(Duration pto, TimePoint now) {
  if (state_ != State::testing || !first_marked_at_) return;
  if (sent_ < kTestPackets && now < *first_marked_at_ + kTestPtos * pto) return;
  state_ = State::unknown;
  check_all_lost();
}

void EcnValidation::on_pto(std::uint32_t count) {
  if (count < kSuspiciousPtos || codepoint() == Ecn::not_ect || sent_ == 0) return;
  suspect();
}

// Only the packets in flight count from here on: those that arrived before say nothing about the path of now.
void EcnValidation::suspect() {
  state_ = State::unknown;
  forget_settled();
}

void EcnValidation::restart() {
  if (!is_enabled_) return;
  state_ = State::testing;
  first_marked_at_.reset();
  forget_settled();
}

void EcnValidation::forget_settled() {
  sent_ -= acked_ + lost_ + discarded_;
  acked_ = lost_ = discarded_ = 0;
  ce_ = 0;
}

void EcnValidation::on_sent(Space space, Ecn ecn, TimePoint now) {
  if (ecn != Ecn::ect0) return;
  if (!first_marked_at_) first_marked_at_ = now;
  ++sent_;
  ++sent_ect0_[index(space)];
  if (state_ == State::testing && sent_ >= kTestPackets) state_ = State::unknown;
}

void EcnValidation::on_lost(Ecn ecn) {
  if (ecn != Ecn::ect0) return;
  ++lost_;
  check_all_lost();
}

void EcnValidation::on_discarded(Ecn ecn) {
  if (ecn != Ecn::ect0) return;
  ++discarded_;
  check_all_lost();
}

// Marked packets vanish where others may pass: the marking is the likeliest cause.
void EcnValidation::check_all_lost() {
  if (state_ == State::unknown && lost_ > 0 && acked_ == 0 && lost_ + discarded_ == sent_)
    state_ = State::failed;
}

EcnCounts EcnValidation::on_ack(Space space, const std::optional<EcnCounts>& counts,
                                std::uint64_t newly_acked_ect0) {
  acked_ += newly_acked_ect0;
  if (state_ == State::failed) return {};
  if (!counts) {
    if (newly_acked_ect0 > 0) state_ = State::failed;
    return {};
  }
  if (!are_plausible(space, *counts, newly_acked_ect0)) {
    state_ = State::failed;
    return {};
  }
  EcnCounts& last = last_[index(space)];
  const EcnCounts grown{counts->ect0 - last.ect0, counts->ect1 - last.ect1, counts->ce - last.ce};
  last = *counts;
  ce_ += grown.ce;
  if (state_ == State::unknown && acked_ > 0) {
    // Appendix A.4: a path that marks everything is broken, not congested.
    const bool is_all_ce = ce_ >= kTestPackets && ce_ >= acked_;
    state_ = is_all_ce ? State::failed : State::capable;
    if (is_all_ce) return {};
  }
  return grown;
}

bool EcnValidation::are_plausible(Space space, const EcnCounts& counts,
                                  std::uint64_t newly_acked_ect0) const {
  const EcnCounts& last = last_[index(space)];
  if (has_decreased(last, counts)) return false;
  if (counts.ect1 > 0) return false;  // never applied by us
  if (counts.ect0 > sent_ect0_[index(space)]) return false;
  return counts.ect0 - last.ect0 + (counts.ce - last.ce) >= newly_acked_ect0;
}

}  // namespace quell
