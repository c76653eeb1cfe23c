// Who else is on the path? Another client and its server, with a controller, laws and a load of their own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "quell/connection/endpoint.h"
#include "quell/lab/laws.h"
#include "quell/lab/load.h"
#include "quell/lab/scenario.h"
#include "quell/lab/watch.h"
#include "quell/sim/endpoint_node.h"
#include "quell/sim/simulation.h"

namespace quell::lab {

class Companion {
 public:
  // `flow`: which one it will be, from 1 on. `controller` is a name of cc/registry.
  Companion(const Variant& variant, std::uint32_t flow, const std::string& controller, Duration starts,
            const Rng& rng);

  sim::Node& client() { return client_node_; }
  sim::Node& server() { return server_node_; }
  void after_turn(Side host, std::optional<TimePoint> next_turn, TimePoint now);
  // Nothing while all is well.
  std::optional<std::string> failure() const;
  std::vector<std::string> broken_laws() const;

 private:
  EndpointConfig endpoint_config(const Variant& variant, Side side, const Rng& rng);

  std::uint32_t flow_;
  Side sender_;
  std::string controller_;
  Watch client_watch_;
  Watch server_watch_;
  Laws client_laws_;
  Laws server_laws_;
  std::unique_ptr<Load> load_;
  Endpoint client_;
  Endpoint server_;
  sim::EndpointNode client_node_;
  sim::EndpointNode server_node_;
};

// All that a variant asks for, added to `world`; `self` is the controller under test.
std::vector<std::unique_ptr<Companion>> make_companions(const Variant& variant, const std::string& self,
                                                        const Rng& rng, sim::Simulation& world);

}  // namespace quell::lab
