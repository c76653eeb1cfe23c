#include "quell/cli/fetch.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace quell::cli {
namespace {

std::optional<ByteCount> content_length(const http3::Fields& fields) {
  const auto text = http3::find(fields, "content-length");
  if (!text) return std::nullopt;
  ByteCount length = 0;
  const auto [end, failure] = std::from_chars(text->data(), text->data() + text->size(), length);
  if (failure != std::errc{}) return std::nullopt;
  return length;
}

std::string refusal(const http3::ResponseStarted& response) {
  std::string text = fmt::format("the server answered {}", response.status);
  if (const auto location = http3::find(response.fields, "location"))
    text += fmt::format(", see {}", *location);
  return text;
}

}  // namespace

Fetch::Fetch(ConnectionHandle connection, const std::vector<Job*>& jobs, Tally& tally, Progress& progress)
    : client_(connection), tally_(tally), progress_(progress) {
  for (Job* job : jobs) {
    if (job->is_done) continue;
    http3::Request request{.method = "GET",
                           .scheme = "https",
                           .authority = job->url.authority(),
                           .path = job->url.path,
                           .fields = {{"user-agent", "quell/0.1"}, {"accept", "*/*"}},
                           .body = nullptr};
    open_.emplace(client_.request(std::move(request)), Open{job, nullptr});
  }
}

void Fetch::on_wake(Endpoint& endpoint, TimePoint now) {
  while (const auto event = endpoint.poll_event()) {
    was_connected_ |= std::holds_alternative<HandshakeComplete>(event->what);
    client_.handle(*event, endpoint, now);
  }
  while (const auto event = client_.poll(endpoint, now)) handle(*event);
  client_.flush(endpoint, now);
  progress_.update(tally_.transferred, tally_.start, now);
}

void Fetch::abandon(const std::string& reason) {
  while (!open_.empty()) {
    auto& [id, open] = *open_.begin();
    fail(id, open, reason);
  }
}

void Fetch::handle(const http3::ClientEvent& event) {
  const http3::RequestId id = std::visit([](const auto& e) { return e.request; }, event);
  const auto found = open_.find(id);
  if (found == open_.end()) return;
  // A handshake that failed is no fault of a job: another address may do better.
  if (!was_connected_ && client_.ended()) return;
  Open& open = found->second;
  if (const auto* response = std::get_if<http3::ResponseStarted>(&event)) {
    begin(open, *response);
  } else if (const auto* content = std::get_if<http3::ResponseContent>(&event)) {
    take(open, content->bytes);
  } else if (std::holds_alternative<http3::ResponseEnded>(event)) {
    finish(open);
  } else if (const auto* failed = std::get_if<http3::RequestFailed>(&event)) {
    const bool has_begun = open.output != nullptr;
    open.job->error = has_begun ? "the response was cut off: " + failed->reason : failed->reason;
  }
  if (!open.job->error.empty()) {
    fail(id, open, std::move(open.job->error));
  } else if (open.job->is_done) {
    open_.erase(found);
  }
}

void Fetch::begin(Open& open, const http3::ResponseStarted& response) {
  if (response.status >= 300) {
    open.job->error = refusal(response);
    return;
  }
  auto output = open.job->open();
  if (!output) {
    open.job->error = fmt::format("cannot write {}: {}", open.job->destination, output.error().message());
    return;
  }
  open.output = std::move(*output);
  const auto length = content_length(response.fields);
  tally_.transferred.is_expected_known &= length.has_value();
  tally_.transferred.expected += length.value_or(0);
}

void Fetch::take(Open& open, Bytes bytes) {
  if (open.output == nullptr) return;
  tally_.transferred.bytes += bytes.size();
  if (const auto error = open.output->write(bytes)) {
    open.job->error = fmt::format("cannot write {}: {}", open.job->destination, error.message());
  }
}

void Fetch::finish(Open& open) {
  if (const auto error = open.output->commit()) {
    open.job->error = fmt::format("cannot write {}: {}", open.job->destination, error.message());
    return;
  }
  open.job->is_done = true;
  ++tally_.transferred.files_done;
}

void Fetch::fail(http3::RequestId id, Open& open, std::string error) {
  open.job->error = std::move(error);
  open.job->is_done = true;
  client_.cancel(id);
  open_.erase(id);
}

}  // namespace quell::cli
