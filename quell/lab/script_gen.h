// On which path might a controller break? Random scripts: a path with trouble of a known end, hosts with
// habits, an application that may pause. Every script is one that the law of liveness judges.
#pragma once

#include "quell/base/rng.h"
#include "quell/lab/scenario.h"

namespace quell::lab {

Variant random_script(Rng& rng);

// The parts that mutation draws anew.
path::LossPhase random_loss(Rng& rng, Duration rtt);
path::DropScript random_drop(Rng& rng, Duration rtt);
sim::HostConfig random_host(Rng& rng);
void set_random_rate(Variant& script, Rng& rng);
// Between `least` and `most`, each order of magnitude as likely as the next; two digits, for people.
Duration random_duration(Rng& rng, Duration least, Duration most);
double two_digits(double value);

// Makes of any script, however mutated, one that the law judges, at a bounded cost: both ways have the same
// rate, the queue holds two bursts, idle and handshake timeouts are off, the load has no end, and the
// deadline leaves room for the verdict.
void make_judgeable(Variant& script);

}  // namespace quell::lab
