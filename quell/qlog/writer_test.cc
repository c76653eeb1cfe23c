#include "quell/qlog/writer.h"

#include <gtest/gtest.h>

#include "quell/base/writer.h"
#include "quell/qlog/draft_rules.h"
#include "quell/wire/frame_writer.h"

namespace quell::qlog {
namespace {

using test::Json;

const std::vector<std::uint8_t> kOdcid{0x0a, 0x1b, 0x2c, 0x3d, 0x4e, 0x5f, 0x60, 0x71};
const ConnectionId kId{Bytes(kOdcid)};

TimePoint at_us(std::int64_t us) {
  return TimePoint{microseconds{us}};
}

std::vector<std::uint8_t> ping_and_padding() {
  return {0x01, 0x00, 0x00};
}

trace::Packet one_rtt(PacketNumber number, Bytes payload) {
  trace::Packet packet;
  packet.number = number;
  packet.size = payload.size() + 26;
  packet.payload = payload;
  return packet;
}

// Calls every verb of the sink once or more, a millisecond apart.
void tell_everything(trace::Sink& sink) {
  std::int64_t us = 5'000'000;
  const auto next = [&] { return at_us(us += 1000); };
  const auto payload = ping_and_padding();
  TransportParameters parameters;
  parameters.initial_source_connection_id = kId;
  parameters.stateless_reset_token = StatelessResetToken{0xee};

  sink.connection_started({.side = Side::client,
                           .local = *Address::parse("127.0.0.1:50000"),
                           .remote = *Address::parse("[2001:db8::1]:443"),
                           .original_destination = kId,
                           .source = kId,
                           .destination = kId,
                           .controller = "cubic"},
                          next());
  sink.parameters_set({.is_local = true, .parameters = &parameters}, next());
  for (const auto type : {PacketType::initial, PacketType::zero_rtt, PacketType::handshake, PacketType::retry,
                          PacketType::version_negotiation, PacketType::one_rtt}) {
    trace::Packet packet = one_rtt(3, payload);
    packet.type = type;
    packet.is_pto_probe = true;
    sink.packet_sent(packet, next());
    packet.is_pto_probe = false;
    packet.ecn = Ecn::ce;
    sink.packet_received(packet, next());
  }
  using enum trace::DropReason;
  for (const auto reason : {unknown_version, unknown_connection, keys_unavailable, decryption_failure,
                            duplicate, malformed, invalid, unexpected, reset_received}) {
    sink.packet_dropped({.type = PacketType::handshake, .size = 40, .reason = reason}, next());
  }
  sink.packet_dropped({.type = {}, .size = 40}, next());
  for (const auto trigger : {trace::LossTrigger::reordering_threshold, trace::LossTrigger::time_threshold,
                             trace::LossTrigger::pto_expired}) {
    sink.packet_lost({.space = Space::handshake, .number = 3, .size = 29, .trigger = trigger}, next());
  }
  sink.spurious_loss({.number = 3}, next());
  trace::RecoveryMetrics metrics;
  metrics.min_rtt = metrics.smoothed_rtt = metrics.latest_rtt = metrics.rtt_variance = microseconds{10123};
  metrics.pto_count = 1;
  metrics.cwnd = metrics.bytes_in_flight = metrics.max_datagram_size = metrics.total_delivered = 1452;
  metrics.total_lost = 29;
  metrics.ssthresh = 2904;
  metrics.pacing_rate = Rate::bits_per_second(1e6);
  metrics.growth_clock = milliseconds{3};
  metrics.floor_rounds_without_loss = 5;
  metrics.is_window_limited = true;
  sink.recovery_metrics(metrics, next());
  sink.congestion_state_updated({cc::State::slow_start, cc::State::recovery, "loss"}, next());
  using Milestone = trace::HandshakeProgress::Milestone;
  for (const auto milestone :
       {Milestone::handshake_keys, Milestone::one_rtt_keys, Milestone::complete, Milestone::confirmed}) {
    sink.handshake_progress({milestone, milestone == Milestone::complete ? "h3" : ""}, next());
  }
  sink.key_updated({.generation = 1, .is_remote_initiated = true}, next());
  for (const auto state : {trace::EcnState::unknown, trace::EcnState::failed, trace::EcnState::capable}) {
    sink.ecn_state_updated({trace::EcnState::testing, state}, next());
  }
  for (const auto* trigger :
       {"idle_timeout", "handshake_timeout", "stateless_reset", "error", "clean", "novel"}) {
    sink.connection_closed({.error_code = 0x0a, .reason = "two\nlines", .trigger = trigger}, next());
    sink.connection_closed(
        {.is_local = false, .is_application = true, .error_code = 0x100, .reason = {}, .trigger = trigger},
        next());
  }
}

std::string log_of(const std::function<void(trace::Sink&)>& story, ReferenceTime reference = {}) {
  std::string log;
  {
    qlog::Writer writer(std::make_unique<StringOutput>(log), Side::client, kId, reference);
    story(writer);
  }
  return log;
}

TEST(QlogWriter, EveryRecordKeepsTheDraftsRules) {
  const auto records = test::split_records(log_of(tell_everything));
  ASSERT_GT(records.size(), 40);
  std::set<std::string> seen;
  for (std::size_t i = 1; i < records.size(); ++i) {
    const Json record = Json::parse(records[i]);
    EXPECT_EQ(test::check_event(record), "") << records[i];
    seen.insert(record.at("name"));
  }
  EXPECT_EQ(seen.size(), test::kEventRules.size());  // no event of ours goes unchecked
}

TEST(QlogWriter, TheHeaderNamesFormatVantagePointAndConnection) {
  const Json header = Json::parse(test::split_records(log_of(tell_everything)).at(0));
  EXPECT_EQ(header.at("file_schema"), "urn:ietf:params:qlog:file:sequential");
  EXPECT_EQ(header.at("serialization_format"), "application/qlog+json-seq");
  const Json& trace = header.at("trace");
  EXPECT_EQ(trace.at("common_fields").at("group_id"), "0a1b2c3d4e5f6071");
  EXPECT_EQ(trace.at("common_fields").at("time_format"), "relative_to_epoch");
  EXPECT_EQ(trace.at("vantage_point").at("type"), "client");
  EXPECT_EQ(trace.at("event_schemas").at(0), "urn:ietf:params:qlog:events:quic-13");
}

TEST(QlogWriter, TimesCountFromTheFirstEventWhoseWallClockIsTheEpoch) {
  // 2026-02-03 04:05:06.000007 UTC was when the timeline stood at 10 s; the first event comes 1.5 s later.
  const ReferenceTime reference{at_us(10'000'000), microseconds{1'770'091'506'000'007}};
  const auto records = test::split_records(log_of(
      [](trace::Sink& sink) {
        sink.packet_lost({.number = 1}, at_us(11'500'000));
        sink.packet_lost({.number = 2}, at_us(11'500'250));
      },
      reference));
  EXPECT_EQ(Json::parse(records.at(0)).at("trace").at("common_fields").at("reference_time").at("epoch"),
            "2026-02-03T04:05:07.500007Z");
  EXPECT_EQ(Json::parse(records.at(1)).at("time"), 0);
  EXPECT_DOUBLE_EQ(Json::parse(records.at(2)).at("time"), 0.25);
}

TEST(QlogWriter, TheSameEventsMakeTheSameBytes) {
  EXPECT_EQ(log_of(tell_everything), log_of(tell_everything));
}

TEST(QlogWriter, MetricsNameOnlyWhatChanged) {
  const auto records = test::split_records(log_of([](trace::Sink& sink) {
    trace::RecoveryMetrics metrics;
    metrics.cwnd = 14520;
    metrics.smoothed_rtt = milliseconds{10};
    sink.recovery_metrics(metrics, at_us(0));
    metrics.smoothed_rtt += nanoseconds{1};  // too small to show
    sink.recovery_metrics(metrics, at_us(1));
    metrics.cwnd = 2904;
    sink.recovery_metrics(metrics, at_us(2));
  }));
  ASSERT_EQ(records.size(), 3);
  EXPECT_EQ(Json::parse(records[1]).at("data"),
            Json::parse(R"({"smoothed_rtt":10,"congestion_window":14520})"));
  EXPECT_EQ(Json::parse(records[2]).at("data"), Json::parse(R"({"congestion_window":2904})"));
}

TEST(QlogWriter, AnUnlimitedPacingRateIsLeftOut) {
  const auto records = test::split_records(log_of([](trace::Sink& sink) {
    trace::RecoveryMetrics metrics;
    metrics.cwnd = 1;
    metrics.pacing_rate = Rate::unlimited();
    sink.recovery_metrics(metrics, at_us(0));
  }));
  EXPECT_FALSE(Json::parse(records.at(1)).at("data").contains("pacing_rate"));
}

TEST(QlogWriter, AckDelaysUseTheExponentOfTheSideThatSentThem) {
  RangeSet received;
  received.add(0, 1);
  std::vector<std::uint8_t> payload(32);
  quell::Writer out{MutableBytes(payload)};
  ASSERT_TRUE(write_ack(out, received, 1000, nullptr, 32, 1));
  payload.resize(out.position());
  const auto records = test::split_records(log_of([&](trace::Sink& sink) {
    TransportParameters remote;
    remote.ack_delay_exponent = 0;
    sink.parameters_set({.is_local = false, .parameters = &remote}, at_us(0));
    sink.packet_sent(one_rtt(1, payload), at_us(1));
    sink.packet_received(one_rtt(1, payload), at_us(2));
  }));
  const auto delay = [&](std::size_t i) {
    return Json::parse(records.at(i))["data"]["frames"][0]["ack_delay"].get<double>();
  };
  EXPECT_DOUBLE_EQ(delay(2), 8);
  EXPECT_DOUBLE_EQ(delay(3), 1);
}

TEST(QlogWriter, ASmallLogReadsLikeThis) {
  const auto payload = ping_and_padding();
  const std::string log = log_of([&](trace::Sink& sink) {
    sink.connection_started({.local = *Address::parse("10.0.0.1:1"),
                             .remote = *Address::parse("[fd00::1]:443"),
                             .original_destination = kId,
                             .source = {},
                             .destination = kId,
                             .controller = "reno"},
                            at_us(0));
    sink.packet_sent(one_rtt(7, payload), at_us(1500));
    sink.congestion_state_updated({cc::State::slow_start, cc::State::recovery, "loss"}, at_us(20000));
    sink.connection_closed({.reason = {}, .trigger = "clean"}, at_us(20001));
  });
  const std::string golden =
      "\x1e"
      R"({"file_schema":"urn:ietf:params:qlog:file:sequential","serialization_format":"application/qlog+json-seq",)"
      R"("title":"quell client","trace":{"common_fields":{"group_id":"0a1b2c3d4e5f6071",)"
      R"("time_format":"relative_to_epoch","reference_time":{"clock_type":"system",)"
      R"("epoch":"1970-01-01T00:00:00.000000Z"}},"vantage_point":{"name":"quell","type":"client"},)"
      R"("event_schemas":["urn:ietf:params:qlog:events:quic-13","urn:x-quell:qlog:events:quic#quell",)"
      R"("urn:x-quell:qlog:events:quell"]}})"
      "\n\x1e"
      R"({"time":0,"name":"quic:connection_started","data":{"local":{"ip_v4":"10.0.0.1","port_v4":1,)"
      R"("connection_ids":[""]},"remote":{"ip_v6":"fd00::1","port_v6":443,"connection_ids":["0a1b2c3d4e5f6071"]},)"
      R"("congestion_controller":"reno"}})"
      "\n\x1e"
      R"({"time":1.5,"name":"quic:packet_sent","data":{"header":{"packet_type":"1RTT","packet_number":7,)"
      R"("key_phase_bit":false},"raw":{"length":29,"payload_length":3},"frames":[{"frame_type":"ping"},)"
      R"({"frame_type":"padding","raw":{"length":2,"payload_length":2}}]}})"
      "\n\x1e"
      R"({"time":20,"name":"quic:congestion_state_updated","data":{"old":"slow_start","new":"recovery",)"
      R"("trigger":"loss"}})"
      "\n\x1e"
      R"({"time":20.001,"name":"quic:connection_closed","data":{"initiator":"local","connection_error":"no_error",)"
      R"("trigger":"application","quell_trigger":"clean"}})"
      "\n";
  EXPECT_EQ(log, golden);
}

// Accepts a number of bytes, then nothing more.
class FullDisk final : public Output {
 public:
  FullDisk(std::size_t room, int& attempts) : room_(room), attempts_(attempts) {}
  bool write(std::string_view bytes) override {
    ++attempts_;
    if (bytes.size() > room_) return false;
    room_ -= bytes.size();
    return true;
  }

 private:
  std::size_t room_;
  int& attempts_;
};

TEST(QlogWriter, AfterAFailedWriteItFallsSilentAndHoldsNothing) {
  int attempts = 0;
  {
    qlog::Writer writer(std::make_unique<FullDisk>(100'000, attempts), Side::client, kId, {});
    for (std::int64_t i = 0; i < 20'000; ++i) writer.packet_lost({.number = 1}, at_us(i));
  }
  EXPECT_EQ(attempts, 2);  // 64 kB fit, the second block does not
}

}  // namespace
}  // namespace quell::qlog
