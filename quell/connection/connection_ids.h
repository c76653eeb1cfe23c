// Under which IDs may each end be addressed? (RFC 9000 §5.1)
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "quell/connection/frame_sink.h"
#include "quell/wire/connection_id.h"
#include "quell/wire/error.h"
#include "quell/wire/frame.h"

namespace quell {

// Choice: both ends hold up to four IDs for the other: enough for a rebinding and a migration at once.
inline constexpr std::uint64_t kActiveConnectionIdLimit = 4;

// The IDs that we issued. The endpoint routes by them, so every change is reported through `take_changes`.
class LocalConnectionIds {
 public:
  struct Issued {
    std::uint64_t sequence = 0;
    ConnectionId id;
    StatelessResetToken reset_token{};
  };
  struct Changes {
    std::vector<ConnectionId> added;
    std::vector<ConnectionId> removed;
  };

  // Sequence number 0: the ID of the handshake.
  explicit LocalConnectionIds(const ConnectionId& first);

  // How many more the peer would take; the endpoint makes them (it knows what is unique) and hands them to
  // `issue`.
  std::size_t wanted(std::uint64_t peer_limit) const;
  void issue(const ConnectionId& id, const StatelessResetToken& token);
  // Errors: PROTOCOL_VIOLATION for a number that was never issued, or for the ID that the packet itself used
  // (§19.16).
  Result<void> on_retire(const RetireConnectionIdFrame& frame, const ConnectionId& packet_destination);

  bool has_frames() const { return !unsent_.empty(); }
  void write_frames(FrameSink& sink);
  void on_lost(const SentFrame& frame);

  const std::vector<Issued>& active() const { return active_; }
  Changes take_changes();

 private:
  std::vector<Issued> active_;
  std::set<std::uint64_t> unsent_;  // sequence numbers whose NEW_CONNECTION_ID must go out
  std::uint64_t next_sequence_ = 1;
  Changes changes_;
};

// The IDs that the peer gave us.
class RemoteConnectionIds {
 public:
  explicit RemoteConnectionIds(const ConnectionId& first);

  // The server's choice in its first packet, or a Retry's (§7.2).
  void replace_first(const ConnectionId& id);
  void set_first_reset_token(const StatelessResetToken& token);
  const ConnectionId& current() const { return active_.front().id; }

  // Errors: PROTOCOL_VIOLATION for a contradiction or when the peer uses zero-length IDs,
  // CONNECTION_ID_LIMIT_ERROR (§5.1.1, §19.15).
  Result<void> on_new(const NewConnectionIdFrame& frame);
  bool matches_reset_token(Bytes token) const;

  bool has_frames() const { return !retire_.empty(); }
  void write_frames(FrameSink& sink);
  void on_acked(const SentFrame& frame);
  void on_lost(const SentFrame& frame);

 private:
  struct Known {
    std::uint64_t sequence = 0;
    ConnectionId id;
    std::optional<StatelessResetToken> reset_token;
  };
  Result<void> retire(std::uint64_t sequence);

  std::vector<Known> active_;            // ascending by sequence; the first is in use
  std::set<std::uint64_t> retire_;       // RETIRE_CONNECTION_ID must go out
  std::set<std::uint64_t> retire_sent_;  // and is not acknowledged yet
  std::uint64_t retire_prior_to_ = 0;
};

}  // namespace quell
