// Recovery, silence: the loss timer and the probe timeout (RFC 9002 §6.1.2, §6.2, Appendix A.8 and A.9).
#include <algorithm>

#include "quell/recovery/recovery.h"

namespace quell {
namespace {

// RFC 9002 §6.2.4: up to two, so that the loss of one probe does not cost another, doubled PTO.
constexpr std::uint32_t kProbes = 2;

}  // namespace

std::optional<std::pair<TimePoint, Space>> Recovery::earliest_loss_time() const {
  std::optional<std::pair<TimePoint, Space>> earliest;
  for (const Space space : kSpaces) {
    const auto& loss_time = at(space).loss_time;
    if (loss_time && (!earliest || *loss_time < earliest->first)) earliest = {*loss_time, space};
  }
  return earliest;
}

std::optional<PtoTimer> Recovery::pto_timer() const {
  PtoFacts facts{.last_ack_eliciting = {},
                 .base = rtt_.pto_base(),
                 .max_ack_delay = peer_max_ack_delay_,
                 .count = pto_count_,
                 .handshake = facts_,
                 .anti_deadlock_from = timer_set_at_};
  for (const Space space : kSpaces) {
    const PerSpace& state = at(space);
    if (state.ack_eliciting_in_flight > 0)
      facts.last_ack_eliciting[index(space)] = state.last_ack_eliciting_sent_at;
  }
  return next_pto(facts);
}

std::optional<TimePoint> Recovery::next_timeout() const {
  // RFC 9002 §6.2.1: no PTO while the loss timer runs.
  if (const auto loss = earliest_loss_time()) return loss->first;
  if (const auto timer = pto_timer()) return timer->at;
  return std::nullopt;
}

TimeoutOutcome Recovery::on_timeout(TimePoint now) {
  begin_event();
  if (const auto loss = earliest_loss_time()) {
    if (now < loss->first) return {};
    const Space lost_space = loss->second;
    detect_losses(lost_space, now);
    trace_metrics(now);
    return {.lost = lost_frames_, .probe = {}, .probe_space = {}, .space = lost_space};
  }
  const auto timer = pto_timer();
  if (!timer || now < timer->at) return {};
  return fire_pto(*timer, now);
}

// RFC 9002 §6.2: nothing is lost by a PTO; the peer is asked again.
TimeoutOutcome Recovery::fire_pto(const PtoTimer& timer, TimePoint now) {
  ++pto_count_;
  ++stats_.ptos;
  timer_set_at_ = now;
  probes_owed_[index(timer.space)] = timer.is_anti_deadlock ? 1 : kProbes;
  if (!timer.is_anti_deadlock) collect_unacked(timer.space, kProbes, lost_frames_);
  const EcnValidation::State ecn_before = ecn_.state();
  ecn_.on_time(pto(), now);
  ecn_.on_pto(pto_count_);
  note_ecn_state(ecn_before, now);
  trace_metrics(now);
  return {.lost = {}, .probe = lost_frames_, .probe_space = timer.space, .space = timer.space};
}

void Recovery::owe_probe(Space space) {
  std::uint32_t& owed = probes_owed_[index(space)];
  owed = std::min(owed + 1, static_cast<std::uint32_t>(kProbes));
}

// The frames of the oldest packets that ask for an acknowledgement and have none.
void Recovery::collect_unacked(Space space, std::size_t max_packets, std::vector<SentFrame>& out) const {
  const SentPackets& packets = at(space).packets;
  std::size_t taken = 0;
  for (const Range& range : packets.outstanding().ranges()) {
    for (PacketNumber n = range.first; n < range.end; ++n) {
      if (taken == max_packets) return;
      if (!packets[n].is_ack_eliciting || packets[n].is_mtu_probe) continue;
      packets.append_frames(packets[n], out);
      ++taken;
    }
  }
}

}  // namespace quell
