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

void EndpointNode::handle_datagram(MutableBytes bytes, Ecn ecn, TimePoint now) {
  endpoint_.handle_datagram(Datagram{.bytes = bytes, .local = local_, .remote = remote_, .ecn = ecn}, now);
}

void EndpointNode::handle_timeout(TimePoint now) {
  const auto due = endpoint_.next_timeout();
  if (due && *due <= now) endpoint_.handle_timeout(now);
}

void EndpointNode::drain(const Emit& emit, TimePoint now) {
  const auto send = [&](const Transmit& transmit, Bytes bytes) {
    QUELL_CHECK(transmit.remote == remote_);
    QUELL_CHECK(transmit.segment_size > 0);
    for (std::size_t at = 0; at < bytes.size(); at += transmit.segment_size) {
      emit(bytes.subspan(at, std::min(transmit.segment_size, bytes.size() - at)), transmit.ecn);
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
