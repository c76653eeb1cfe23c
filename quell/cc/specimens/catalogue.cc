#include "quell/cc/specimens/catalogue.h"

#include <algorithm>
#include <array>

#include "quell/cc/specimens/any_frozen_when_paced.h"
#include "quell/cc/specimens/any_growth_when_app_limited.h"
#include "quell/cc/specimens/bbr_full_pipe_while_app_limited.h"
#include "quell/cc/specimens/bbr_probe_rtt_on_idle.h"
#include "quell/cc/specimens/cubic_linux_2017.h"
#include "quell/cc/specimens/cubic_no_epoch_shift.h"
#include "quell/cc/specimens/cubic_quiche_2020.h"
#include "quell/cc/specimens/cubic_restore_stale_epoch.h"
#include "quell/cc/specimens/cubic_rollback_real_loss.h"
#include "quell/cc/specimens/cubic_t3_overflow.h"
#include "quell/cc/specimens/cubic_time_west.h"
#include "quell/cc/specimens/hystart_one_sample.h"
#include "quell/cc/specimens/reno_floor_4.h"
#include "quell/cc/specimens/reno_no_floor.h"
#include "quell/cc/specimens/residual_dropped.h"
#include "quell/cc/specimens/zero_pacing_rate.h"

namespace quell::cc {
namespace {

constexpr std::array kSpecimens{
    Specimen{"cubic-no-epoch-shift", "Linux until 2015, FreeBSD until 2019",
             "a pause is time on its curve: it leaps after silence", "cubic", make_cubic_no_epoch_shift},
    Specimen{"cubic-linux-2017", "Linux, one week of 2015",
             "shifts its epoch from the last send, even into the future", "cubic", make_cubic_linux_2017},
    Specimen{"cubic-quiche-2020", "quiche, 2020 to 2026",
             "the same on its recovery boundary: pinned at two packets", "cubic", make_cubic_quiche_2020},
    Specimen{"cubic-time-west", "quicly since 2020",
             "the same with W_est in time: frozen without one flip of state", "cubic", make_cubic_time_west},
    Specimen{"cubic-restore-stale-epoch", "undo, as a save of all values",
             "an undo brings the epoch back unshifted: it leaps", "cubic", make_cubic_restore_stale_epoch},
    Specimen{"cubic-rollback-real-loss", "quiche since 2021",
             "takes back the cut when few packets were lost: never yields", "cubic",
             make_cubic_rollback_real_loss},
    Specimen{"cubic-t3-overflow", "FreeBSD until 2019",
             "the cube of a long epoch overflows: the window is a random number", "cubic",
             make_cubic_t3_overflow},
    Specimen{"reno-floor-4", "a floor borrowed from BBR", "no loss brings it below four packets", "reno",
             make_reno_floor_4},
    Specimen{"reno-no-floor", "a controller without a floor, in a transport without one",
             "below one packet nothing may leave, for ever", "reno", make_reno_no_floor, true},
    Specimen{"residual-dropped", "integer arithmetic", "growth of less than a packet is dropped at each ACK",
             "reno", make_residual_dropped},
    Specimen{"any-growth-when-app-limited", "many at first, neqo 2026", "grows a window that nobody fills",
             "reno", make_any_growth_when_app_limited},
    Specimen{"any-frozen-when-paced", "s2n-quic, ngtcp2, neqo; 2020 to 2026",
             "takes the pacer for an idle application: does not grow", "reno", make_any_frozen_when_paced},
    Specimen{"hystart-one-sample", "HyStart before RFC 9406", "one jittered sample ends slow start for good",
             "reno", make_hystart_one_sample},
    Specimen{"bbr-full-pipe-while-app-limited", "a flag lost on its way from the sampler",
             "an application with little to send ends Startup at its own rate", "bbr3",
             make_bbr_full_pipe_while_app_limited},
    Specimen{"bbr-probe-rtt-on-idle", "Linux until 2018",
             "whoever pauses for five seconds starts again at half a window", "bbr3",
             make_bbr_probe_rtt_on_idle},
    Specimen{"zero-pacing-rate", "rates in whole units",
             "a slow path is paced at nothing, which proves itself", "bbr3", make_zero_pacing_rate},
};

}  // namespace

std::span<const Specimen> specimens() {
  return kSpecimens;
}

const Specimen* find_specimen(std::string_view name) {
  const auto specimen = std::ranges::find(kSpecimens, name, &Specimen::name);
  return specimen == kSpecimens.end() ? nullptr : &*specimen;
}

}  // namespace quell::cc
