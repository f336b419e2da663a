#include <csignal>
#include <exception>
#include <fcntl.h>
#include <new>
#include <string>
#include <unistd.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <malloc.h>

#include "command.h"
#include "console.h"

namespace fiducial::cli {
namespace {

int report(Console& console, const Error& error) {
  console.note("error: " + error.text());
  return exit_status(error.code());
}

// A status that standard output has its say in: numbers that did not arrive are no success.
int finished(Console& console, int status) {
  const Outcome outcome = console.finish();
  if (outcome.ok()) return status;
  const int refused = report(console, outcome.error());
  return status == 0 ? refused : status;
}

// A standard stream that is closed would be the first file that is opened, and have messages written into it.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Reading the standard output or writing to the standard input stays the error that it was.
    if (::fcntl(stream, F_GETFD) < 0) static_cast<void>(::open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY));
  }
}

int run(int argc, const char* const* argv) {
  Console console;
  CLI::App app("Fiducial: build, check, score and show grounded radiology benchmarks.", "fiducial");
  app.set_version_flag("--version", "fiducial " FIDUCIAL_VERSION);
  app.require_subcommand(1);
  app.footer("'fiducial VERB --help' shows a verb's options and an example.");
  CommandBody chosen;
  for (const Command& command : all_commands()) {
    CLI::App* verb = app.add_subcommand(command.name, command.summary);
    verb->footer("Example:\n  " + command.example);
    CommandBody body = command.define(Verb(verb));
    verb->callback([&chosen, body] { chosen = body; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return finished(console, app.exit(success));
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return exit_status(ErrorCode::bad_usage);
  }
  Result<int> status = chosen(console);
  return finished(console, status.ok() ? *status : report(console, status.error()));
}

}  // namespace
}  // namespace fiducial::cli

int main(int argc, char** argv) {
  // Large blocks go straight back to the system: else the heap grows with the number of cases that passed
  // through it.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  // A file that may not grow is an error like any other, with a message and a status.
  std::signal(SIGXFSZ, SIG_IGN);
  fiducial::cli::occupy_closed_streams();
  try {
    return fiducial::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "internal error: %s\n", exception.what());
  }
  return fiducial::exit_status(fiducial::ErrorCode::internal);
}
