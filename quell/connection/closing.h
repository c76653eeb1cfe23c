// How does a connection end? Closing answers, draining keeps silent, and both let go after three PTOs (RFC
// 9000 §10.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "quell/base/time.h"
#include "quell/connection/event.h"
#include "quell/wire/error.h"
#include "quell/wire/frame.h"

namespace quell {

class Closing {
 public:
  enum class State : std::uint8_t { open, closing, draining, gone };

  State state() const { return state_; }
  bool is_open() const { return state_ == State::open; }
  bool is_gone() const { return state_ == State::gone; }

  // We close: CONNECTION_CLOSE goes out, and again when packets keep coming.
  void close(bool is_application, std::uint64_t error_code, std::uint64_t frame_type, std::string reason,
             TimePoint until) {
    state_ = State::closing;
    is_application_ = is_application;
    error_code_ = error_code;
    frame_type_ = frame_type;
    reason_ = std::move(reason);
    until_ = until;
    frame_wanted_ = true;
  }
  void drain(TimePoint until) {
    state_ = State::draining;
    until_ = until;
    frame_wanted_ = false;
  }
  // Silently and at once: idle timeout, stateless reset, a handshake that failed before there were keys.
  void vanish() { state_ = State::gone; }

  // Choice: every 2^n-th packet is answered (§10.2.1 asks for a rate that falls).
  void on_packet_while_closing() {
    if (state_ == State::closing && ++packets_ >= next_answer_) {
      next_answer_ *= 2;
      frame_wanted_ = true;
    }
  }
  bool wants_frame() const { return state_ == State::closing && frame_wanted_; }
  void frame_sent() { frame_wanted_ = false; }
  // In Initial and Handshake packets an application's close must not show (§10.2.3).
  ConnectionCloseFrame frame_for(PacketType type) const {
    const Bytes reason{reinterpret_cast<const std::uint8_t*>(reason_.data()), reason_.size()};
    if (is_application_ && type != PacketType::one_rtt) {
      return {false, static_cast<std::uint64_t>(TransportError::application_error), 0, {}};
    }
    return {is_application_, error_code_, frame_type_, reason};
  }

  std::optional<TimePoint> ends_at() const {
    if (state_ == State::closing || state_ == State::draining) return until_;
    return std::nullopt;
  }
  void on_timeout(TimePoint now) {
    if (ends_at() && now >= until_) state_ = State::gone;
  }

 private:
  State state_ = State::open;
  bool is_application_ = false;
  bool frame_wanted_ = false;
  std::uint64_t error_code_ = 0;
  std::uint64_t frame_type_ = 0;
  std::string reason_;
  TimePoint until_{};
  std::uint64_t packets_ = 0;
  std::uint64_t next_answer_ = 1;
};

}  // namespace quell
