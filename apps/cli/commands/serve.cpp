#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <spawn.h>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/server/app_server.h"
#include "fiducial/server/site_copy.h"

#include "command.h"

namespace fiducial::cli {

namespace {

struct ServeOptions {
  std::vector<std::string> paths;
  std::vector<std::string> volumes;
  std::vector<std::string> organs;
  std::int64_t port = 8017;
  std::int64_t memory_mib = 0;
  bool open = false;
  std::string copy;
  bool overwrite = false;
  bool with_volumes = false;
};

// Starts the program of this desktop that opens pages; it outlives us. False where there is none.
bool open_page(std::string url) {
  std::string program = "xdg-open";
  const std::array<char*, 3> words{program.data(), url.data(), nullptr};
  posix_spawnattr_t apart;
  posix_spawnattr_init(&apart);
  posix_spawnattr_setflags(&apart, POSIX_SPAWN_SETSID);
  pid_t child = 0;
  const int refused = posix_spawnp(&child, program.c_str(), nullptr, &apart, words.data(), environ);
  posix_spawnattr_destroy(&apart);
  return refused == 0;
}

Result<int> write_copy(const ServeOptions& options, Library& library, Console& console) {
  FIDUCIAL_TRY(
      const SiteCopyReport report,
      write_site_copy(
          library, {.folder = options.copy, .overwrite = options.overwrite, .volumes = options.with_volumes},
          console));
  console.note("wrote " + decimal(report.files) + " files with " + decimal(report.cases) + " cases, " +
               decimal(report.bytes >> 20U) + " MiB; a web server of plain files shows them");
  if (report.comparisons_left_out > 0)
    console.warn("there are more pairs of runs than a copy holds: " + decimal(report.comparisons_left_out) +
                 " comparisons are left out");
  return 0;
}

Result<int> serve(const ServeOptions& options, Console& console) {
  install_stop_signals();
  if (options.copy.empty() && (options.overwrite || options.with_volumes))
    return bad_usage("--overwrite and --with-volumes belong to --export DIR");
  LibraryOptions wanted{.paths = {options.paths.begin(), options.paths.end()},
                        .volumes = {options.volumes.begin(), options.volumes.end()},
                        .organs = {options.organs.begin(), options.organs.end()},
                        .memory_bytes = static_cast<std::uint64_t>(options.memory_mib) << 20U};
  FIDUCIAL_TRY(const std::unique_ptr<Library> library, Library::open(wanted));
  if (!options.copy.empty()) return write_copy(options, *library, console);
  console.note("serving " + decimal(library->datasets().size()) + " datasets and " +
               decimal(library->runs().size()) + " score folders; Ctrl+C ends it");
  const Outcome served =
      serve_library(*library, static_cast<std::uint16_t>(options.port), [&](std::uint16_t port) {
        const std::string url = "http://127.0.0.1:" + decimal(port) + "/";
        console.print(url + "\n");
        std::fflush(stdout);  // whoever started the command waits for the address
        if (options.open && !open_page(url))
          console.warn("no program here opens pages (xdg-open); type the address into a browser");
      });
  if (!served.ok() && served.error().code() == ErrorCode::io)
    return Error(ErrorCode::io, served.error().message() + "; --port 0 takes a port that is free");
  FIDUCIAL_TRY_DONE(served);
  return 0;
}

}  // namespace

Command serve_command() {
  return {
      .name = "serve",
      .summary = "Look at datasets, cases and scores in a browser on this machine",
      .example = "fiducial serve rexgroundingct/ scores/ predictions/ --open",
      .define = [](Verb verb) -> CommandBody {
        auto options = std::make_shared<ServeOptions>();
        verb.add_option("PATH", options->paths,
                        "Datasets, score folders, predictions that were scored, and folders above them")
            ->required();
        verb.add_option("--volumes", options->volumes,
                        "Folder of CTs, as score takes it (default: volumes/ of a dataset); may be repeated");
        verb.add_option("--organs", options->organs,
                        "Folder or archive of organ masks (default: organs/ of a dataset); may be repeated");
        verb.add_option("--port", options->port, "Port on loopback (0: one that is free)")
            ->check(Range(0, 65535))
            ->capture_default_str();
        verb.add_option("--memory", options->memory_mib,
                        "MiB for decoded CTs (0: an eighth of the machine's memory)")
            ->check(Range(0, 1'048'576))
            ->capture_default_str();
        verb.add_flag("--open", options->open, "Open the page in a browser");
        verb.add_option("--export", options->copy,
                        "Write the pages as files for any web server to DIR, and end");
        verb.add_flag("--with-volumes", options->with_volumes,
                      "Export the CTs, too; their terms must allow that");
        verb.add_flag("--overwrite", options->overwrite, "Replace an earlier export");
        return [options](Console& console) { return serve(*options, console); };
      }};
}

}  // namespace fiducial::cli
