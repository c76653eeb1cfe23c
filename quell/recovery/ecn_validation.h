// Does this path carry ECN marks, and may we believe the counts? (RFC 9000 §13.4.2, Appendix A.4)
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "quell/base/time.h"
#include "quell/trace/event.h"
#include "quell/wire/types.h"

namespace quell {

class EcnValidation {
 public:
  using State = trace::EcnState;

  // Not enabled: failed from the start.
  explicit EcnValidation(bool is_enabled)
      : is_enabled_(is_enabled), state_(is_enabled ? State::testing : State::failed) {}

  State state() const { return state_; }
  // ECT(0) while testing or capable, otherwise unmarked.
  Ecn codepoint() const;

  // Testing ends after ten marked packets or three PTOs. Ask before the codepoint is used.
  void on_time(Duration pto, TimePoint now);
  // The `count`th PTO in a row has fired: so long a silence may be the marking's fault, also on a path that
  // was capable before. Marking stops, and what becomes of the packets in flight decides.
  void on_pto(std::uint32_t count);
  void on_sent(Space space, Ecn ecn, TimePoint now);
  void on_lost(Ecn ecn);
  // `count` marked packets were acknowledged by an ACK whose counts must not be looked at.
  void on_acked(std::uint64_t count) { acked_ += count; }
  // Another path: it is tested anew. The peer's counts and ours go on.
  void restart();
  // A marked packet whose fate will never be known: its keys are gone.
  void on_discarded(Ecn ecn);
  // For an ACK that raises the largest acknowledged number (others must not fail validation).
  // `newly_acked_ect0`: packets that it newly acknowledges and that were sent with ECT(0). Returns by how
  // much the counts have grown; nothing of it when they are not to be believed.
  EcnCounts on_ack(Space space, const std::optional<EcnCounts>& counts, std::uint64_t newly_acked_ect0);

 private:
  bool are_plausible(Space space, const EcnCounts& counts, std::uint64_t newly_acked_ect0) const;
  void check_all_lost();
  void suspect();
  void forget_settled();

  bool is_enabled_;
  State state_;
  std::optional<TimePoint> first_marked_at_;
  std::array<EcnCounts, kSpaceCount> last_{};
  std::array<std::uint64_t, kSpaceCount> sent_ect0_{};
  // Of the marked packets, since the state was last in doubt:
  std::uint64_t sent_ = 0;
  std::uint64_t acked_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t discarded_ = 0;
  std::uint64_t ce_ = 0;  // as the peer reports
};

}  // namespace quell
