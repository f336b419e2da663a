#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "fiducial/base/child_process.h"
#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/server/app_server.h"

#include "command.h"

namespace fiducial::cli {

namespace {

struct ServeOptions {
  std::vector<std::string> paths;
  std::vector<std::string> volumes;
  std::int64_t port = 8017;
  std::int64_t memory_mib = 0;
  bool open = false;
};

Result<int> serve(const ServeOptions& options, Console& console) {
  install_stop_signals();
  LibraryOptions wanted{.paths = {options.paths.begin(), options.paths.end()},
                        .volumes = {options.volumes.begin(), options.volumes.end()},
                        .memory_bytes = static_cast<std::uint64_t>(options.memory_mib) << 20U};
  FIDUCIAL_TRY(const std::unique_ptr<Library> library, Library::open(wanted));
  console.note("serving " + decimal(library->datasets().size()) + " datasets and " +
               decimal(library->runs().size()) + " score folders; Ctrl+C ends it");
  FIDUCIAL_TRY_DONE(
      serve_library(*library, static_cast<std::uint16_t>(options.port), [&](std::uint16_t port) {
        console.print("http://127.0.0.1:" + decimal(port) + "/\n");
        std::fflush(stdout);  // who starts it through a pipe waits for this line
      }));
  return 0;
}

}  // namespace

Command serve_command() {
  return {.name = "serve",
          .summary = "Look at datasets, cases and scores in a browser on this machine",
          .example = "fiducial serve rexgroundingct/ scores/ predictions/ --open",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<ServeOptions>();
            verb.add_option("PATH", options->paths,
                            "Datasets, score folders, predictions that were scored, and folders above them")
                ->required();
            verb.add_option(
                "--volumes", options->volumes,
                "Folder of CTs, as score takes it (default: volumes/ of a dataset); may be repeated");
            verb.add_option("--port", options->port, "Port on loopback (0: one that is free)")
                ->check(Range(0, 65535))
                ->capture_default_str();
            verb.add_option("--memory", options->memory_mib,
                            "MiB for decoded CTs (0: an eighth of the machine's memory)")
                ->check(Range(0, 1'048'576))
                ->capture_default_str();
            verb.add_flag("--open", options->open, "Open the page in a browser");
            return [options](Console& console) { return serve(*options, console); };
          }};
}

}  // namespace fiducial::cli
