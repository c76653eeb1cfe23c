// How are the bytes of a run written to a stream, and read from it?
#pragma once

#include <optional>

#include "quell/connection/endpoint.h"
#include "quell/lab/body_source.h"
#include "quell/lab/read_budget.h"

namespace quell::lab {

// Where a stream is, as the application knows it.
struct StreamPlace {
  ConnectionHandle connection;
  StreamId stream = 0;
};

class StreamSender {
 public:
  explicit StreamSender(const LoadConfig& config) : body_(config) {}

  void begin(TimePoint now) { body_.begin(now); }
  // Queues what there is room for. False: the stream takes no more for good.
  bool write(Endpoint& endpoint, const StreamPlace& place, TimePoint now);
  const BodySource& body() const { return body_; }
  std::optional<TimePoint> next_wake() const { return body_.changes_after(last_write_); }

 private:
  BodySource body_;
  TimePoint last_write_{};
};

class StreamReceiver {
 public:
  explicit StreamReceiver(Rate rate) : budget_(rate) {}

  // Takes off what may be taken; true, once: that was the end of the stream.
  bool read(Endpoint& endpoint, const StreamPlace& place, TimePoint now);
  ByteCount received() const { return received_; }
  // When the budget lets it go on that had run out; nothing: it waits for the network.
  std::optional<TimePoint> next_wake() const;

 private:
  ReadBudget budget_;
  ByteCount received_ = 0;
  bool is_out_of_budget_ = false;
  bool has_ended_ = false;
};

}  // namespace quell::lab
