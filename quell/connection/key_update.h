// Which 1-RTT keys are in force, and when do they change? (RFC 9001 §6)
#pragma once

#include <cstdint>
#include <optional>

#include "quell/base/time.h"
#include "quell/crypto/keys.h"
#include "quell/crypto/packet_protection.h"
#include "quell/wire/error.h"

namespace quell {

// Holds the keys of the current phase, the next receive key made ahead (so that an update costs no time that
// a peer could measure, §9.5), and the previous receive key for a while.
class OneRttKeys {
 public:
  OneRttKeys(AeadKind kind, const Secret& receive_secret, Secret send_secret);

  bool phase() const { return generation_ % 2 == 1; }
  std::uint64_t generation() const { return generation_; }
  PacketKey& send_key() { return *send_; }
  void on_sent(PacketNumber number);

  // Opens with the key that the phase bit and number call for. `did_update`: the peer's update was followed.
  // A packet that is merely not authentic gives false. Error: AEAD_LIMIT_REACHED after too many of those
  // (§6.6).
  struct Opened {
    bool authentic = false;
    bool did_update = false;
  };
  Result<Opened> open(PacketNumber number, bool phase, MutableBytes packet, std::size_t header_size,
                      TimePoint now);

  // Our own update: allowed once a packet of this phase was acknowledged, and (§6.5) three PTOs have passed
  // since the last.
  bool may_update(std::optional<PacketNumber> largest_acked, TimePoint now, Duration pto) const;
  void update(TimePoint now);
  // Packets that the current key has sealed, against the AEAD's limit (§6.6).
  std::uint64_t sealed() const { return sealed_; }
  std::uint64_t confidentiality_limit() const { return quell::confidentiality_limit(kind_); }
  // Failed openings count over the whole connection.
  std::uint64_t failed_openings() const { return failed_; }
  std::uint64_t integrity_limit() const { return quell::integrity_limit(kind_); }
  // Forgets the previous key three PTOs after the first packet under the new one.
  void forget_previous(TimePoint now, Duration pto);

 private:
  void advance(TimePoint now);
  void note_received(PacketNumber number, TimePoint now);

  AeadKind kind_;
  Secret receive_secret_;  // of next_receive_
  Secret send_secret_;     // of send_
  std::optional<PacketKey> receive_;
  std::optional<PacketKey> next_receive_;
  std::optional<PacketKey> previous_receive_;
  std::optional<PacketKey> send_;
  std::uint64_t generation_ = 0;
  std::uint64_t sealed_ = 0;
  std::uint64_t failed_ = 0;
  std::optional<PacketNumber> first_sent_;       // in this phase
  std::optional<PacketNumber> lowest_received_;  // in this phase
  std::optional<TimePoint> updated_at_;
  std::optional<TimePoint> received_at_;  // when lowest_received_ was first set
};

}  // namespace quell
