#include "quell/recovery/pacer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "quell/base/check.h"

namespace quell {
namespace {

// RFC 9002 §7.7 limits a burst to the initial window, 10 packets, unless the path is known to take more.
// Choice: a path takes 2 ms of its rate.
constexpr ByteCount kBurstPackets = 10;
constexpr Duration kBurstTime = milliseconds{2};
// Choice: wait for ¾ ms of rate, at least two packets (which draw an ACK), at most one batched send. A timer
// with ticks of 1 ms, a little late, then stays within kBurstTime.
constexpr ByteCount kQuantumPackets = 2;
constexpr Duration kQuantumTime = microseconds{750};
constexpr ByteCount kQuantumMax = 64000;
// Choice: a host that sleeps for longer than this is paused, not late.
constexpr Duration kMostLateness = milliseconds{10};
constexpr ByteCount kUnbounded = std::numeric_limits<ByteCount>::max();
// Credit is a double: half a byte of slack keeps rounding from asking for a wake-up at once after the last
// one.
constexpr double kSlack = 0.5;

}  // namespace

Pacer::Pacer(ByteCount max_datagram_size)
    : max_datagram_size_(max_datagram_size),
      burst_(kBurstPackets * max_datagram_size),
      quantum_(kQuantumPackets * max_datagram_size),
      credit_(static_cast<double>(burst_)) {}

void Pacer::set_rate(Rate rate, std::optional<ByteCount> most_at_once, TimePoint now) {
  QUELL_CHECK(rate.bytes_per_second() > 0);
  refill(now);
  if (rate == rate_ && most_at_once == most_at_once_) return;
  rate_ = rate;
  most_at_once_ = most_at_once;
  set_bounds();
}

void Pacer::set_datagram_size(ByteCount size) {
  max_datagram_size_ = size;
  set_bounds();
}

void Pacer::set_bounds() {
  if (rate_.is_unlimited()) return;
  burst_ = std::max(kBurstPackets * max_datagram_size_,
                    std::min(rate_.bytes_in(kBurstTime), most_at_once_.value_or(kUnbounded)));
  quantum_ = std::min(std::max(kQuantumPackets * max_datagram_size_, rate_.bytes_in(kQuantumTime)),
                      std::max(kQuantumMax, kQuantumPackets * max_datagram_size_));
  quantum_ = std::min(quantum_, burst_);
  if (!waits_until_) credit_ = std::min(credit_, static_cast<double>(burst_));
}

void Pacer::refill(TimePoint now) {
  if (now <= refilled_at_) return;
  if (!rate_.is_unlimited()) {
    const double earned = rate_.bytes_per_second() * to_seconds(now - refilled_at_);
    credit_ = std::min(credit_ + earned, most_credit(now));
  }
  refilled_at_ = now;
}

double Pacer::most_credit(TimePoint now) const {
  const auto burst = static_cast<double>(burst_);
  if (!waits_until_ || now <= *waits_until_) return burst;
  const Duration lateness = std::min(now - *waits_until_, kMostLateness);
  return std::max(burst, static_cast<double>(quantum_) + rate_.bytes_per_second() * to_seconds(lateness));
}

void Pacer::wait(std::optional<TimePoint> until, TimePoint now) {
  refill(now);
  waits_until_ = until;
  if (!until) credit_ = std::min(credit_, static_cast<double>(burst_));
}

double Pacer::threshold(ByteCount window_left) const {
  return static_cast<double>(std::min(quantum_, std::max(window_left, max_datagram_size_)));
}

ByteCount Pacer::available(ByteCount window_left, TimePoint now) {
  if (rate_.is_unlimited()) return std::numeric_limits<ByteCount>::max();
  refill(now);
  const double credit = credit_ + kSlack;
  if (is_dry_ && credit < threshold(window_left)) return 0;
  is_dry_ = credit < static_cast<double>(max_datagram_size_);
  if (is_dry_) return 0;
  return static_cast<ByteCount>(credit) / max_datagram_size_ * max_datagram_size_;
}

TimePoint Pacer::release_at(ByteCount bytes, ByteCount window_left) const {
  if (rate_.is_unlimited()) return refilled_at_;
  const double missing = threshold(window_left) - (credit_ - static_cast<double>(bytes));
  if (missing <= 0) return refilled_at_;
  const double nanoseconds_needed = std::ceil(missing / rate_.bytes_per_second() * 1e9);
  return refilled_at_ + Duration{static_cast<Duration::rep>(nanoseconds_needed)};
}

void Pacer::on_sent(ByteCount bytes) {
  if (rate_.is_unlimited()) return;
  credit_ = std::max(credit_ - static_cast<double>(bytes), -static_cast<double>(burst_));
}

}  // namespace quell
