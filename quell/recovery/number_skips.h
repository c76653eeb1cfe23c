// Which packet numbers are never used, so that nobody can acknowledge what he has not received? (RFC 9000
// §21.4)
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "quell/base/rng.h"
#include "quell/base/units.h"
#include "quell/wire/frame.h"

namespace quell {

// An optimistic peer acknowledges what is still on its way, to make us send faster. It cannot know which
// number is missing; one that is right about a window of packets is right by luck.
//
// Choice: on average one number in two windows is left out, at most one in 64. Rare, because a skipped number
// is a hole for ever in the ranges of a peer that keeps only some dozens of them.
class NumberSkips {
 public:
  // Without a source of chance no number is skipped.
  explicit NumberSkips(std::optional<Rng> rng);

  // Is this number to be left out? Asked of every number.
  bool is_due(PacketNumber number) const { return number == next_; }
  // It was left out. `window_packets`: of the congestion window, for the next to be as rare as it should.
  void on_skipped(ByteCount window_packets);
  // Does this ACK name a number that was left out? Remembers the last few; what is in flight is younger.
  bool are_covered_by(const AckFrame& ack) const;

 private:
  static constexpr std::size_t kRemembered = 4;

  void draw(PacketNumber from, ByteCount window_packets);

  std::optional<Rng> rng_;
  PacketNumber next_ = 0;                            // zero: none; the first number is never left out
  std::array<PacketNumber, kRemembered> skipped_{};  // newest first
  std::size_t count_ = 0;
};

}  // namespace quell
