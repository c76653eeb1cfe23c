#include "quell/recovery/pto.h"

#include "quell/recovery/rules_in_force.h"

namespace quell {
namespace {

std::optional<PtoTimer> anti_deadlock(const PtoFacts& facts) {
  if (facts.handshake.peer_validated_address || facts.handshake.is_confirmed) return std::nullopt;
  const Space space = facts.handshake.has_handshake_keys ? Space::handshake : Space::initial;
  return PtoTimer{facts.anti_deadlock_from + rule::backed_off(facts.base, facts.count), space, true};
}

}  // namespace

std::optional<PtoTimer> next_pto(const PtoFacts& facts) {
  if (facts.handshake.is_amplification_limited) return std::nullopt;
  std::optional<PtoTimer> earliest;
  for (const Space space : kSpaces) {
    const auto& sent_at = facts.last_ack_eliciting[index(space)];
    if (!sent_at) continue;
    const bool is_application = space == Space::application;
    if (is_application && !facts.handshake.is_confirmed) continue;
    const Duration period = facts.base + (is_application ? facts.max_ack_delay : Duration{0});
    const TimePoint at = *sent_at + rule::backed_off(period, facts.count);
    if (!earliest || at < earliest->at) earliest = PtoTimer{at, space, false};
  }
  if (earliest) return earliest;
  // RFC 9002 Appendix A.8 arms the anti-deadlock timer only when nothing at all is in flight. Choice: 0-RTT
  // data in flight, which arms no timer, must not disarm it, or a lost Handshake flight of the server would
  // leave both sides waiting.
  return anti_deadlock(facts);
}

}  // namespace quell
