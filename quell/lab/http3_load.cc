#include "quell/lab/http3_load.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "quell/lab/ended_text.h"

namespace quell::lab {
namespace {

// The source as HTTP/3 sees it. `clock` is the time of the server's present turn; `is_waiting` is set when
// HTTP/3 was sent away empty-handed.
class Body final : public http3::BodySource {
 public:
  Body(std::shared_ptr<lab::BodySource> source, std::shared_ptr<const TimePoint> clock,
       std::shared_ptr<bool> is_waiting, std::optional<ByteCount> size)
      : source_(std::move(source)),
        clock_(std::move(clock)),
        is_waiting_(std::move(is_waiting)),
        size_(size) {}

  Piece next(std::size_t max) override {
    if (source_->is_finished()) return {{}, State::end};
    *is_waiting_ = !source_->is_ready(*clock_);
    if (*is_waiting_) return {{}, State::waiting};
    Slice slice = source_->take(max, *clock_);
    return {std::move(slice), source_->is_finished() ? State::end : State::more};
  }
  std::optional<ByteCount> size() const override { return size_; }

 private:
  std::shared_ptr<lab::BodySource> source_;
  std::shared_ptr<const TimePoint> clock_;
  std::shared_ptr<bool> is_waiting_;
  std::optional<ByteCount> size_;
};

}  // namespace

Http3Load::Http3Load(const LoadConfig& config, Call call)
    : client_(config, std::move(call)), server_(config) {
  client_.call.config.alpn = {alpn()};
}

std::optional<TimePoint> Http3Load::Client::next_wake() const {
  if (connection) return std::nullopt;
  return call.starts_at;
}

void Http3Load::Client::begin(Endpoint& endpoint, TimePoint now) {
  connection = endpoint.connect(call.local, call.remote, "localhost", call.credentials, call.config, now);
  http.emplace(*connection);
}

// Once the session's own streams are open: requests go behind them.
void Http3Load::Client::ask(Endpoint& endpoint, TimePoint now) {
  if (has_asked || !http->is_connected()) return;
  has_asked = true;
  http->flush(endpoint, now);
  http->request(
      {.method = "GET", .scheme = "https", .authority = "localhost", .path = "/", .fields = {}, .body = {}});
}

void Http3Load::Client::on_wake(Endpoint& endpoint, TimePoint now) {
  if (!connection) begin(endpoint, now);
  while (const auto event = endpoint.poll_event()) {
    if (std::holds_alternative<HandshakeConfirmed>(event->what)) confirmed_at = now;
    http->handle(*event, endpoint, now);
  }
  while (const auto event = http->poll(endpoint, now)) hear(*event, now);
  ask(endpoint, now);
  http->flush(endpoint, now);
  if (http->ended()) failure = "client: " + describe(*http->ended());
}

void Http3Load::Client::hear(const http3::ClientEvent& event, TimePoint now) {
  if (const auto* content = std::get_if<http3::ResponseContent>(&event)) {
    received += content->bytes.size();
  } else if (std::holds_alternative<http3::ResponseEnded>(event)) {
    if (received != config.bytes) failure = fmt::format("client: got {} of {} bytes", received, config.bytes);
    completed_at = now;
  } else if (const auto* failed = std::get_if<http3::RequestFailed>(&event)) {
    failure = "client: " + failed->reason;
  }
}

std::optional<TimePoint> Http3Load::Server::next_wake() const {
  const auto own = http.next_wake();
  const auto change = source->changes_after(*clock);
  return own && change ? std::min(*own, *change) : own ? own : change;
}

void Http3Load::Server::on_wake(Endpoint& endpoint, TimePoint now) {
  *clock = now;
  while (const auto event = endpoint.poll_event()) {
    connection = event->connection;
    if (const auto* ended = std::get_if<ConnectionEnded>(&event->what))
      failure = "server: " + describe(*ended);
    http.handle(*event, endpoint, now);
  }
  http.flush(endpoint, now);  // the session's own streams, before the first answer
  while (const auto event = http.poll(endpoint, now)) {
    if (const auto* received = std::get_if<http3::RequestReceived>(&*event)) answer(*received, now);
    if (const auto* lost = std::get_if<http3::RequestCancelled>(&*event)) failure = "server: " + lost->reason;
  }
  if (request && *is_waiting && source->is_ready(now)) http.resume(*request);
  http.flush(endpoint, now);
  if (source->is_over(now)) completed_at = now;
}

void Http3Load::Server::answer(const http3::RequestReceived& received, TimePoint now) {
  request = received.key;
  source->begin(now);
  http.respond(
      received.key,
      {.status = 200, .fields = {}, .body = std::make_unique<Body>(source, clock, is_waiting, bytes)});
}

}  // namespace quell::lab
