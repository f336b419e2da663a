#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <new>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <malloc.h>

#include "fiducial/base/error_json.h"
#include "fiducial/base/store.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/base/unfinished_paths.h"
#include "fiducial/base/version.h"
#include "fiducial/stores/arrow_store.h"

#include "cache_options.h"
#include "command.h"
#include "console.h"
#include "exit_statuses.h"
#include "help_formatter.h"
#include "usage_error.h"

namespace fiducial::cli {
namespace {

// Whether errors are told to a program: where --json was typed, or FIDUCIAL_ERRORS asks for it.
bool tells_json(const std::vector<std::string>& words) {
  const char* const asked = std::getenv("FIDUCIAL_ERRORS");
  return (asked != nullptr && std::string_view(asked) == "json") ||
         std::find(words.begin(), words.end(), "--json") != words.end();
}

// How errors of what was typed are told.
class Complaints {
 public:
  Complaints(Console& console, std::vector<std::string> words)
      : console_(console), words_(std::move(words)), as_json_(tells_json(words_)) {}

  int report(const Error& error) const {
    const std::string advice = advice_on(error);
    if (as_json_) {
      console_.tell(error_json(error, advice));
    } else {
      console_.note("error: " + error.text() + advice);
    }
    return exit_status(error.code());
  }

  int report_usage(const std::string& message, const std::string& verb) const {
    const int status = report(bad_usage(message));
    if (!as_json_) console_.note("'" + verb + " --help' shows what it takes");
    return status;
  }

 private:
  // What may have been meant by a path that was typed; a file that a dataset names and lacks is no slip of
  // the fingers.
  std::string advice_on(const Error& error) const {
    const std::string& path = error.place().path;
    const bool is_typed = std::any_of(words_.begin(), words_.end(), [&path](const std::string& word) {
      return word == path || word.ends_with("=" + path);
    });
    return is_typed ? path_advice(error) : "";
  }

  Console& console_;
  std::vector<std::string> words_;
  bool as_json_;
};

// The only verb that declares its options: the one that was typed, unless it shows what others take. The
// hundreds of options of the others would take a third of the time of a short command.
const Command* only_verb(const std::vector<Command>& commands, const std::string& typed) {
  for (const Command& command : commands) {
    if (command.name == typed) return command.shows_others ? nullptr : &command;
  }
  return nullptr;
}

// Every verb on the app; the one that is typed fills chosen.
void define_verbs(CLI::App& app, const std::string& typed, CommandBody& chosen) {
  app.formatter(help_formatter());
  app.set_version_flag("-V,--version", std::string("fiducial ") + tool_version);
  app.require_subcommand(1);
  app.footer("'fiducial help VERB' shows a verb's options and an example.\n\n" + std::string(cache_help) +
             "\n\n" + exit_status_table());
  const std::vector<Command> commands = all_commands();
  const Command* only = only_verb(commands, typed);
  for (const Command& command : commands) {
    CLI::App* verb = app.add_subcommand(command.name, command.summary);
    verb->footer("Example:\n  " + command.example +
                 "\n\nExit status: 0 done; 'fiducial help' lists the others.");
    verb->group(command.heading);
    if (only != nullptr && only != &command) continue;
    CommandBody body = command.define(Verb(verb));
    verb->callback([&chosen, body] { chosen = body; });
  }
}

// What was typed, with URLs of the file system as the paths they stand for: "file:///ct",
// "--volumes=file:///ct".
Result<std::vector<std::string>> with_local_paths(std::vector<std::string> words) {
  for (std::string& word : words) {
    const std::size_t at = word.find("file://");
    if (at != 0 && (at == std::string::npos || word[at - 1] != '=')) continue;
    FIDUCIAL_TRY(const Path path, local_path(word.substr(at)));
    word = word.substr(0, at) + path.string();
  }
  return words;
}

// A status that standard output has its say in: numbers that did not arrive are no success.
int finished(Console& console, const Complaints& complaints, int status) {
  const Outcome outcome = console.finish();
  if (outcome.ok()) return status;
  const int refused = complaints.report(outcome.error());
  return status == 0 ? refused : status;
}

// A standard stream that is closed would be the first file that is opened, and have messages written into it.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Reading the standard output or writing to the standard input stays the error that it was.
    if (::fcntl(stream, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY));
  }
}

int run(int argc, const char* const* argv) {
  Console console;
  CLI::App app("Fiducial: build, check, score and show grounded radiology benchmarks.", "fiducial");
  CommandBody chosen;
  const Complaints about_typed(console, {argv + 1, argv + argc});
  const Result<std::vector<std::string>> typed_words = with_local_paths({argv + 1, argv + argc});
  if (!typed_words.ok()) return about_typed.report(typed_words.error());
  const Result<std::vector<std::string>> other_words = without_cache_options(*typed_words);
  if (!other_words.ok()) return about_typed.report(other_words.error());
  const std::vector<std::string>& words = *other_words;
  const Complaints complaints(console, words);
  define_verbs(app, words.empty() ? "" : words.front(), chosen);
  const TypedVerb typed = typed_verb(Verb(&app), words);
  // A verb that is only a list of verbs shows them.
  if (!typed.verb.subcommands().empty() && typed.words == words.size()) {
    console.print(typed.verb.help_text());
    return 0;
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them from the back
  } catch (const CLI::Success& success) {
    return finished(console, complaints, app.exit(success));
  } catch (const CLI::ParseError& error) {
    return complaints.report_usage(usage_error(Verb(&app), words, error.what()), typed.verb.full_name());
  }
  Result<int> status = chosen(console);
  return finished(console, complaints, status.ok() ? *status : complaints.report(status.error()));
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
  fiducial::install_cleanup_signals();
  fiducial::use_arrow_stores(fiducial::cli::cache_of_environment());
  try {
    return fiducial::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "internal error: %s\n", exception.what());
  }
  return fiducial::exit_status(fiducial::ErrorCode::internal);
}
