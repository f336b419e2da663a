#include <memory>
#include <string>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/curate/all_stages.h"

#include "command.h"
#include "curate_arguments.h"

namespace fiducial::cli {

namespace {

struct CurateOptions {
  CurateArguments arguments;
  std::string output;
  bool overwrite = false;
  bool json = false;
};

Result<int> curate(const CurateOptions& options, Console& console) {
  install_stop_signals();
  StageRequest request = options.arguments.request();
  request.output = options.output;
  request.overwrite = options.overwrite;
  FIDUCIAL_TRY(const StageOutcome outcome, run_stage(*options.arguments.stage, request, console));
  if (outcome.unanswered == 0 && outcome.resumed > 0)
    console.note("went on after " + decimal(outcome.resumed) + " items of an earlier run");
  return say_stage_outcome(options.arguments, outcome, {options.output, options.json}, console);
}

void define_stage(Verb verb, const Stage& stage, CurateOptions& options) {
  options.arguments.declare(verb, stage);
  verb.add_option(
          "-o,--output", options.output,
          stage.writes_folder
              ? "Folder to write"
              : (stage.writes_file ? "File to write" : "File (.json, .jsonl, .csv, .txt) or folder to write"))
      ->required();
  verb.add_flag("--overwrite", options.overwrite, "Replace an earlier output");
  verb.add_flag("--json", options.json, "Print the manifest as JSON");
  verb.footer("Example:\n  " + stage.example);
  verb.heading("Stages");
}

}  // namespace

Command curate_command() {
  return {.name = "curate",
          .summary = "Build a benchmark, stage by stage",
          .example = "fiducial curate options cases.json -o pruned.json --seed 42",
          .define = [](Verb verb) -> CommandBody {
            auto chosen = std::make_shared<std::shared_ptr<CurateOptions>>();
            verb.require_subcommand();
            for (const Stage& stage : all_stages()) {
              auto options = std::make_shared<CurateOptions>();
              const Verb sub = verb.add_subcommand(stage.name, stage.summary);
              define_stage(sub, stage, *options);
              sub.callback([chosen, options] { *chosen = options; });
            }
            return [chosen](Console& console) { return curate(**chosen, console); };
          }};
}

}  // namespace fiducial::cli
