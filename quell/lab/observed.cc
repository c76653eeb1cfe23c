#include "quell/lab/observed.h"

#include <algorithm>

namespace quell::lab {

std::optional<TimePoint> first_ack_of_a_packet_sent_after(const Watch& watch, TimePoint t) {
  for (const Watch::Ack& ack : watch.acks()) {
    if (ack.newest_sent_at > t) return ack.at;
  }
  return std::nullopt;
}

std::optional<Rate> link_rate(const Observed& observed) {
  const path::PathConfig& path = observed.variant->path;
  const path::LinkConfig& link = (observed.variant->load.sender == Side::client ? path.up : path.down).link;
  if (!link.rates.steps.empty() || link.rate.is_unlimited()) return std::nullopt;
  return link.rate;
}

TimePoint first_delivery_after(const Observed& observed, TimePoint t) {
  const auto& deliveries = observed.traffic->deliveries();
  const auto first = std::ranges::lower_bound(deliveries, t, {}, &Traffic::Delivery::at);
  return first != deliveries.end() ? first->at : observed.ended_at;
}

std::optional<TimePoint> find_anchor(const Observed& observed) {
  const Watch& watch = *observed.sender;
  if (observed.variant->measure.anchor == Anchor::last_cut) {
    if (watch.recovery_exits().empty()) return std::nullopt;
    return watch.recovery_exits().back();
  }
  if (!observed.trouble_ended_at) return std::nullopt;
  return first_ack_of_a_packet_sent_after(watch, *observed.trouble_ended_at);
}

}  // namespace quell::lab
