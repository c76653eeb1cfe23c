// Where would the window be if a cut had not been made? The last cuts in order, each with what it cut, so
// that one that proves to have been for nothing can be left out and the later ones made again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "quell/cc/window.h"

namespace quell::cc {

// Choice: an episode this many cuts back can no longer be taken back. Recovery remembers a lost packet for
// three PTOs; that many cuts, a round trip apart at least, lie behind by then.
inline constexpr std::size_t kCutsRemembered = 4;

// `Avoidance` is a value: a copy of it and of the window is all that a cut changes.
template <class Avoidance>
class CutHistory {
 public:
  struct State {
    Window window;
    Avoidance avoidance;
    // The growth clock when the recovery of the last cut ended; nothing: it has not ended.
    std::optional<Duration> stage_began{};

    void cut() {
      avoidance.on_cut(window);
      window.cut(Avoidance::kBeta);
      stage_began.reset();
    }
  };

  void on_cut(std::uint64_t episode, bool is_undoable, const State& before) {
    if (size_ == kCutsRemembered) erase(0);
    cuts_[size_++] = Cut{episode, is_undoable, before};
  }
  // Something else speaks for the last cut.
  void confirm_last() {
    if (size_ > 0) cuts_[size_ - 1].is_undoable = false;
  }
  void forget() { size_ = 0; }
  void set_packet(ByteCount size) {
    for (std::size_t i = 0; i < size_; ++i) {
      cuts_[i].before.window.set_packet(size);
      cuts_[i].before.avoidance.on_mtu(cuts_[i].before.window);
    }
  }

  struct Undone {
    State state;
    bool is_last;  // no cut was made after the one that is left out
  };
  // The state without `episode`, growth since then left out; nothing where that would gain nothing: an
  // unknown episode, a confirmed one, or one whose loss the window has made good before a later cut (RFC 9438
  // §4.9.2). An episode is left out once.
  std::optional<Undone> leave_out(std::uint64_t episode) {
    std::size_t at = 0;
    while (at < size_ && cuts_[at].episode != episode) ++at;
    if (at == size_ || !cuts_[at].is_undoable) return std::nullopt;
    Undone undone{cuts_[at].before, at + 1 == size_};
    erase(at);
    for (; at < size_; ++at) {
      if (cuts_[at].before.window.bytes >= undone.state.window.bytes) return std::nullopt;
      cuts_[at].before = undone.state;
      undone.state.cut();
    }
    return undone;
  }

 private:
  struct Cut {
    std::uint64_t episode = 0;
    bool is_undoable = false;
    State before{};
  };

  void erase(std::size_t at) {
    for (; at + 1 < size_; ++at) cuts_[at] = cuts_[at + 1];
    --size_;
  }

  std::array<Cut, kCutsRemembered> cuts_{};
  std::size_t size_ = 0;
};

}  // namespace quell::cc
