// What if a round in which the application had little to send counts as one that the path limited? A
// specimen: deliberately faulty, for the laboratory only.
//
// What: BBRv3 whose search for a full pipe counts every round without growth, also those that are limited by
// the application.
//
// When: wherever a sample's flag gets lost on its way from the sampler; every port of BBR is one slip away.
//
// Symptom: three slow rounds of a chatty start end Startup, at the rate at which the application chatted.
// When the bulk comes, the flow probes its way up from there, by a quarter now and then, instead of doubling
// in each round trip.
//
// Caught by: late-bulk.
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

ControllerPtr make_bbr_full_pipe_while_app_limited(const Config& config);

}  // namespace quell::cc
