#include <memory>
#include <string>

#include "fiducial/base/executor.h"
#include "fiducial/datasets/check_dataset.h"

#include "check_arguments.h"
#include "command.h"

namespace fiducial::cli {

namespace {

struct CheckOptions {
  CheckArguments arguments;
  int threads = 0;
  bool json = false;
};

Result<int> check(const CheckOptions& options, Console& console) {
  FIDUCIAL_TRY(const LintReport report,
               check_dataset(options.arguments.request(), Executor(options.threads), console));
  if (options.json) {
    console.print(report.json().pretty());
  } else {
    console.show(lint_table(report));
  }
  return report.has_errors() ? exit_status(ErrorCode::invalid_data) : 0;
}

}  // namespace

Command check_command() {
  return {.name = "check",
          .summary = "Validate a dataset and a submission against the benchmark's rules",
          .example = "fiducial check rexgroundingct/ --predictions submission.zip --volumes ct-rate/",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<CheckOptions>();
            options->arguments.declare(verb);
            verb.add_option("--threads", options->threads, "Threads (0: one per core)")
                ->check(Range(0, 1024))
                ->capture_default_str();
            verb.add_flag("--json", options->json, "Print the report as JSON");
            return [options](Console& console) { return check(*options, console); };
          }};
}

}  // namespace fiducial::cli
