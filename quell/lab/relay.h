// How does a watch outlive the connection that it watches? The connection owns a relay, which only passes on.
#pragma once

#include "quell/trace/sink.h"

namespace quell::lab {

// Passes on what the watches of the laboratory listen to.
class Relay final : public trace::Sink {
 public:
  // `to` must outlive the relay.
  explicit Relay(trace::Sink& to) : to_(to) {}

  void packet_sent(const trace::Packet& e, TimePoint now) override { to_.packet_sent(e, now); }
  void packet_received(const trace::Packet& e, TimePoint now) override { to_.packet_received(e, now); }
  void packet_lost(const trace::PacketLost& e, TimePoint now) override { to_.packet_lost(e, now); }
  void spurious_loss(const trace::SpuriousLoss& e, TimePoint now) override { to_.spurious_loss(e, now); }
  void recovery_metrics(const trace::RecoveryMetrics& e, TimePoint now) override {
    to_.recovery_metrics(e, now);
  }
  void congestion_state_updated(const trace::CongestionStateUpdated& e, TimePoint now) override {
    to_.congestion_state_updated(e, now);
  }
  void transmit_ended(const trace::TransmitEnded& e, TimePoint now) override { to_.transmit_ended(e, now); }
  void parameters_set(const trace::ParametersSet& e, TimePoint now) override { to_.parameters_set(e, now); }
  void connection_closed(const trace::ConnectionClosed& e, TimePoint now) override {
    to_.connection_closed(e, now);
  }
  void handshake_progress(const trace::HandshakeProgress& e, TimePoint now) override {
    to_.handshake_progress(e, now);
  }

 private:
  trace::Sink& to_;
};

}  // namespace quell::lab
