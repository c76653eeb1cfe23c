// Where do the parts of a connection write their frames? Into the payload room of one packet, with a note for
// the ledger.
#pragma once

#include <vector>

#include "quell/base/writer.h"
#include "quell/recovery/sent_frame.h"
#include "quell/wire/frame_writer.h"

namespace quell {

class FrameSink {
 public:
  FrameSink(MutableBytes room, std::vector<SentFrame>& notes) : out_(room), notes_(notes) {}

  std::size_t room() const { return out_.remaining(); }
  std::size_t size() const { return out_.position(); }
  bool is_ack_eliciting() const { return ack_eliciting_; }
  Writer& writer() { return out_; }

  // Writes an ack-eliciting frame and its note. False, and nothing written, when it does not fit.
  bool put(const Frame& frame, const SentFrame& note) {
    if (frame_size(frame) > room()) return false;
    write_frame(out_, frame);
    this->note(note);
    return true;
  }
  // For parts that write by themselves, behind `writer()`.
  void note(const SentFrame& note) {
    notes_.push_back(note);
    ack_eliciting_ |= note.type != FrameType::ack && note.type != FrameType::ack_ecn;
  }
  // A frame that nobody has to hear of again, such as PING.
  void put_unnoted(const Frame& frame) {
    write_frame(out_, frame);
    ack_eliciting_ |= quell::is_ack_eliciting(frame);
  }

 private:
  Writer out_;
  std::vector<SentFrame>& notes_;
  bool ack_eliciting_ = false;
};

}  // namespace quell
