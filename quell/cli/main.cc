// `quell`: one program, one command for each thing that the house can do.
#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>

#include "quell/cli/exit_code.h"
#include "quell/cli/get_command.h"
#include "quell/cli/lab_command.h"
#include "quell/cli/serve_command.h"

namespace {

constexpr const char* kAbout =
    "quell: QUIC and HTTP/3 whose congestion control can be watched, tested and trusted.";
constexpr const char* kExamples = R"(Examples:
  quell serve --dev --root .                                        a server to try things on
  quell get --insecure -O https://127.0.0.1:4433/README.md          fetch a file from it
  quell lab run collapse-recovery --cc cubic,cubic-quiche-2020      a controller and its historic bug, side by side

'quell COMMAND --help' explains each. Exit codes: 0 fine, 1 the work failed, 2 wrong usage.)";

}  // namespace

int main(int argc, char** argv) try {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of a write, told with its file
  int exit_code = quell::cli::kFine;
  CLI::App app{kAbout, "quell"};
  app.footer(kExamples);
  app.set_version_flag("--version", "quell 0.1.0");
  app.require_subcommand(1);
  quell::cli::add_serve_command(app, exit_code);
  quell::cli::add_get_command(app, exit_code);
  quell::cli::add_lab_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool is_answer = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
    app.exit(error);
    return is_answer ? quell::cli::kFine : quell::cli::kUsage;
  }
  return exit_code;
} catch (const std::exception& error) {
  quell::cli::say_error("{}", error.what());
  return quell::cli::kFailed;
}
