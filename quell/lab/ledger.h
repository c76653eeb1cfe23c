// Which packets are in flight, according to the trace alone? A second set of books beside the transport's
// own.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quell/base/ring.h"
#include "quell/trace/event.h"
#include "quell/wire/frame.h"

namespace quell::lab {

class Ledger {
 public:
  struct Acked {
    std::uint64_t ordinal = 0;
    ByteCount size = 0;
  };
  struct Heard {
    ByteCount acked_bytes = 0;                // newly acknowledged, in flight until now
    std::optional<TimePoint> newest_sent_at;  // of the newly acknowledged packets
    bool is_ack_eliciting = false;            // the packet heard
    std::span<const Acked> packets;           // those of them that were in flight; valid until the next call
  };
  struct Lost {
    TimePoint sent_at;
    std::uint64_t ordinal = 0;
    bool was_in_flight = false;  // false: it had left flight before, or never was there
  };

  void on_sent(const trace::Packet& packet, TimePoint now);
  // Reads the ACK frames of a received packet.
  Heard on_received(const trace::Packet& packet);
  Lost on_lost(const trace::PacketLost& lost);
  // Initial and Handshake keys are gone, and with them their packets (RFC 9002 §6.4).
  void on_confirmed();

  bool is_confirmed() const { return confirmed_; }
  ByteCount in_flight() const;
  ByteCount in_flight(Space space) const { return spaces_[index(space)].in_flight; }
  // Packets sent so far, in all spaces: the next packet's ordinal.
  std::uint64_t sent() const { return sent_; }

 private:
  struct Entry {
    enum class State : std::uint8_t { skipped, outstanding, settled } state = State::skipped;
    ByteCount size = 0;
    TimePoint sent_at{};
    std::uint64_t ordinal = 0;
    bool is_in_flight = false;
  };
  struct Book {
    Ring<Entry> entries;
    ByteCount in_flight = 0;
  };
  static void settle(Book& book, Entry& entry);
  static bool is_front_done(const Book& book);
  static bool is_possible(const Book& book, const AckFrame& ack);
  void on_ack(Book& book, const AckFrame& ack, Heard& heard);

  std::array<Book, kSpaceCount> spaces_;
  std::vector<Acked> acked_;
  std::uint64_t sent_ = 0;
  bool confirmed_ = false;
};

}  // namespace quell::lab
