#include "quell/cli/serve_application.h"

#include <fmt/format.h>

#include <cstdio>

namespace quell::cli {
namespace {

// A peer's bytes in our log: nothing that a terminal would obey.
std::string printable(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", byte);
    }
  }
  return out;
}

}  // namespace

void ServeApplication::on_wake(Endpoint& endpoint, TimePoint now) {
  while (const auto event = endpoint.poll_event()) {
    if (verbose_) {
      if (const auto* ended = std::get_if<ConnectionEnded>(&event->what))
        tell_end(*event, *ended, endpoint, now);
    }
    server_.handle(*event, endpoint, now);
  }
  while (const auto event = server_.poll(endpoint, now)) {
    if (const auto* request = std::get_if<http3::RequestReceived>(&*event)) answer(*request, endpoint);
  }
  server_.flush(endpoint, now);
}

void ServeApplication::answer(const http3::RequestReceived& request, const Endpoint& endpoint) {
  http3::Response response = files_.answer(request);
  if (verbose_) {
    fmt::print(stderr, "{} {} {} {} {}\n", endpoint.remote_address(request.key.connection).to_string(),
               printable(request.method), printable(request.path), response.status,
               http3::find(response.fields, "content-length").value_or("-"));
  }
  server_.respond(request.key, std::move(response));
}

void ServeApplication::tell_end(const Event& event, const ConnectionEnded& ended, const Endpoint& endpoint,
                                TimePoint now) {
  const auto stats = endpoint.stats(event.connection, now);
  if (!stats) return;
  const Recovery::Stats& r = stats->recovery;
  fmt::print(
      stderr,
      "{} closed{}{}: sent {} bytes in {} packets, lost {} ({} spurious), {} congestion events, {} PTOs, "
      "rtt {:.3f} ms (min {:.3f}), cwnd {}, {} rounds at the floor without loss\n",
      endpoint.remote_address(event.connection).to_string(), ended.reason.empty() ? "" : ", ",
      printable(ended.reason), r.bytes_sent, r.packets_sent, r.packets_lost, r.spurious_losses,
      r.congestion_events, r.ptos, to_milliseconds(stats->smoothed_rtt), to_milliseconds(stats->min_rtt),
      stats->cwnd, r.floor_rounds_without_loss);
}

}  // namespace quell::cli
