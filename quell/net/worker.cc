#include "quell/net/worker.h"

#include <csignal>

#include "quell/base/check.h"
#include "quell/net/monotonic_clock.h"

namespace quell::net {
namespace {

// Choice: 16 bursts of 64 KB are ~1 MB, less than a millisecond of sealing; then ACKs that wait in the socket
// must be heard, or the sender would run on an old picture of the path.
constexpr std::size_t kMaxBurstsPerTurn = 16;
// A busy worker looks at its signals this often.
constexpr unsigned kMaxBusyTurns = 64;

}  // namespace

Worker::Worker(Endpoint& endpoint, Application& application, UdpSocket& socket)
    : endpoint_(endpoint), application_(application), socket_(socket), burst_(kMaxBurstBytes, 0xff) {
  const std::error_code error = loop_.watch(socket_.fd());
  QUELL_CHECK(!error);
}

std::error_code Worker::watch_termination() {
  return loop_.watch_signals({SIGINT, SIGTERM});
}

Worker::Turn Worker::turn(std::optional<TimePoint> limit) {
  ++counters_.turns;
  const EventLoop::Wake wake = wait_if_idle(limit);
  Turn turn{.now = net::now(), .signals = wake.signals, .error = {}};
  if (wake.writable && !flush_held(turn.now)) return turn;
  if (wake.readable) turn.error = receive(turn.now);
  if (const auto due = endpoint_.next_timeout(); due && *due <= turn.now) endpoint_.handle_timeout(turn.now);
  if (!held_) send(turn.now);
  return turn;
}

// A worker that knows of more work does not ask the kernel whether there is some.
EventLoop::Wake Worker::wait_if_idle(std::optional<TimePoint> limit) {
  const bool busy = (more_to_receive_ || more_to_send_) && !held_;
  if (busy && ++busy_turns_ < kMaxBusyTurns) return {.readable = true, .writable = false, .signals = 0};
  busy_turns_ = 0;
  ++counters_.waits;
  const TimePoint now = net::now();
  return loop_.wait(busy ? now : next_wake(limit), now);
}

std::optional<TimePoint> Worker::next_wake(std::optional<TimePoint> limit) {
  std::optional<TimePoint> next = limit;
  for (const auto& other : {endpoint_.next_timeout(), application_.next_wake()}) {
    if (other && (!next || *other < *next)) next = other;
  }
  return next;
}

std::error_code Worker::receive(TimePoint now) {
  const std::error_code error = socket_.receive(batch_);
  if (error == std::errc::connection_refused) {
    endpoint_.peer_unreachable(socket_.remote_address(), now);
    return {};
  }
  counters_.messages_received += batch_.messages().size();
  batch_.for_each_datagram([&](const Datagram& datagram) { endpoint_.handle_datagram(datagram, now); });
  more_to_receive_ = batch_.is_full();
  return error;
}

void Worker::send(TimePoint now) {
  std::size_t bursts = 0;
  const auto send_one = [&](const Transmit& transmit, Bytes bytes) {
    return send_burst(transmit, bytes, now) && ++bursts < kMaxBurstsPerTurn;
  };
  drain(endpoint_, application_, burst_, kMaxBurstSegments, send_one, now);
  more_to_send_ = bursts == kMaxBurstsPerTurn;
}

// False when the kernel has no room: the burst waits in its buffer.
bool Worker::send_burst(const Transmit& transmit, Bytes bytes, TimePoint now) {
  const std::error_code error = socket_.send(transmit, bytes);
  if (!error) {
    ++counters_.bursts_sent;
    counters_.bytes_sent += bytes.size();
    return true;
  }
  if (error == std::errc::resource_unavailable_try_again || error == std::errc::no_buffer_space) {
    hold(transmit);
    return false;
  }
  ++counters_.send_errors;
  if (error == std::errc::connection_refused) endpoint_.peer_unreachable(transmit.remote, now);
  return true;  // what was refused counts as lost; QUIC repairs it or times out
}

void Worker::hold(const Transmit& transmit) {
  if (!held_) loop_.want_writable(socket_.fd(), true);
  held_ = transmit;
}

// False while the kernel still has no room.
bool Worker::flush_held(TimePoint now) {
  if (!held_) return true;
  const Transmit transmit = *held_;
  if (!send_burst(transmit, Bytes{burst_}.first(transmit.size), now)) return false;
  held_.reset();
  loop_.want_writable(socket_.fd(), false);
  return true;
}

}  // namespace quell::net
