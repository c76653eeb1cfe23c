#include "quell/cc/specimens/bbr_full_pipe_while_app_limited.h"

#include "quell/cc/bbr3_machine.h"

namespace quell::cc {
namespace {

struct AnyRoundCounts : bbr3::FullPipe {
  void on_ack(bbr3::Sample sample, bool is_round_start) {
    sample.is_app_limited = false;  // the fault
    FullPipe::on_ack(sample, is_round_start);
  }
};

struct Parts : bbr3::SoundParts {
  static constexpr Traits kTraits = renamed(bbr3::SoundParts::kTraits, "bbr-full-pipe-while-app-limited");
  using FullPipe = AnyRoundCounts;
};

}  // namespace

ControllerPtr make_bbr_full_pipe_while_app_limited(const Config& config) {
  return std::make_unique<bbr3::Machine<Parts>>(config);
}

}  // namespace quell::cc
