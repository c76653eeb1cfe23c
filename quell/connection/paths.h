// May we send to this address, and how much? Anti-amplification and path validation (RFC 9000 §8). Migration
// comes later: there is one path now, and this is its room.
#pragma once

#include <cstdint>
#include <limits>

#include "quell/base/address.h"
#include "quell/base/bounded_queue.h"
#include "quell/base/units.h"
#include "quell/connection/frame_sink.h"

namespace quell {

class Paths {
 public:
  Paths(Side side, const Address& local, const Address& remote, bool is_validated)
      : local_(local), remote_(remote), validated_(side == Side::client || is_validated) {}

  const Address& local() const { return local_; }
  const Address& remote() const { return remote_; }
  void set_local(const Address& local) { local_ = local; }

  bool is_validated() const { return validated_; }
  void validate() { validated_ = true; }

  void on_received(ByteCount bytes) { received_ += bytes; }
  void on_sent(ByteCount bytes) { sent_ += bytes; }
  // Bytes that may be sent now: three times what was received, until the address is validated (§8.1).
  ByteCount allowance() const {
    if (validated_) return std::numeric_limits<ByteCount>::max();
    const ByteCount limit = 3 * received_;
    return limit > sent_ ? limit - sent_ : 0;
  }

  // Every challenge is answered once (§8.2.2); more at a time than a few are dropped, which costs the peer a
  // retry.
  void on_challenge(const PathChallengeFrame& frame) { (void)responses_.push(frame.data); }
  bool has_frames() const { return !responses_.empty(); }
  void write_frames(FrameSink& sink) {
    while (!responses_.empty()) {
      const bool fits = sink.put(PathResponseFrame{responses_.front()}, {.type = FrameType::path_response});
      if (!fits) return;
      responses_.pop();
    }
  }

 private:
  static constexpr std::size_t kMaxResponses = 4;
  Address local_;
  Address remote_;
  bool validated_;
  ByteCount received_ = 0;
  ByteCount sent_ = 0;
  BoundedQueue<PathData> responses_{kMaxResponses};
};

}  // namespace quell
