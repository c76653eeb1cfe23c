// What does a controller do on a path with a bottleneck? For tests: a paced sender, a queue in front of a
// link, losses, ACKs that may come in bundles. It plays the transport's part in the contract, samples
// delivery rates as draft-ietf-ccwg-bbr §4.1 has it, and lets a test look in after every event.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "quell/base/rng.h"
#include "quell/cc/controller.h"

namespace quell::cc::test {

// All of it may change while the path is in use.
struct Path {
  Rate rate = Rate::bits_per_second(10e6);
  Duration rtt = milliseconds{40};
  double buffer = 50'000;  // bytes that may wait for the link
  double loss = 0;         // probability, of each packet
  Duration ack_slot{0};    // ACKs leave only at multiples of it
  // A policer instead of a queue: what exceeds `rate` by more than this is dropped, nothing waits.
  std::optional<double> token_depth{};
};

class Bottleneck {
 public:
  static constexpr ByteCount kPacket = 1000;

  Bottleneck(Controller& controller, const Path& at_first) : path(at_first), controller_(controller) {}

  Path path;
  // What the application has to send, bytes per second; none while it is silent.
  Rate application = Rate::unlimited();
  // The next so many packets arrive only after this time: reordered, and taken for lost.
  int late_packets = 0;
  Duration late_by{0};

  TimePoint now() const { return now_; }
  ByteCount in_flight() const { return in_flight_; }
  ByteCount delivered() const { return delivered_; }
  ByteCount lost() const { return lost_; }
  std::size_t undone() const { return undone_; }
  bool is_recovering() const { return boundary_.has_value(); }

  // True: `is_so` has become true within `limit`.
  template <class Condition>
  bool run_until(Condition is_so, Duration limit) {
    const TimePoint end = now_ + limit;
    while (now_ < end) {
      if (is_so()) return true;
      step(end);
    }
    return is_so();
  }
  void run_for(Duration d) {
    run_until([] { return false; }, d);
  }
  // Also for what waits in the queue already.
  void set_rate(Rate rate) {
    const double stretch = path.rate.bytes_per_second() / rate.bytes_per_second();
    auto later = [&](TimePoint t) {
      return t <= now_ ? t : now_ + from_seconds(to_seconds(t - now_) * stretch);
    };
    for (auto& [number, packet] : flight_) {
      if (packet.acked_at) packet.acked_at = later(*packet.acked_at - path.rtt) + path.rtt;
    }
    link_free_at_ = later(link_free_at_);
    path.rate = rate;
  }
  // Bits per second that arrive in the next `d`.
  double goodput_for(Duration d) {
    const ByteCount before = delivered_;
    run_for(d);
    return static_cast<double>(delivered_ - before) * 8 / to_seconds(d);
  }

 private:
  struct Packet {
    TimePoint sent_at;
    std::optional<TimePoint> acked_at;  // nothing: dropped
    TimePoint first_sent_time;
    TimePoint delivered_time;
    ByteCount delivered_at_send = 0;
    ByteCount lost_at_send = 0;
    ByteCount in_flight_at_send = 0;
    bool is_app_limited = false;
    bool is_late = false;                    // out of order
    std::optional<std::uint64_t> episode{};  // declared lost in it
  };
  using Flight = std::map<PacketNumber, Packet>;
  static constexpr TimePoint kNever = TimePoint::max();

  // One event, but not beyond `end`.
  void step(TimePoint end) {
    const TimePoint ack_at = next_ack();
    const TimePoint timeout_at =
        flight_.empty() || ack_at != kNever ? kNever : last_sent_ + 2 * path.rtt + seconds{1};
    const TimePoint next = std::min({end, ack_at, timeout_at, next_send()});
    earn(next - now_);
    now_ = std::max(now_, next);
    if (ack_at <= now_) {
      take_acks();
    } else if (timeout_at <= now_) {
      declare_lost(next_number_);
    } else if (next_send() <= now_) {
      send();
    }
    if (has_no_data() && in_flight_ < controller_.cwnd())
      app_limited_until_ = std::max<ByteCount>(delivered_ + in_flight_, 1);
  }

  void earn(Duration d) {
    if (d <= Duration{0}) return;
    tokens_ = std::min(tokens_ + path.rate.bytes_per_second() * to_seconds(d), path.token_depth.value_or(0));
    if (application.is_unlimited()) return;
    data_ = std::min(data_ + application.bytes_per_second() * to_seconds(d), 1e9);
  }
  bool has_no_data() const { return !application.is_unlimited() && data_ < kPacket; }

  TimePoint next_ack() const {
    TimePoint first = kNever;
    for (const auto& [number, packet] : flight_) {
      if (packet.acked_at && *packet.acked_at < first) first = *packet.acked_at;
      if (packet.acked_at && !packet.is_late) break;  // the rest come later
    }
    return first;
  }
  TimePoint next_send() const {
    if (in_flight_ + kPacket > controller_.cwnd()) return kNever;
    TimePoint at = std::max(now_, paced_at_);
    if (has_no_data()) {
      if (application.is_zero()) return kNever;
      at =
          std::max(at, now_ + application.time_for(kPacket - static_cast<ByteCount>(data_)) + nanoseconds{1});
    }
    return at;
  }

  void send() {
    if (in_flight_ == 0) first_sent_time_ = delivered_time_ = now_;
    in_flight_ += kPacket;
    if (!application.is_unlimited()) data_ -= kPacket;
    const bool is_app_limited = app_limited_until_ > 0;
    const bool is_late = late_packets > 0;
    flight_[next_number_] = {now_,  carry(),    first_sent_time_, delivered_time_, delivered_,
                             lost_, in_flight_, is_app_limited,   is_late};
    controller_.on_sent({next_number_++, kPacket, in_flight_ - kPacket, is_app_limited}, now_);
    last_sent_ = now_;
    const Rate rate = controller_.pacing_rate().value_or(Rate::unlimited());
    paced_at_ = std::max(now_, paced_at_) + (rate.is_unlimited() ? Duration{0} : rate.time_for(kPacket));
  }

  // When its ACK arrives; nothing: dropped.
  std::optional<TimePoint> carry() {
    if (path.loss > 0 && rng_.chance(path.loss)) return {};
    if (path.token_depth) {
      if (tokens_ < kPacket) return {};
      tokens_ -= kPacket;
      return now_ + path.rtt;
    }
    const TimePoint begin = std::max(now_, link_free_at_);
    if (static_cast<double>(path.rate.bytes_in(begin - now_)) > path.buffer) return {};
    link_free_at_ = begin + path.rate.time_for(kPacket);
    TimePoint at = link_free_at_ + path.rtt;
    if (path.ack_slot > Duration{0}) {
      const auto slots = (at.time_since_epoch() + path.ack_slot - nanoseconds{1}) / path.ack_slot;
      at = TimePoint{slots * path.ack_slot};
    }
    if (late_packets > 0) {
      --late_packets;
      return at + late_by;
    }
    return at;
  }

  // Everything that is acknowledged at this instant, in one ACK.
  void take_acks() {
    std::vector<AckedPacket> acked;
    const ByteCount before = in_flight_;
    for (auto at = flight_.begin(); at != flight_.end();) {
      if (!at->second.acked_at || *at->second.acked_at > now_) {
        if (at->second.acked_at && !at->second.is_late) break;
        ++at;
        continue;
      }
      if (at->second.episode) {
        if (*at->second.episode == episode_) ++episode_late_;
      } else {
        acked.push_back({at->first, kPacket, at->second.sent_at});
        in_flight_ -= kPacket;
        delivered_ += kPacket;
        newest_ = at->second;
      }
      at = flight_.erase(at);
    }
    check_spurious();
    if (acked.empty()) return;
    delivered_time_ = now_;
    first_sent_time_ = newest_.sent_at;
    rtt_ = now_ - acked.back().sent_at;
    min_rtt_ = std::min(min_rtt_, rtt_);
    if (boundary_ && acked.back().number >= *boundary_) {
      boundary_.reset();
      controller_.on_recovery_exit({}, now_);
    }
    declare_lost(acked.back().number > 2 ? acked.back().number - 2 : 0);  // RFC 9002 §6.1.1
    tell(acked, before);
  }

  void tell(const std::vector<AckedPacket>& acked, ByteCount before) {
    if (app_limited_until_ > 0 && delivered_ > app_limited_until_) app_limited_until_ = 0;
    const Duration interval =
        std::max(newest_.sent_at - newest_.first_sent_time, now_ - newest_.delivered_time);
    DeliveryRateSample sample{.delivered = delivered_ - newest_.delivered_at_send,
                              .prior_delivered = newest_.delivered_at_send,
                              .in_flight_at_send = newest_.in_flight_at_send,
                              .lost_since_send = lost_ - newest_.lost_at_send,
                              .is_app_limited = newest_.is_app_limited};
    if (interval > Duration{0} && interval >= min_rtt_) {
      sample.interval = interval;
      sample.rate = Rate::of(sample.delivered, interval);
    }
    controller_.on_ack({.acked_bytes = acked.size() * kPacket,
                        .growable_bytes = boundary_ ? 0 : acked.size() * kPacket,
                        .in_flight_before = before,
                        .in_flight_after = in_flight_,
                        .rtt = {.latest = rtt_, .min = min_rtt_, .smoothed = rtt_},
                        .in_recovery = boundary_.has_value(),
                        .total_delivered = delivered_,
                        .delivery = sample,
                        .packets = acked},
                       now_);
  }

  // Everything in flight below `end`.
  void declare_lost(PacketNumber end) {
    std::vector<LostPacket> lost;
    const ByteCount before = in_flight_;
    const bool is_timeout = end == next_number_;
    for (auto& [number, packet] : flight_) {
      if (number >= end) break;
      if (packet.episode || (is_timeout && packet.acked_at)) continue;
      in_flight_ -= kPacket;
      lost_ += kPacket;
      lost.push_back({number, kPacket, packet.sent_at, packet.in_flight_at_send, packet.lost_at_send,
                      packet.delivered_at_send, packet.is_app_limited});
    }
    if (lost.empty()) return;
    controller_.on_packets_lost({lost.size() * kPacket, in_flight_, lost_, delivered_, lost}, now_);
    if (!boundary_ || lost.back().number >= *boundary_) {
      boundary_ = next_number_;
      episode_lost_ = episode_late_ = 0;
      controller_.on_congestion(
          {.lost_bytes = lost.size() * kPacket, .in_flight = before, .episode = ++episode_}, now_);
    }
    episode_lost_ += lost.size();
    for (const LostPacket& packet : lost) {
      if (flight_[packet.number].acked_at) {
        flight_[packet.number].episode = episode_;
      } else {
        flight_.erase(packet.number);
      }
    }
  }

  void check_spurious() {
    if (episode_late_ == 0 || episode_late_ != episode_lost_) return;
    episode_late_ = episode_lost_ = 0;
    boundary_.reset();
    ++undone_;
    controller_.on_spurious(episode_, now_);
  }

  Controller& controller_;
  Rng rng_{1};
  TimePoint now_{};
  Flight flight_;
  PacketNumber next_number_ = 0;
  ByteCount in_flight_ = 0;
  ByteCount delivered_ = 0;
  ByteCount lost_ = 0;
  ByteCount app_limited_until_ = 0;
  TimePoint first_sent_time_{};
  TimePoint delivered_time_{};
  TimePoint last_sent_{};
  TimePoint paced_at_{};
  TimePoint link_free_at_{};
  double data_ = 0;
  double tokens_ = 0;
  Packet newest_{};
  Duration rtt_{0};
  Duration min_rtt_ = Duration::max();
  std::optional<PacketNumber> boundary_;
  std::uint64_t episode_ = 0;
  std::size_t episode_lost_ = 0;
  std::size_t episode_late_ = 0;
  std::size_t undone_ = 0;
};

}  // namespace quell::cc::test
