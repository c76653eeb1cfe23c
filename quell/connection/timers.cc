// When must a connection be woken, and how does it end?
#include <algorithm>
#include <string>
#include <utility>

#include "quell/connection/connection.h"

namespace quell {
namespace {

std::optional<TimePoint> earlier(std::optional<TimePoint> a, std::optional<TimePoint> b) {
  if (!a) return b;
  return b ? std::min(*a, *b) : *a;
}

}  // namespace

std::optional<TimePoint> Connection::next_timeout() const {
  if (!closing_.is_open()) return closing_.ends_at();
  std::optional<TimePoint> next = idle_.expires_at(recovery_.pto());
  next = earlier(next, handshake_deadline_);
  next = earlier(next, pacer_retry_at_);
  next = earlier(next, recovery_.next_timeout());
  return earlier(next, space(Space::application).acks.next_timeout());
}

void Connection::on_timeout(TimePoint now) {
  if (!closing_.is_open()) return closing_.on_timeout(now);
  if (const auto idle = idle_.expires_at(recovery_.pto()); idle && now >= *idle) {
    return vanish(ConnectionEnded::Cause::idle_timeout, "nothing was heard for the idle timeout",
                  "idle_timeout", now);
  }
  if (handshake_deadline_ && now >= *handshake_deadline_) {
    return vanish(ConnectionEnded::Cause::handshake_timeout, "the handshake did not finish in time",
                  "handshake_timeout", now);
  }
  if (pacer_retry_at_ && now >= *pacer_retry_at_) pacer_retry_at_.reset();
  if (const auto due = recovery_.next_timeout(); due && now >= *due) {
    const TimeoutOutcome outcome = recovery_.on_timeout(now);
    const Space s = outcome.space;
    on_frames_lost(outcome.lost, s);
    on_frames_lost(outcome.probe, s);
  }
}

// The peer's mistake ends the connection here, and only here.
void Connection::fail_with(const Error& error, TimePoint now) {
  if (!closing_.is_open()) return;
  const std::string reason{error.reason};
  closing_.close(false, static_cast<std::uint64_t>(error.code), error.frame_type, reason,
                 now + closing_time());
  end({.cause = ConnectionEnded::Cause::local_error,
       .error_code = static_cast<std::uint64_t>(error.code),
       .reason = reason},
      "error", now);
}

void Connection::vanish(ConnectionEnded::Cause cause, std::string_view reason, std::string_view trigger,
                        TimePoint now) {
  closing_.vanish();
  end({.cause = cause, .reason = std::string{reason}}, trigger, now);
}

void Connection::end(ConnectionEnded ended, std::string_view trigger, TimePoint now) {
  if (sink_) {
    sink_->connection_closed({.is_local = ended.cause != ConnectionEnded::Cause::peer_close,
                              .is_application = ended.is_application_code,
                              .error_code = ended.error_code,
                              .reason = ended.reason,
                              .trigger = trigger},
                             now);
  }
  events_.push_back(std::move(ended));
}

}  // namespace quell
