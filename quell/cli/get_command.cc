#include "quell/cli/get_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "quell/cli/connect_failure.h"
#include "quell/cli/exit_code.h"
#include "quell/cli/fetch.h"
#include "quell/cli/transport_options.h"
#include "quell/cli/url.h"
#include "quell/connection/endpoint.h"
#include "quell/net/monotonic_clock.h"
#include "quell/net/resolve.h"
#include "quell/net/udp_socket.h"
#include "quell/net/worker.h"

namespace quell::cli {
namespace {

// For the handshake with one host, all its addresses together.
constexpr Duration kHandshakeDeadline = seconds{10};

struct Options {
  std::vector<std::string> urls;
  std::string output;
  bool use_remote_names = false;
  bool discard = false;
  std::string ca;
  bool insecure = false;
  bool quiet = false;
  double timeout_s = 0;  // zero: none
  TransportOptions transport;
};

constexpr const char* kExamples = R"(Examples:
  quell get https://example.org/ > page.html
  quell get -O https://127.0.0.1:4433/a.bin https://127.0.0.1:4433/b.bin --ca cert.pem
      Both at once on one connection, as a.bin and b.bin.
  quell get --insecure --discard --cc reno --qlog /tmp/qlog https://127.0.0.1:4433/1000000
      For measurements: keeps nothing, writes a log.

A file appears under its name when it is whole; a body that is cut off is an error.
Exit codes: 0 all fetched, 1 something was not, 2 wrong usage.)";

std::string check_url(const std::string& text) {
  const auto url = parse_url(text);
  return url ? std::string{} : url.error();
}

std::optional<std::string> find_usage_error(const Options& options, const std::vector<Url>& urls) {
  if (options.insecure && !options.ca.empty())
    return "--ca checks the certificate and --insecure does not: leave one out";
  if ((options.output.empty() ? 0 : 1) + (options.use_remote_names ? 1 : 0) + (options.discard ? 1 : 0) > 1) {
    return "-o, -O and --discard exclude each other";
  }
  if (!options.output.empty() && urls.size() > 1)
    return "-o names one file, but there are several URLs; use -O";
  if (!options.use_remote_names) return std::nullopt;
  std::set<std::string> names;
  for (const Url& url : urls) {
    const std::string name = url.file_name();
    if (name.empty() || name == "." || name == "..")
      return fmt::format("{} names no file; use -o FILE", url.text);
    if (!names.insert(name).second) return fmt::format("two URLs would both be written to {}", name);
  }
  return std::nullopt;
}

Job make_job(const Options& options, const Url& url) {
  Job job{.url = url, .destination = {}, .open = {}, .is_done = false, .error = {}};
  if (options.discard) {
    job.open = [] { return std::make_unique<DiscardOutput>(); };
  } else if (options.use_remote_names || (!options.output.empty() && options.output != "-")) {
    job.destination = options.use_remote_names ? url.file_name() : options.output;
    job.open = [path = job.destination] { return open_output(path); };
  } else {
    job.destination = "standard output";
    job.open = open_standard_output;
  }
  return job;
}

CredentialsResult make_credentials(const Options& options) {
  if (options.insecure) return client_credentials_without_verification();
  if (!options.ca.empty()) return client_credentials_from_ca_file(options.ca);
  return client_credentials_system_trust();
}

// All that several hosts share.
struct Session {
  const Options& options;
  CredentialsPtr credentials;
  std::shared_ptr<SinkFactory> sinks;
  Progress progress;
  Tally tally;
  std::optional<TimePoint> deadline;
  bool interrupted = false;
};

// Drives one connection until its jobs are done. Gives how it ended when that was before it was up.
std::optional<ConnectionEnded> drive(net::Worker& worker, Endpoint& endpoint, Fetch& fetch,
                                     Session& session) {
  while (!fetch.is_done() && !(fetch.ended() && !fetch.was_connected())) {
    const net::Worker::Turn turn = worker.turn(session.deadline);
    if (turn.error) fetch.abandon(fmt::format("the socket failed: {}", turn.error.message()));
    if (turn.signals > 0) {
      session.interrupted = true;
      fetch.abandon("interrupted");
    }
    if (session.deadline && turn.now >= *session.deadline) {
      fetch.abandon(fmt::format("not done within {} s (--timeout)", session.options.timeout_s));
    }
  }
  if (!fetch.is_done()) return fetch.ended();
  const TimePoint now = net::now();
  fetch.close(endpoint, now);
  worker.turn(now);  // sends the CONNECTION_CLOSE
  return std::nullopt;
}

// One try at one address. `budget`: what is left of the handshake's deadline. An error is about the machine,
// not the server.
std::expected<std::optional<ConnectionEnded>, std::string> fetch_from(const Address& remote,
                                                                      const std::vector<Job*>& jobs,
                                                                      Duration budget, Session& session) {
  auto socket = net::UdpSocket::connect(remote);
  if (!socket)
    return std::unexpected(fmt::format("cannot reach {}: {}", remote.to_string(), socket.error().message()));
  Endpoint endpoint{EndpointConfig{
      .server = {}, .server_credentials = nullptr, .sinks = session.sinks, .seed = std::nullopt}};
  ConnectionConfig config = to_config(session.options.transport);
  config.handshake_timeout = std::max<Duration>(budget, milliseconds{1});
  const ConnectionHandle connection = endpoint.connect(
      socket->local_address(), remote, jobs.front()->url.host, session.credentials, config, net::now());
  Fetch fetch{connection, jobs, session.tally, session.progress};
  net::Worker worker{endpoint, fetch, *socket};
  if (const auto error = worker.watch_termination()) {
    return std::unexpected(fmt::format("cannot watch for signals: {}", error.message()));
  }
  return drive(worker, endpoint, fetch, session);
}

void fail_all(const std::vector<Job*>& jobs, const std::string& error) {
  for (Job* job : jobs) {
    if (job->is_done) continue;
    job->is_done = true;
    job->error = error;
  }
}

// Tries the addresses of a host in turn until one answers.
void fetch_from_host(const std::vector<Job*>& jobs, Session& session) {
  const Url& url = jobs.front()->url;
  const auto addresses = net::resolve(url.host, url.port);
  if (!addresses || addresses->empty()) {
    return fail_all(jobs,
                    fmt::format("cannot find the host '{}': {}; check the spelling and the network", url.host,
                                addresses ? "it has no address" : addresses.error().message()));
  }
  const TimePoint start = net::now();
  std::string error;
  for (const Address& remote : *addresses) {
    const Duration left = kHandshakeDeadline - (net::now() - start);
    if (left <= Duration{0}) break;
    const auto ended = fetch_from(remote, jobs, left, session);
    if (ended && !*ended) return;
    error = ended ? explain_failure(**ended, url.host, remote, kHandshakeDeadline) : ended.error();
    if (ended && !is_worth_another_address(**ended)) break;
  }
  fail_all(jobs, error);
}

// Equal errors of one host are told once.
void tell_errors(const std::vector<Job>& jobs) {
  std::set<std::string> told;
  for (const Job& job : jobs) {
    if (job.error.empty() || !told.insert(job.url.authority() + job.error).second) continue;
    say_error("{}: {}", job.url.text, job.error);
  }
}

void tell_summary(const Tally& tally, TimePoint now) {
  const Transferred& t = tally.transferred;
  const Duration elapsed = now - tally.start;
  fmt::print(stderr, "quell: {} file{}, {} bytes in {:.3f} s ({})\n", t.files_done,
             t.files_done == 1 ? "" : "s", t.bytes, to_seconds(elapsed), human_rate(t.bytes, elapsed));
}

int run(const Options& options) {
  std::vector<Url> urls;
  urls.reserve(options.urls.size());
  for (const std::string& text : options.urls) urls.push_back(*parse_url(text));
  if (const auto error = find_usage_error(options, urls)) {
    say_error("{}. Run 'quell get --help' for more information.", *error);
    return kUsage;
  }
  const auto credentials = make_credentials(options);
  const auto sinks = make_sinks(options.transport);
  if (!credentials || !sinks) {
    say_error("{}", credentials ? sinks.error() : credentials.error());
    return kFailed;
  }

  std::vector<Job> jobs;
  jobs.reserve(urls.size());
  for (const Url& url : urls) jobs.push_back(make_job(options, url));
  std::map<std::string, std::vector<Job*>> by_host;
  for (Job& job : jobs) by_host[job.url.authority()].push_back(&job);

  const TimePoint start = net::now();
  Session session{.options = options,
                  .credentials = *credentials,
                  .sinks = *sinks,
                  .progress = Progress{!options.quiet && ::isatty(STDERR_FILENO) == 1},
                  .tally = {.transferred = {.files = jobs.size()}, .start = start},
                  .deadline = std::nullopt};
  if (options.timeout_s > 0) session.deadline = start + from_seconds(options.timeout_s);
  for (auto& [authority, of_host] : by_host) {
    if (session.interrupted) {
      fail_all(of_host, "interrupted");
    } else {
      fetch_from_host(of_host, session);
    }
  }
  session.progress.clear();
  tell_errors(jobs);
  if (!options.quiet) tell_summary(session.tally, net::now());
  return std::ranges::all_of(jobs, [](const Job& job) { return job.error.empty(); }) ? kFine : kFailed;
}

}  // namespace

void add_get_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("get", "Fetch URLs over HTTP/3");
  command->footer(kExamples);
  command->add_option("URL", options->urls, "What to fetch; URLs of one server share a connection")
      ->required()
      ->check(CLI::Validator{check_url, ""});
  command->add_option("-o,--output", options->output, "Write to FILE; - is standard output, as is no -o")
      ->type_name("FILE");
  command->add_flag("-O,--remote-name", options->use_remote_names,
                    "Write to files named like the last part of each URL");
  command->add_flag("--discard", options->discard, "Keep nothing, for measurements");
  command->add_option("--ca", options->ca, "Trust only the authorities in FILE, PEM, instead of the system's")
      ->type_name("FILE");
  command->add_flag("--insecure", options->insecure, "Do not check the server's certificate");
  command->add_flag("-q,--quiet", options->quiet, "No progress and no summary; errors are still told");
  command->add_option("--timeout", options->timeout_s, "Give up after SECONDS; 0: never")
      ->type_name("SECONDS")
      ->check(CLI::NonNegativeNumber);
  add_transport_options(*command, options->transport);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace quell::cli
