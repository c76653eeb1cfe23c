// Who watches? One interface; a connection without a watcher pays one branch per event.
#pragma once

#include "quell/trace/event.h"

namespace quell::trace {

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void connection_started(const ConnectionStarted&, TimePoint /*now*/) {}
  virtual void packet_sent(const Packet&, TimePoint /*now*/) {}
  virtual void packet_received(const Packet&, TimePoint /*now*/) {}
  virtual void packet_dropped(const PacketDropped&, TimePoint /*now*/) {}
  virtual void packet_lost(const PacketLost&, TimePoint /*now*/) {}
  virtual void spurious_loss(const SpuriousLoss&, TimePoint /*now*/) {}
  virtual void recovery_metrics(const RecoveryMetrics&, TimePoint /*now*/) {}
  virtual void congestion_state_updated(const CongestionStateUpdated&, TimePoint /*now*/) {}
  virtual void transmit_ended(const TransmitEnded&, TimePoint /*now*/) {}
  virtual void parameters_set(const ParametersSet&, TimePoint /*now*/) {}
  virtual void handshake_progress(const HandshakeProgress&, TimePoint /*now*/) {}
  virtual void key_updated(const KeyUpdated&, TimePoint /*now*/) {}
  virtual void ecn_state_updated(const EcnStateUpdated&, TimePoint /*now*/) {}
  virtual void connection_closed(const ConnectionClosed&, TimePoint /*now*/) {}
};

}  // namespace quell::trace
