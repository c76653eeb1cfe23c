// How do several responses of one server become outputs? All requests at once, each response to its own
// output.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "quell/cli/output.h"
#include "quell/cli/progress.h"
#include "quell/cli/url.h"
#include "quell/connection/application.h"
#include "quell/http3/client.h"

namespace quell::cli {

struct Job {
  Url url;
  std::string destination;  // for messages: "-", a path, or empty for nothing
  // Called when a good response begins; a bad one leaves no trace.
  std::function<std::expected<std::unique_ptr<Output>, std::error_code>()> open;
  bool is_done = false;
  std::string error;  // empty: none
};

// What has been moved in all, over several connections.
struct Tally {
  Transferred transferred;
  TimePoint start{};
};

class Fetch final : public Application {
 public:
  // Asks for every job that is not done. All must outlive the fetch.
  Fetch(ConnectionHandle connection, const std::vector<Job*>& jobs, Tally& tally, Progress& progress);

  void on_wake(Endpoint& endpoint, TimePoint now) override;
  std::optional<TimePoint> next_wake() const override { return progress_.next_wake(); }

  // All jobs are done, well or not.
  bool is_done() const { return open_.empty(); }
  // The handshake was completed, so that the jobs' errors are about the jobs.
  bool was_connected() const { return was_connected_; }
  // The connection is over, and why.
  const std::optional<ConnectionEnded>& ended() const { return client_.ended(); }
  // Gives up what is open, for `reason`.
  void abandon(const std::string& reason);
  void close(Endpoint& endpoint, TimePoint now) { client_.close(endpoint, now); }

 private:
  struct Open {
    Job* job = nullptr;
    std::unique_ptr<Output> output;  // null before the response begins
  };
  void handle(const http3::ClientEvent& event);
  void begin(Open& open, const http3::ResponseStarted& response);
  void take(Open& open, Bytes bytes);
  void finish(Open& open);
  // Ends the job; the request too, if it still goes on.
  void fail(http3::RequestId id, Open& open, std::string error);

  http3::Client client_;
  std::map<http3::RequestId, Open> open_;
  Tally& tally_;
  Progress& progress_;
  bool was_connected_ = false;
};

}  // namespace quell::cli
