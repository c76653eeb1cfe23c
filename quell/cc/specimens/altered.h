// How is a single fault put into a sound controller? By telling it something false: a specimen overrides one
// or two verbs, and all the rest goes through to the controller inside.
#pragma once

#include <algorithm>
#include <utility>

#include "quell/cc/controller.h"

namespace quell::cc {

class Altered : public Controller {
 public:
  Altered(std::string_view name, ControllerPtr sound) : sound_(std::move(sound)), traits_(sound_->traits()) {
    traits_.name = name;
  }

  const Traits& traits() const override { return traits_; }
  void on_sent(const SentEvent& event, TimePoint now) override { sound_->on_sent(event, now); }
  void on_ack(const AckEvent& event, TimePoint now) override { sound_->on_ack(event, now); }
  void on_packets_lost(const LossEvent& event, TimePoint now) override {
    sound_->on_packets_lost(event, now);
  }
  void on_congestion(const CongestionEvent& event, TimePoint now) override {
    sound_->on_congestion(event, now);
  }
  void on_recovery_exit(Duration growth_clock, TimePoint now) override {
    sound_->on_recovery_exit(growth_clock, now);
  }
  void on_spurious(std::uint64_t episode, TimePoint now) override { sound_->on_spurious(episode, now); }
  void on_idle_restart(Duration gap, TimePoint now) override { sound_->on_idle_restart(gap, now); }
  void on_mtu(ByteCount old_size, ByteCount new_size, TimePoint now) override {
    sound_->on_mtu(old_size, new_size, now);
  }
  void on_path_reset(TimePoint now) override { sound_->on_path_reset(now); }

  ByteCount cwnd() const override { return sound_->cwnd(); }
  std::optional<ByteCount> ssthresh() const override { return sound_->ssthresh(); }
  std::optional<Rate> pacing_rate() const override { return sound_->pacing_rate(); }
  std::optional<ByteCount> send_quantum() const override { return sound_->send_quantum(); }
  State state() const override { return sound_->state(); }

 protected:
  Controller& sound() { return *sound_; }
  const Controller& sound() const { return *sound_; }

 private:
  ControllerPtr sound_;
  Traits traits_;
};

}  // namespace quell::cc
