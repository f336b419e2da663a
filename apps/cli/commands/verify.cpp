#include <memory>
#include <string>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/eval/folder/verification.h"
#include "fiducial/tasks/all_tasks.h"

#include "command.h"
#include "task_arguments.h"

namespace fiducial::cli {

namespace {

struct VerifyOptions {
  std::string scores;
  std::string dataset;
  std::string predictions;
  TaskArguments files;
  int threads = 0;
  bool json = false;
};

Result<int> verify(const VerifyOptions& options, Console& console) {
  install_stop_signals();
  FIDUCIAL_TRY(const Json plan, read_plan(options.scores));
  FIDUCIAL_TRY(const Task* task, task_of_plan(plan));
  const TaskRequest inputs{
      .dataset = options.dataset, .predictions = options.predictions, .values = options.files.values()};
  FIDUCIAL_TRY(const Verification found,
               verify_scores(options.scores, *task, inputs, Executor(options.threads), console));
  if (options.json) {
    console.print(found.json().pretty());
  } else {
    for (const std::string& line : found.changed_inputs) console.print("changed input: " + line + "\n");
    for (const std::string& line : found.changed_outputs) console.print("changed output: " + line + "\n");
    if (found.agrees()) console.print("verified: " + decimal(found.files_compared) + " files agree\n");
  }
  return found.agrees() ? 0 : exit_status(ErrorCode::integrity);
}

}  // namespace

Command verify_command() {
  return {
      .name = "verify",
      .summary = "Score again and compare every hash and output with a score folder",
      .example = "fiducial verify scores/ rexgroundingct/ predictions/",
      .define = [](Verb verb) -> CommandBody {
        auto options = std::make_shared<VerifyOptions>();
        verb.add_option("OUT", options->scores, "Folder written by score or merge")->required();
        verb.add_option("DIR", options->dataset, "Dataset folder")->required();
        verb.add_option("PREDICTIONS", options->predictions, "Predictions that were scored")->required();
        options->files.declare(verb, TaskArguments::Which::files);
        verb.add_option("--threads", options->threads, "Threads (0: one per core)")->check(Range(0, 1024));
        verb.add_flag("--json", options->json, "Print the result as JSON");
        return [options](Console& console) { return verify(*options, console); };
      }};
}

}  // namespace fiducial::cli
