// What became of the frames that we sent? Each goes back to the part that owns its content (RFC 9000 §13.3).
#include "quell/connection/connection.h"

namespace quell {

void Connection::on_frames_acked(std::span<const SentFrame> frames, Space s) {
  for (const SentFrame& frame : frames) {
    switch (frame.type) {
      case FrameType::stream:
      case FrameType::reset_stream:
        streams_.on_acked(frame, events_);
        break;
      case FrameType::crypto:
        space(s).crypto.on_acked(frame);
        break;
      case FrameType::ack:
      case FrameType::ack_ecn:
        space(s).acks.on_acked(frame);
        break;
      case FrameType::retire_connection_id:
        remote_ids_.on_acked(frame);
        break;
      case FrameType::ping:
        pmtud_.on_acked(frame.length);
        break;
      case FrameType::handshake_done:
        handshake_done_acked_ = true;
        handshake_done_wanted_ = false;
        break;
      default:
        break;
    }
  }
}

void Connection::on_frames_lost(std::span<const SentFrame> frames, Space s) {
  for (const SentFrame& frame : frames) {
    switch (frame.type) {
      case FrameType::crypto:
        space(s).crypto.on_lost(frame);
        break;
      case FrameType::handshake_done:
        handshake_done_wanted_ = !handshake_done_acked_;
        break;
      case FrameType::new_connection_id:
        local_ids_.on_lost(frame);
        break;
      case FrameType::retire_connection_id:
        remote_ids_.on_lost(frame);
        break;
      case FrameType::ping:
        pmtud_.on_lost(frame.length);
        break;
      // Never repeated: a newer ACK says more, and a path response is answered once per challenge.
      case FrameType::ack:
      case FrameType::ack_ecn:
      case FrameType::path_response:
        break;
      default:
        streams_.on_lost(frame);
        break;
    }
  }
}

}  // namespace quell
