// PIPELINE OUT: what leaves now? Asks once what may be sent, then builds datagram after datagram into one
// burst.
#include <algorithm>

#include "quell/connection/connection.h"
#include "quell/wire/packet_number.h"

namespace quell {
namespace {

// Room that headers, tag and a small frame take beside the data that is ready.
constexpr ByteCount kOverhead = 100;
// A coalesced packet below this is not worth its header.
constexpr std::size_t kLeastCoalesced = 100;
// Choice: an end that only receives asks for an answer with every 32nd ACK that names holes, so that it may
// stop naming them (RFC 9000 §13.2.4).
constexpr std::uint32_t kAcksBeforePing = 32;

}  // namespace

std::optional<Transmit> Connection::transmit(MutableBytes buffer, std::size_t max_segments, TimePoint now) {
  if (closing_.wants_frame()) return transmit_close(buffer, now);
  if (!closing_.is_open()) return std::nullopt;
  update_keys_when_due(now);
  if (recovery_.is_unheard(Space::application)) {
    fail_with({TransportError::internal_error, "the peer acknowledges nothing"}, now);
  }
  // Either may have ended the connection: only the close may leave now.
  if (closing_.wants_frame()) return transmit_close(buffer, now);

  if (pmtud_.size() > recovery_.max_datagram_size()) recovery_.raise_datagram_size(pmtud_.size(), now);
  SendBudget budget = recovery_.send_budget(now);
  burst_ecn_ = recovery_.ecn_codepoint();
  if (auto probe = transmit_mtu_probe(buffer, budget, now)) return probe;
  TransmitEnd end = TransmitEnd::nothing_to_send;
  const std::size_t segment = max_datagram_size();
  std::size_t used = 0;
  for (std::size_t count = 0; count < max_segments && buffer.size() - used >= segment; ++count) {
    const std::size_t size = build_datagram(buffer.subspan(used, segment), budget, end, now);
    used += size;
    if (size < segment) break;  // GSO: only the last datagram may be shorter
  }
  if (used > 0) {
    streams_.offer_room(recovery_.cwnd(), events_);
    return Transmit{.local = paths_.local(),
                    .remote = paths_.remote(),
                    .size = used,
                    .segment_size = std::min(used, segment),
                    .ecn = burst_ecn_};
  }
  pacer_retry_at_ = end == TransmitEnd::pacer ? budget.retry_at : std::nullopt;
  amplification_limited_ = end == TransmitEnd::amplification;
  if (end == TransmitEnd::nothing_to_send && streams_.is_flow_control_blocked())
    end = TransmitEnd::flow_control;
  recovery_.on_transmit_ended(end, ready_bytes(), now);
  update_handshake_facts(now);
  return std::nullopt;
}

ByteCount Connection::ready_bytes() const {
  return streams_.ready_bytes() + space(Space::initial).crypto.ready_bytes() +
         space(Space::handshake).crypto.ready_bytes() + space(Space::application).crypto.ready_bytes();
}

bool Connection::has_data(Space s) const {
  if (space(s).crypto.has_frames()) return true;
  if (s != Space::application) return false;
  return streams_.has_data() || handshake_done_wanted_ || streams_.has_control_frames() ||
         local_ids_.has_frames() || remote_ids_.has_frames() || paths_.has_frames();
}

Connection::Want Connection::wanted(Space s, const SendBudget& budget, bool is_first, TransmitEnd& end,
                                    TimePoint now) const {
  const PacketSpace& out = space(s);
  if (!out.can_send() || (s == Space::application && !one_rtt_)) return Want::nothing;
  if (recovery_.probes_owed(s) > 0) return Want::everything;
  if (has_data(s)) {
    // Whole packets, or all that is left: a sender that fills crumbs of the window sends crumbs for ever.
    const ByteCount least = std::min<ByteCount>(max_datagram_size(), ready_bytes() + kOverhead);
    if (budget.bytes >= least) return Want::everything;
    end = budget.limit == SendBudget::Limit::pacer ? TransmitEnd::pacer : TransmitEnd::window;
  }
  const bool rides_along = !is_first && out.acks.wants_ack();
  return out.acks.must_ack(now) || rides_along ? Want::ack : Want::nothing;
}

HeaderFields Connection::header_for(Space s) const {
  const PacketType type = s == Space::initial     ? PacketType::initial
                          : s == Space::handshake ? PacketType::handshake
                                                  : PacketType::one_rtt;
  const PacketNumber number = recovery_.next_packet_number(s);
  return {.type = type,
          .destination = remote_ids_.current(),
          .source = handshake_local_id_,
          .token = type == PacketType::initial ? Bytes{token_} : Bytes{},
          .packet_number = number,
          .packet_number_size = packet_number_size(number, recovery_.largest_acked(s)),
          .key_phase = one_rtt_ && one_rtt_->phase()};
}

// Choice: every probe carries something worth having, also the second of a pair and also what later spaces
// miss: until the handshake is confirmed they are one conversation (RFC 9002 §6.2.4), and a probe that only
// pings costs another PTO.
void Connection::fill_probes() {
  const auto probing =
      std::ranges::find_if(kSpaces, [this](Space s) { return recovery_.probes_owed(s) > 0; });
  if (probing == kSpaces.end()) return;
  for (Space s : std::span{probing, kSpaces.end()}) {
    const bool is_live = space(s).can_send() && (s != Space::application || one_rtt_);
    if (is_live && !has_data(s)) on_frames_lost(recovery_.resend_unacked(s), s);
  }
}

// One datagram, up to three coalesced packets. Returns its size; zero, and `end` told, when there is nothing.
std::size_t Connection::build_datagram(MutableBytes room, SendBudget& budget, TransmitEnd& end,
                                       TimePoint now) {
  const ByteCount allowance = paths_.allowance();
  if (allowance < kMinInitialDatagram) {
    // Choice: below a full Initial's size nothing is sent: the client's next datagram brings three times as
    // much.
    end = TransmitEnd::amplification;
    return 0;
  }
  room = room.first(static_cast<std::size_t>(std::min<ByteCount>(room.size(), allowance)));
  fill_probes();

  std::array<std::optional<PacketBuilder>, kSpaceCount> packets;
  std::size_t used = 0;
  bool needs_padding = false;
  PacketBuilder* last = nullptr;
  for (Space s : kSpaces) {
    const Want want = wanted(s, budget, used == 0, end, now);
    if (want == Want::nothing) continue;
    const HeaderFields fields = header_for(s);
    const MutableBytes left = room.subspan(used);
    if (left.size() < std::max(PacketBuilder::least_size(fields), used > 0 ? kLeastCoalesced : 0)) break;
    notes_[index(s)].clear();
    PacketBuilder& builder = packets[index(s)].emplace(left, fields, notes_[index(s)]);
    write_frames(builder, s, want, now);
    if (builder.is_empty()) {
      packets[index(s)].reset();
      continue;
    }
    // RFC 9000 §14.1: a client pads every datagram with an Initial, a server those that ask for an answer.
    needs_padding |= s == Space::initial && (side_ == Side::client || builder.sink().is_ack_eliciting());
    // RFC 9000 §8.2.2: so that the path is seen to carry full datagrams in both directions.
    needs_padding |= std::ranges::find(notes_[index(s)], FrameType::path_response, &SentFrame::type) !=
                     notes_[index(s)].end();
    used += builder.size();
    last = &builder;
  }
  if (last == nullptr) return 0;
  if (needs_padding && used < kMinInitialDatagram) {
    last->pad(kMinInitialDatagram - used);
    used = kMinInitialDatagram;
  }
  for (Space s : kSpaces) {
    if (!packets[index(s)]) continue;
    PacketBuilder& builder = *packets[index(s)];
    if (builder.sink().is_ack_eliciting()) {
      budget.bytes -= std::min<ByteCount>(budget.bytes, builder.size());
      idle_.on_ack_eliciting_sent(now);
    }
    finish_packet(builder, s, false, now);
  }
  paths_.on_sent(used);
  return used;
}

// The fixed order of parts: what the peer waits for first, what fills the packet last.
void Connection::write_frames(PacketBuilder& builder, Space s, Want want, TimePoint now) {
  FrameSink& sink = builder.sink();
  PacketSpace& out = space(s);
  // A probe repeats our ACK: its loss may be why the peer is silent, and an RTT sample shortens the peer's
  // own PTO. An older ACK would teach a longer round trip than the one that every end assumes at first.
  const bool repeats_ack = recovery_.probes_owed(s) > 0 && out.acks.has_received_any() &&
                           now - out.acks.largest_received_at() < config_.initial_rtt;
  if (out.acks.wants_ack() || out.acks.must_ack(now) || repeats_ack) {
    if (const auto note = out.acks.write_frames(sink.writer(), sink.room(), now)) sink.note(*note);
  }
  if (want == Want::ack) {
    const bool may_ping = s == Space::application && out.acks.range_count() > 1 && sink.room() > 0;
    if (may_ping && ++acks_alone_ >= kAcksBeforePing) {
      acks_alone_ = 0;
      sink.put_unnoted(PingFrame{});
    }
    return;
  }
  acks_alone_ = 0;
  out.crypto.write_frames(sink);
  if (s == Space::application) {
    if (handshake_done_wanted_ && sink.put(HandshakeDoneFrame{}, {.type = FrameType::handshake_done})) {
      handshake_done_wanted_ = false;
    }
    paths_.write_frames(sink);
    local_ids_.write_frames(sink);
    remote_ids_.write_frames(sink);
    if (streams_.has_control_frames()) streams_.write_control_frames(sink);
    streams_.write_data_frames(sink);
  }
  if (recovery_.probes_owed(s) > 0 && !sink.is_ack_eliciting() && sink.room() > 0)
    sink.put_unnoted(PingFrame{});
}

// A datagram of its own, of a size that the path may not take. It consumes the window and is paced like any
// other (RFC 9000 §14.4). Choice: it waits while a PTO probe is owed, for that one must arrive.
std::optional<Transmit> Connection::transmit_mtu_probe(MutableBytes buffer, const SendBudget& budget,
                                                       TimePoint now) {
  const auto wanted = pmtud_.wanted();
  if (!wanted || budget.bytes < *wanted || buffer.size() < *wanted) return std::nullopt;
  if (recovery_.probes_owed(Space::application) > 0) return std::nullopt;
  const std::size_t size = static_cast<std::size_t>(*wanted);
  auto& notes = notes_[index(Space::application)];
  notes.clear();
  PacketBuilder builder{buffer.first(size), header_for(Space::application), notes};
  builder.sink().put(PingFrame{}, {.type = FrameType::ping, .length = static_cast<std::uint32_t>(size)});
  builder.pad(size - builder.size());
  pmtud_.on_sent();
  idle_.on_ack_eliciting_sent(now);
  finish_packet(builder, Space::application, true, now);
  paths_.on_sent(size);
  return Transmit{.local = paths_.local(),
                  .remote = paths_.remote(),
                  .size = size,
                  .segment_size = size,
                  .ecn = burst_ecn_};
}

void Connection::finish_packet(PacketBuilder& builder, Space s, bool is_mtu_probe, TimePoint now) {
  const HeaderFields& fields = builder.fields();
  const FrameSink& sink = builder.sink();
  const bool is_in_flight = sink.is_ack_eliciting() || builder.is_padded();
  if (sink_) {
    sink_->packet_sent({.type = fields.type,
                        .number = fields.packet_number,
                        .size = builder.size(),
                        .payload = builder.payload(),
                        .destination = fields.destination,
                        .source = fields.source,
                        .ecn = burst_ecn_,
                        .key_phase = fields.key_phase,
                        .is_pto_probe = recovery_.probes_owed(s) > 0,
                        .is_in_flight = is_in_flight},
                       now);
  }
  PacketSpace& out = space(s);
  PacketKey& key = s == Space::application ? one_rtt_->send_key() : *out.packet_send;
  const std::size_t size = builder.seal(key, *out.header_send).size();
  if (s == Space::application) one_rtt_->on_sent(fields.packet_number);
  recovery_.on_sent({.space = s,
                     .number = fields.packet_number,
                     .size = size,
                     .is_ack_eliciting = sink.is_ack_eliciting(),
                     .is_in_flight = is_in_flight,
                     .is_mtu_probe = is_mtu_probe,
                     .ecn = burst_ecn_,
                     .ready_bytes_after = ready_bytes(),
                     .frames = notes_[index(s)]},
                    now);
  // RFC 9001 §4.9.1: a client that sends Handshake packets needs the Initial keys no more.
  if (side_ == Side::client && s == Space::handshake) discard(Space::initial, now);
}

// RFC 9000 §10.2.3: in every space whose keys we have, since the peer may not have the newest ones yet.
std::optional<Transmit> Connection::transmit_close(MutableBytes buffer, TimePoint now) {
  closing_.frame_sent();
  const MutableBytes room = buffer.first(std::min(buffer.size(), max_datagram_size()));
  if (paths_.allowance() < room.size()) return std::nullopt;
  std::size_t used = 0;
  for (Space s : kSpaces) {
    if (!space(s).can_send() || (s == Space::application && !one_rtt_)) continue;
    const HeaderFields fields = header_for(s);
    const MutableBytes left = room.subspan(used);
    if (left.size() < PacketBuilder::least_size(fields) + kLeastCoalesced) break;
    notes_[index(s)].clear();
    PacketBuilder builder{left, fields, notes_[index(s)]};
    ConnectionCloseFrame frame = closing_.frame_for(fields.type);
    // The reason is cut rather than the code lost.
    const std::size_t bare =
        frame_size(ConnectionCloseFrame{frame.is_application, frame.error_code, frame.frame_type, {}});
    frame.reason = frame.reason.first(std::min(frame.reason.size(), builder.sink().room() - bare - 2));
    builder.sink().put_unnoted(frame);
    const bool is_initial_of_client = s == Space::initial && side_ == Side::client;
    if (is_initial_of_client)
      builder.pad(kMinInitialDatagram - std::min(builder.size(), kMinInitialDatagram));
    used += builder.size();
    finish_packet(builder, s, false, now);
  }
  if (used == 0) return std::nullopt;
  paths_.on_sent(used);
  return Transmit{.local = paths_.local(), .remote = paths_.remote(), .size = used, .segment_size = used};
}

}  // namespace quell
