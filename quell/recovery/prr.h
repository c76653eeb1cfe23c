// How much may leave while the window comes down? Proportional Rate Reduction (RFC 9937): so much per packet
// that arrives that the flight has reached the new window when a round trip is over, instead of saying
// nothing until half of it has drained.
#pragma once

#include "quell/base/units.h"

namespace quell {

// One recovery episode. All in bytes. An ACK sets what may leave until the next one, sending uses it up.
//
// Invariant, which is what a window promises: where ACKs alone let packets leave, the flight never rises
// above the larger of `target` and what it was, plus a packet of rounding.
class Prr {
 public:
  struct Ack {
    ByteCount delivered = 0;  // by this ACK: newly acknowledged bytes that were in flight
    ByteCount in_flight = 0;  // after it, and after the losses that it revealed
    ByteCount target = 0;     // RFC 9937's ssthresh: the window after the cut
    // RFC 9937's SafeACK: it shows progress and no further loss.
    bool is_safe = false;
    ByteCount packet = 0;  // max_datagram_size
  };

  // `recover_flight` is RFC 9937's RecoverFS: in flight before the event that began the episode, with what it
  // acknowledged and what it declared lost.
  void begin(ByteCount recover_flight);
  void end() { is_active_ = false; }
  bool is_active() const { return is_active_; }

  // Every ACK of an episode, also the one that began it, but not the one that ends it.
  void on_ack(const Ack& ack);
  // Every packet in flight, probes too: they are paid for, although never held back.
  void on_sent(ByteCount bytes);
  // May leave now.
  ByteCount budget(ByteCount in_flight, ByteCount packet) const;

  ByteCount delivered() const { return delivered_; }
  ByteCount sent() const { return sent_; }

 private:
  ByteCount proportional(ByteCount target, ByteCount packet) const;

  bool is_active_ = false;
  ByteCount recover_flight_ = 0;
  ByteCount delivered_ = 0;  // prr_delivered
  ByteCount sent_ = 0;       // prr_out
  ByteCount allowance_ = 0;  // what is left of the last ACK's SndCnt
};

}  // namespace quell
