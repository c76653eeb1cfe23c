#include "quell/recovery/delivery_rate.h"

#include <algorithm>

namespace quell {

void DeliverySampler::on_sent(SentPacket& packet, bool is_nothing_in_flight) {
  if (is_nothing_in_flight) {
    first_sent_time_ = packet.sent_at;
    delivered_time_ = packet.sent_at;
  }
  packet.first_sent_time = first_sent_time_;
  packet.delivered_time = delivered_time_;
  packet.delivered_at_send = delivered_;
  packet.is_app_limited = is_app_limited();
}

void DeliverySampler::on_acked(const SentPacket& packet, TimePoint now) {
  delivered_ += packet.size;
  delivered_time_ = now;
  const bool is_newer = !newest_.is_set || packet.sent_at >= newest_.sent_at;
  if (!is_newer) return;
  newest_ = {.is_set = true,
             .prior_delivered = packet.delivered_at_send,
             .lost_at_send = packet.lost_at_send,
             .in_flight_at_send = packet.in_flight_at_send,
             .sent_at = packet.sent_at,
             .send_elapsed = packet.sent_at - packet.first_sent_time,
             .ack_elapsed = now - packet.delivered_time,
             .is_app_limited = packet.is_app_limited};
  first_sent_time_ = packet.sent_at;
}

cc::DeliveryRateSample DeliverySampler::take_sample(Duration min_rtt, ByteCount lost) {
  if (app_limited_until_ > 0 && delivered_ > app_limited_until_) app_limited_until_ = 0;
  cc::DeliveryRateSample sample;
  if (!newest_.is_set) return sample;
  sample.prior_delivered = newest_.prior_delivered;
  sample.delivered = delivered_ - newest_.prior_delivered;
  sample.in_flight_at_send = newest_.in_flight_at_send;
  sample.lost_since_send = lost - newest_.lost_at_send;
  sample.is_app_limited = newest_.is_app_limited;
  const Duration interval = std::max(newest_.send_elapsed, newest_.ack_elapsed);
  newest_.is_set = false;
  // Over less than min_rtt the acknowledgements were compressed: that would overestimate.
  if (interval <= Duration{0} || interval < min_rtt) return sample;
  sample.interval = interval;
  sample.rate = Rate::of(sample.delivered, interval);
  return sample;
}

void DeliverySampler::mark_app_limited(ByteCount bytes_in_flight) {
  app_limited_until_ = std::max<ByteCount>(delivered_ + bytes_in_flight, 1);
}

}  // namespace quell
