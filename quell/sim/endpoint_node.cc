#include "quell/sim/endpoint_node.h"

#include <algorithm>

#include "quell/base/check.h"

namespace quell::sim {

EndpointNode::EndpointNode(Endpoint& endpoint, Application& application, const Address& local,
                           const Address& remote, std::size_t max_segments)
    : endpoint_(endpoint),
      application_(application),
      local_(local),
      remote_(remote),
      max_segments_(max_segments),
      buffer_(std::size_t{64} << 10) {
  QUELL_CHECK(max_segments > 0);
}

void EndpointNode::handle_datagram(MutableBytes bytes, const Envelope& envelope, TimePoint now) {
  const Address from = envelope.binding == 0 ? remote_ : bound_to(envelope.binding);
  endpoint_.handle_datagram(Datagram{.bytes = bytes, .local = local_, .remote = from, .ecn = envelope.ecn},
                            now);
}

Address EndpointNode::bound_to(std::uint32_t binding) const {
  return remote_.with_port(static_cast<std::uint16_t>(remote_.port() + binding));
}

void EndpointNode::handle_timeout(TimePoint now) {
  const auto due = endpoint_.next_timeout();
  if (due && *due <= now) endpoint_.handle_timeout(now);
}

void EndpointNode::drain(const Emit& emit, TimePoint now) {
  const auto send = [&](const Transmit& transmit, Bytes bytes) {
    const auto binding = static_cast<std::uint16_t>(transmit.remote.port() - remote_.port());
    QUELL_CHECK(transmit.remote == bound_to(binding));
    const Envelope envelope{transmit.ecn, binding};
    QUELL_CHECK(transmit.segment_size > 0);
    for (std::size_t at = 0; at < bytes.size(); at += transmit.segment_size) {
      emit(bytes.subspan(at, std::min(transmit.segment_size, bytes.size() - at)), envelope);
    }
    return true;
  };
  quell::drain(endpoint_, application_, buffer_, max_segments_, send, now);
}

std::optional<TimePoint> EndpointNode::next_wake() {
  const auto a = endpoint_.next_timeout();
  const auto b = application_.next_wake();
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

}  // namespace quell::sim
