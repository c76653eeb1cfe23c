#include "quell/lab/load.h"

#include <utility>

#include "quell/lab/http3_load.h"
#include "quell/lab/stream_load.h"

namespace quell::lab {

std::unique_ptr<Load> make_load(const LoadConfig& config, Call call) {
  if (config.kind == LoadKind::http3) return std::make_unique<Http3Load>(config, std::move(call));
  return std::make_unique<StreamLoad>(config, std::move(call));
}

}  // namespace quell::lab
