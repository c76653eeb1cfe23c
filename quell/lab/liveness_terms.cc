#include "quell/lab/liveness_terms.h"

#include <algorithm>
#include <cmath>

#include "quell/connection/config.h"

namespace quell::lab {
namespace {

constexpr double kFloorPackets = 2;  // RFC 9002 §7.2
constexpr double kBeta = 0.7;
constexpr double kC = 0.4;  // packets per second cubed (RFC 9438 §5)
constexpr double kAlpha = 3 * (1 - kBeta) / (1 + kBeta);
constexpr double kWaitingPackets = 4;
constexpr int kSettleRounds = 3;
constexpr int kSpanRounds = 4;
// The pacer's own bounds (recovery/pacer.h).
constexpr ByteCount kBurstPackets = 10;
constexpr Duration kBurstTime = milliseconds{2};
// An ACK alone: header, one range or a few, tag.
constexpr ByteCount kAckSize = 60;

Duration times(Duration d, double n) {
  return Duration{static_cast<Duration::rep>(static_cast<double>(d.count()) * n)};
}

ByteCount packet_size(const TransportConfig& transport) {
  return transport.max_datagram_size > 0 ? transport.max_datagram_size : kDefaultMaxDatagram;
}

Duration ack_delay(const TransportConfig& transport, const sim::HostConfig& receiver) {
  return transport.max_ack_delay.value_or(ConnectionConfig{}.max_ack_delay) + receiver.timer_granularity;
}

ByteCount flow_window(const TransportConfig& transport) {
  const ConnectionConfig omitted;
  return std::min(transport.stream_window > 0 ? transport.stream_window : omitted.max_stream_data,
                  transport.connection_window > 0 ? transport.connection_window : omitted.max_data);
}

// What a host's processor can handle, datagrams in or out.
Rate host_rate(const sim::HostConfig& host, ByteCount packet) {
  const Duration cost =
      host.datagram_cost + (host.clock == sim::ClockReading::per_event ? host.turn_cost : Duration{0});
  return cost > Duration{0} ? Rate::of(packet, cost) : Rate::unlimited();
}

Duration lateness(const sim::HostConfig& host) {
  return host.wake_latency + host.turn_cost + 2 * host.datagram_cost;
}

// Who plays which part: data goes one way, ACKs the other.
struct Roles {
  explicit Roles(const Variant& v)
      : is_upload(v.load.sender == Side::client),
        data(is_upload ? v.path.up : v.path.down),
        acks(is_upload ? v.path.down : v.path.up),
        sender(is_upload ? v.client_host : v.server_host),
        receiver(is_upload ? v.server_host : v.client_host) {}

  bool is_upload;
  const path::DirectionConfig& data;
  const path::DirectionConfig& acks;
  const sim::HostConfig& sender;
  const sim::HostConfig& receiver;
};

template <typename Phases>
bool ends(const Phases& phases) {
  return std::ranges::all_of(phases, [](const auto& phase) { return phase.when.lasts.has_value(); });
}

// Is it an ordinary link once its phases have ended? Empty, or why not.
std::string oddity(const path::DirectionConfig& way) {
  const path::LinkConfig& link = way.link;
  if (!link.rates.steps.empty()) return "the rate changes";
  if (!link.delay_steps.empty()) return "the delay changes";
  if (link.jitter_reorders) return "packets overtake each other";
  if (link.queue != path::QueueKind::drop_tail) return "the queue is managed";
  const bool all_end =
      std::ranges::all_of(way.losses, [](const auto& phase) { return phase.lasts.has_value(); }) &&
      ends(way.ecn) && ends(way.policers) && ends(way.reorders) && ends(way.duplicates) &&
      ends(way.corruptions) && ends(way.mtus);
  return all_end ? "" : "trouble never ends";
}

// Empty, or why nothing is promised.
std::string objection(const Variant& v, const Roles& roles, Rate capacity, ByteCount packet) {
  if (capacity.is_unlimited()) return "the path has no rate";
  if (std::min(host_rate(v.client_host, packet), host_rate(v.server_host, packet)) < capacity * 2)
    return "the hosts are hardly faster than the path";
  for (const path::DirectionConfig* way : {&v.path.up, &v.path.down}) {
    if (auto odd = oddity(*way); !odd.empty()) return odd;
  }
  if (!v.path.rebindings.empty()) return "the client's address changes";
  if (!v.flows.empty()) return "the flow is not alone";
  if (!v.load.read_rate.is_unlimited()) return "the reader is slow";
  // At the floor a round has one ACK. Where that may be dropped for ever after, PTOs carry the connection, as
  // long as the trouble has left them: no time is promised.
  if (roles.data.thin.keep_one_in > 1 || roles.acks.thin.keep_one_in > 1) return "ACKs are thinned";
  const double acks = capacity.bytes_per_second() / static_cast<double>(packet) * 2;
  if (roles.acks.link.rate < Rate::bytes_per_second(acks * static_cast<double>(kAckSize)))
    return "the way back is too slow for ACKs";
  if (roles.data.link.queue_bytes < least_queue(v)) return "the queue is shorter than two bursts";
  return {};
}

// From the floor to `window` at `per_round`. Below four packets an odd one costs a delayed ACK; above, it
// leaves a quarter of the round to the next one.
Duration linear_climb(double window, double per_round, const LivenessTerms& t) {
  const double slow = std::min(std::max(window - kFloorPackets, 0.0), 2.0);
  const double rest = std::max(window - kFloorPackets - 2, 0.0);
  return times(t.slow_round, slow / per_round) + times(t.round, rest / per_round * 4 / 3);
}

Duration curve_climb(double window, const LivenessTerms& t) {
  const double distance = std::max(window - kFloorPackets, 0.0);
  const double following = std::log(std::max(window / kFloorPackets, 1.0)) / std::log(1.5);
  return longest_cubic_rise(distance) + times(t.slow_round, following + 1);
}

// BBR (draft-ietf-ccwg-bbr): the worst state is a bandwidth estimate of four packets per round trip, just
// after a probe. The next is at most 3 s or 63 rounds away (§5.3.3.5.3); ProbeRTT may come first and takes
// 200 ms and two rounds (§5.3.4). While it probes up, the estimate gains a quarter per round, seen a round
// later, until three rounds bring no more; what loss has taught it about the inflight grows by 1, 2, 4 …
// packets per round (§5.3.3.6). Choice: two cycles, for a probe may end before the bound of the loss is gone.
Duration model_climb(double window, const LivenessTerms& t) {
  constexpr double kMinPipe = 4;
  const double steps = std::log(std::max(window / kMinPipe, 1.0)) / std::log(1.25);
  const Duration wait =
      std::min<Duration>(seconds{3}, 63 * t.slow_round) + milliseconds{200} + 2 * t.slow_round;
  return 2 * (wait + 6 * t.slow_round) + times(t.slow_round, 2 * steps);
}

Duration climb(GrowthLaw law, const LivenessTerms& t) {
  switch (law) {
    case GrowthLaw::reno:
      return linear_climb(t.window_packets, 1, t);
    case GrowthLaw::cubic:
      return std::min(linear_climb(t.window_packets, kAlpha, t), curve_climb(t.window_packets, t));
    case GrowthLaw::bbr:
      return model_climb(t.window_packets, t);
  }
  return Duration::max();
}

}  // namespace

std::optional<GrowthLaw> growth_law_of(const cc::Traits& traits) {
  if (traits.name.starts_with("fixed-")) return std::nullopt;
  if (traits.follows_a_model) return GrowthLaw::bbr;
  return traits.name.starts_with("reno") ? GrowthLaw::reno : GrowthLaw::cubic;
}

Duration LivenessTerms::allowed(Duration smoothed_rtt) const {
  const Duration pace_debt =
      is_paced_by_rtt ? times(std::max(smoothed_rtt - round, Duration{0}), 6.4) : Duration{0};
  return settle + climb + span + pace_debt;
}

ByteCount LivenessTerms::due() const {
  const auto waiting = static_cast<ByteCount>(kWaitingPackets) * packet;
  const ByteCount share = (capacity * kLivelyShare).bytes_in(span);
  return share - std::min(share, waiting);
}

ByteCount least_queue(const Variant& v) {
  const Roles roles{v};
  // A burst twice over, since the window may double within a round trip, and what delays on the way there
  // gather into one more.
  const Duration sender_late = kBurstTime + roles.sender.timer_granularity + lateness(roles.sender);
  const Duration gathered =
      2 * sender_late + lateness(roles.receiver) + roles.data.link.jitter + roles.acks.link.jitter;
  return 2 * kBurstPackets * packet_size(v.transport) + roles.data.link.rate.bytes_in(gathered);
}

Duration longest_cubic_rise(double packets) {
  return from_seconds(2 * std::cbrt(packets / 2 / kC));
}

std::expected<LivenessTerms, std::string> derive_liveness(const Variant& v, std::optional<GrowthLaw> law) {
  if (!law) return std::unexpected("the controller never grows");
  const Roles roles{v};
  LivenessTerms t;
  t.packet = packet_size(v.transport);
  t.capacity = roles.data.link.rate;
  if (auto why_not = objection(v, roles, t.capacity, t.packet); !why_not.empty())
    return std::unexpected(std::move(why_not));
  t.round = roles.data.link.delay + roles.acks.link.delay + roles.data.link.jitter + roles.acks.link.jitter +
            lateness(v.client_host) + lateness(v.server_host) + roles.sender.timer_granularity +
            t.capacity.time_for(2 * t.packet);
  t.slow_round = t.round + ack_delay(v.transport, roles.receiver);
  if (flow_window(v.transport) < 2 * t.capacity.bytes_in(t.slow_round))
    return std::unexpected("flow control is in the way");
  t.window_packets =
      kLivelyShare * t.capacity.bytes_per_second() * to_seconds(t.round) / static_cast<double>(t.packet) +
      kWaitingPackets;
  t.settle = kSettleRounds * t.slow_round;
  t.climb = climb(*law, t);
  t.span = kSpanRounds * t.round;
  t.is_paced_by_rtt = law != GrowthLaw::bbr;
  return t;
}

}  // namespace quell::lab
