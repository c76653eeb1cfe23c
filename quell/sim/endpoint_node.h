// How does a real endpoint with its application live on a simulated host?
#pragma once

#include <optional>
#include <vector>

#include "quell/connection/application.h"
#include "quell/connection/endpoint.h"
#include "quell/sim/node.h"

namespace quell::sim {

// At one address, talking to one peer, whose port a NAT may change: with every binding it is the next one.
class EndpointNode final : public Node {
 public:
  // `max_segments`: datagrams per burst, as UDP_SEGMENT would take; at least 1.
  EndpointNode(Endpoint& endpoint, Application& application, const Address& local, const Address& remote,
               std::size_t max_segments);

  void handle_datagram(MutableBytes bytes, const Envelope& envelope, TimePoint now) override;
  void handle_timeout(TimePoint now) override;
  void drain(const Emit& emit, TimePoint now) override;
  std::optional<TimePoint> next_wake() override;

 private:
  Address bound_to(std::uint32_t binding) const;

  Endpoint& endpoint_;
  Application& application_;
  Address local_;
  Address remote_;
  std::size_t max_segments_;
  std::vector<std::uint8_t> buffer_;
};

}  // namespace quell::sim
