// How large may our datagrams be? A search by probes, PING and PADDING of a size that may or may not arrive
// (RFC 8899, RFC 9000 §14.3). It only ever grows the size: what a path that shrinks does is black hole
// detection's.
#pragma once

#include <optional>

#include "quell/base/units.h"

namespace quell {

// Invariant: `size()` is known to arrive, or is what the connection began with; sizes above the ceiling are
// known not to.
class Pmtud {
 public:
  // RFC 8899 §5.1.2: a size is given up when so many probes of it were lost.
  static constexpr int kMaxProbes = 3;

  // Begins the search above `size` when the handshake is confirmed (RFC 9000 §14.3); up to `largest`, which
  // the peer takes. None when that is no more.
  void start(ByteCount size, ByteCount largest);

  // What a probe that leaves now measures; nothing: one is under way, or the search is over.
  std::optional<ByteCount> wanted() const;
  void on_sent() { is_under_way_ = true; }
  // `probed`: the size of the probe. Late news of an earlier one are taken for what they say.
  void on_acked(ByteCount probed);
  void on_lost(ByteCount probed);

  ByteCount size() const { return size_; }
  bool is_searching() const { return candidate_ > 0; }

 private:
  void choose_next();

  ByteCount size_ = 0;
  ByteCount ceiling_ = 0;    // the largest that may still work
  ByteCount candidate_ = 0;  // zero: no search
  int lost_ = 0;             // probes of the candidate
  bool is_under_way_ = false;
};

}  // namespace quell
