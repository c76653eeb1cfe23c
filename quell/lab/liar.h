// What does a peer look like that lies in its ACKs? An honest endpoint whose packets are opened on their way
// out, with the keys that it confides, changed and sealed again: everything but the lie is the real stack's.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "quell/base/range_set.h"
#include "quell/crypto/key_log.h"
#include "quell/crypto/packet_protection.h"
#include "quell/lab/scenario.h"
#include "quell/sim/node.h"
#include "quell/wire/frame.h"

namespace quell::lab {

// The client's 1-RTT secret, as its key log tells it (AES-128-GCM, the laboratory's only cipher).
class ConfidedSecret final : public KeyLog {
 public:
  void on_secret(std::string_view line) override;
  const std::optional<Secret>& secret() const { return secret_; }

 private:
  std::optional<Secret> secret_;
};

class Liar final : public sim::Node {
 public:
  // `confided` is the key log of the connection of `honest`. `first_lie` becomes the number of the first
  // packet that claims something false about what was received. Both references must outlive the liar.
  Liar(sim::Node& honest, const LiesConfig& lies, std::shared_ptr<const ConfidedSecret> confided,
       std::optional<PacketNumber>& first_lie)
      : honest_(honest), lies_(lies), confided_(std::move(confided)), first_lie_(first_lie) {}

  void handle_datagram(MutableBytes bytes, const sim::Envelope& envelope, TimePoint now) override {
    honest_.handle_datagram(bytes, envelope, now);
  }
  void handle_timeout(TimePoint now) override { honest_.handle_timeout(now); }
  void drain(const Emit& emit, TimePoint now) override;
  std::optional<TimePoint> next_wake() override { return honest_.next_wake(); }

 private:
  struct Keys {
    PacketKey packet;
    HeaderKey header;
  };
  bool is_lying(Bytes datagram, TimePoint now);
  // The datagram to send instead; the one that came in when there is nothing to lie about.
  Bytes falsify(Bytes datagram);
  bool rewrite(Bytes payload, std::vector<std::uint8_t>& out);
  void write_false_ack(const AckFrame& ack, std::vector<std::uint8_t>& out);

  sim::Node& honest_;
  LiesConfig lies_;
  std::shared_ptr<const ConfidedSecret> confided_;
  std::optional<Keys> keys_;
  std::optional<TimePoint> first_one_rtt_at_;
  std::optional<PacketNumber> largest_sent_;
  bool has_overstated_ = false;
  bool has_lied_ = false;  // in the packet that is being changed
  std::optional<PacketNumber>& first_lie_;
  std::vector<std::uint8_t> packet_;
};

}  // namespace quell::lab
