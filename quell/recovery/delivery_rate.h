// How fast does the path deliver? One sample per ACK (draft-ietf-ccwg-bbr §4.1).
#pragma once

#include "quell/base/time.h"
#include "quell/base/units.h"
#include "quell/cc/events.h"
#include "quell/recovery/sent_packets.h"

namespace quell {

class DeliverySampler {
 public:
  // Stamps a packet in flight; size, sent_at and in_flight_at_send are set.
  void on_sent(SentPacket& packet, bool is_nothing_in_flight);
  // For each newly acknowledged packet in flight, then once `take_sample`.
  void on_acked(const SentPacket& packet, TimePoint now);
  // `min_rtt` rejects samples over less than a round trip. `lost`: bytes lost by the connection in total.
  cc::DeliveryRateSample take_sample(Duration min_rtt, ByteCount lost);
  // The sender has nothing to send: rates measured until all of this is delivered say nothing about the path.
  void mark_app_limited(ByteCount bytes_in_flight);

  ByteCount delivered() const { return delivered_; }
  bool is_app_limited() const { return app_limited_until_ > 0; }

 private:
  ByteCount delivered_ = 0;
  TimePoint delivered_time_{};
  TimePoint first_sent_time_{};
  ByteCount app_limited_until_ = 0;  // delivered bytes at which the bubble has passed; zero: none
  // The most recently sent packet among those that this ACK acknowledges.
  struct Newest {
    bool is_set = false;
    ByteCount prior_delivered = 0;
    ByteCount lost_at_send = 0;
    ByteCount in_flight_at_send = 0;
    TimePoint sent_at;
    Duration send_elapsed{0};
    Duration ack_elapsed{0};
    bool is_app_limited = false;
  } newest_;
};

}  // namespace quell
