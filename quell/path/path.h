// What happens to this packet, and when does it arrive? Joins gates, queue, line and NAT of both ways.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "quell/base/event_queue.h"
#include "quell/base/rng.h"
#include "quell/path/drop_tail.h"
#include "quell/path/gates.h"
#include "quell/path/line.h"
#include "quell/path/managed_link.h"
#include "quell/path/packet.h"
#include "quell/path/reordering.h"

namespace quell::path {

// A packet has arrived (`delivered`), or was dropped on its way.
struct Exit {
  Fate fate = Fate::delivered;
  Packet packet;
};

// Pure. Flows share gates and bottleneck; each has its own line behind them. Whoever owns time calls `send`
// with ascending times, and `poll` whenever `next_event` is due, until it gives nothing.
class Path {
 public:
  Path(const PathConfig& config, const Rng& rng, TimePoint start);

  // Makes the lines of one flow longer, each way by this much.
  void set_flow_delay(std::uint32_t flow, Duration extra) {
    for (Direction& direction : directions_) direction.line.set_flow_delay(flow, extra);
  }

  // A packet with these bytes, in a buffer that was recycled where possible. The caller sets way, flow, ECN
  // bits and, on the way down, the binding that it is sent to.
  Packet make_packet(Bytes bytes);
  // `delivered`: it is on its way, and `poll` will tell how it ends. Anything else is final.
  Fate send(Packet packet, TimePoint now);
  std::optional<TimePoint> next_event() const;
  // What happens next, not later than `now`.
  std::optional<Exit> poll(TimePoint now);
  // Gives back the buffer of a packet that was polled, to be used again.
  void recycle(std::vector<std::uint8_t> buffer) { spare_buffers_.push_back(std::move(buffer)); }

  // When a phase with this trigger begins; nothing while its event has not happened.
  std::optional<TimePoint> begins_at(const Trigger& trigger) const { return phases_.begins_at(trigger); }
  // When the last phase that ends has ended and the last script was done; nothing while one of them is still
  // to come. A phase without an end does not count.
  std::optional<TimePoint> trouble_ends_at() const;
  // Which of the client's ports, counted from 0, the NAT uses now.
  std::uint32_t binding(TimePoint now) const;
  // Bytes that are queued or in transmission.
  ByteCount backlog(Way way, TimePoint now) const;
  const RateSchedule& rates(Way way) const { return directions_[index(way)].rates; }

 private:
  struct Held {
    std::uint32_t slot;
    std::uint32_t flow;
    std::uint32_t to_be_overtaken_by;
    TimePoint at_most;
  };
  struct Direction {
    RateSchedule rates;
    Gates gates;
    DropTail tail;
    std::unique_ptr<ManagedLink> managed;  // in place of `tail`
    Line line;
    std::vector<Reordering> reorderings;
    std::vector<Held> held;
  };
  static Direction make_direction(const DirectionConfig& config, const Rng& rng, TimePoint start);

  Fate pass(Direction& direction, Packet& packet, TimePoint now);
  Fate enqueue(Direction& direction, Packet& packet, TimePoint now);
  void transmit(Direction& direction, TimePoint now);
  void put_on_line(Direction& direction, Packet packet);
  void note_overtaking(Direction& direction, std::uint32_t flow, TimePoint arrives_at);
  void release_overdue(Direction& direction, TimePoint now);
  std::uint32_t store(Packet packet);
  Fate fate_at_nat(const Packet& packet, TimePoint at) const;
  // What the parts want to do before `poll` gives something: begin a transmission, let go of a held packet.
  std::optional<TimePoint> next_chore() const;

  Phases phases_;
  std::vector<Trigger> rebindings_;
  std::array<Direction, 2> directions_;
  EventQueue<std::uint32_t> arrivals_;  // slots
  std::vector<Packet> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<Packet> dropped_;  // by queues, yet to be told
  std::vector<std::vector<std::uint8_t>> spare_buffers_;
};

}  // namespace quell::path
