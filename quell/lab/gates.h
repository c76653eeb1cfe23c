// Was something held back that nothing may hold back? Probes and pure ACKs leave whatever the window says.
#pragma once

#include <optional>

#include "quell/trace/sink.h"

namespace quell::lab {

class Gates {
 public:
  void on_sent(const trace::Packet& packet);
  // `is_ack_eliciting`: it is.
  void on_received(const trace::Packet& packet, bool is_ack_eliciting, TimePoint now);
  void on_pto_count(std::uint32_t count);

  // A probe timeout fired in this turn, and no probe left (RFC 9002 §6.2.4).
  bool owes_probe() const { return owes_probe_; }
  // Since when a 1-RTT packet waits to be acknowledged (RFC 9000 §13.2.1).
  std::optional<TimePoint> owes_ack_since() const { return owes_ack_since_; }
  void on_turn_end() { owes_probe_ = false; }

 private:
  std::uint32_t pto_count_ = 0;
  bool owes_probe_ = false;
  std::optional<TimePoint> owes_ack_since_;
};

}  // namespace quell::lab
