// What does the server do when it wakes? Answers requests with files, and tells about it when asked to.
#pragma once

#include <map>
#include <optional>

#include "quell/cli/file_server.h"
#include "quell/connection/application.h"
#include "quell/connection/stats.h"
#include "quell/http3/server.h"

namespace quell::cli {

class ServeApplication final : public Application {
 public:
  ServeApplication(FileServer files, bool verbose) : files_(std::move(files)), verbose_(verbose) {}

  void on_wake(Endpoint& endpoint, TimePoint now) override;
  std::optional<TimePoint> next_wake() const override { return server_.next_wake(); }

  void shut_down() { server_.shut_down(); }
  bool is_shutting_down() const { return server_.is_shutting_down(); }
  // Shutting down, and nobody is connected any more.
  bool is_done() const { return server_.is_shutting_down() && server_.connection_count() == 0; }

 private:
  void answer(const http3::RequestReceived& request, const Endpoint& endpoint);
  void tell_end(const Event& event, const ConnectionEnded& ended, const Endpoint& endpoint, TimePoint now);

  FileServer files_;
  http3::Server server_;
  bool verbose_;
};

}  // namespace quell::cli
