#include <memory>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/eval/folder/shard_folder.h"
#include "fiducial/eval/task/case_journal.h"
#include "fiducial/pages/run_page.h"
#include "fiducial/tasks/all_tasks.h"

#include "challenge_scores.h"
#include "command.h"
#include "failure_budget.h"
#include "score_arguments.h"
#include "score_outputs.h"

namespace fiducial::cli {

namespace {

struct ScoreOptions {
  ScoreArguments asked;
  std::string output;
  std::string shard;
  int threads = 0;
  bool overwrite = false;
  bool json = false;
  bool is_challenge = false;   // PREDICTIONS is the input of an evaluation on grand-challenge.org
  std::string challenge_path;  // its output; scores lie below it
};

Result<TaskRequest> request_of(const ScoreOptions& options) {
  TaskRequest out = options.asked.request();
  if (!options.asked.is_private)
    out.journal = journal_path(options.output);  // it holds the scores of single cases
  if (options.shard.empty()) return out;
  if (options.asked.is_private)
    return bad_usage("--private and --shard: a shard holds the scores of single cases");
  FIDUCIAL_TRY(out.shard, Shard::parse(options.shard));
  return out;
}

Result<int> score(const ScoreOptions& options, Console& console) {
  FIDUCIAL_TRY(const TaskRequest request, request_of(options));
  FIDUCIAL_TRY_DONE(allowed_failures(options.asked.max_failures, 0));
  FIDUCIAL_TRY(const Task* task, choose_task(request.dataset, request.predictions, options.asked.task));
  FIDUCIAL_TRY_DONE(check_output(options.output, options.overwrite));
  FIDUCIAL_TRY(OutputLock lock, OutputLock::take(options.output));
  ScoreOutput output{.folder = options.output,
                     .overwrite = options.overwrite,
                     .is_private = options.asked.is_private,
                     .min_group = options.asked.min_group,
                     .lock = std::make_shared<OutputLock>(std::move(lock)),
                     .more = {}};
  const Executor executor(options.threads);
  FIDUCIAL_TRY(const ScoreRun run, score_task(*task, request, executor, console));
  if (request.shard) {
    FIDUCIAL_TRY_DONE(write_shard(run, *request.shard, output));
    console.note("shard " + request.shard->text() + ": " + decimal(run.cases.size()) + " cases in " +
                 options.output + "; 'fiducial merge' puts shards together");
    if (options.json) {
      FIDUCIAL_TRY(const std::string written, read_text_file(Path(options.output) / "shard.json"));
      console.print(written);
    }
    return 0;
  }
  const auto volumes = request.values.find("volumes");
  if (!options.asked.no_report) {
    output = with_page(
        std::move(output),
        {request.dataset, request.predictions,
         volumes == request.values.end() ? std::nullopt : std::optional<Path>(volumes->second.front()),
         options.threads});
  }
  FIDUCIAL_TRY(const Json summary, write_scores(run, output, executor));
  if (options.is_challenge)
    FIDUCIAL_TRY_DONE(
        write_challenge_metrics(options.challenge_path, summary, run, options.asked.is_private));
  if (!options.asked.is_private) say_remarks(run, console);
  if (options.json) {
    console.print(summary.pretty());
  } else {
    console.show(card_of(summary, request.values, console.width()));
  }
  say_score_outputs(options.output, console);
  return status_by_failures(options.asked.max_failures, run, console);
}

// Of an evaluation on grand-challenge.org: its output is there already, so the scores lie in a folder below
// it.
Result<int> score_challenge(ScoreOptions options, Console& console) {
  if (!options.shard.empty()) return bad_usage("--grand-challenge and --shard: an evaluation is one run");
  options.challenge_path = options.output;
  options.output = (Path(options.output) / "scores").string();
  FIDUCIAL_TRY_DONE(check_output(options.output, options.overwrite));
  FIDUCIAL_TRY(const StagedFolder gathered,
               StagedFolder::create(Path(options.challenge_path) / "predictions", "", false));
  FIDUCIAL_TRY(const ChallengePredictions found,
               gather_challenge_predictions(options.asked.predictions, gathered.staging() / "submission"));
  console.note(decimal(found.jobs) + " jobs, " + decimal(found.failed) + " of them failed");
  options.asked.predictions = found.path.string();
  return score(options, console);
}

void define_outputs(Verb verb, ScoreOptions& options) {
  constexpr const char* heading = "What is written";
  verb.add_flag("--overwrite", options.overwrite, "Replace an earlier output folder")->heading(heading);
  verb.add_flag("--json", options.json, "Print the summary as JSON; of a shard what shard.json holds")
      ->heading(heading);
}

void define_run(Verb verb, ScoreOptions& options) {
  constexpr const char* heading = "How the run is carried out";
  verb.add_option("--shard", options.shard,
                  "Score only part i of n of the cases, e.g. 0/16; see 'fiducial merge'")
      ->heading(heading);
  verb.add_option("--threads", options.threads, "Threads (0: one per core)")
      ->check(Range(0, 1024))
      ->capture_default_str()
      ->heading(heading);
}

void define_score(Verb verb, ScoreOptions& options) {
  options.asked.declare(verb);
  verb.add_option("-o,--output", options.output, "Folder to write the scores to")->required();
  verb.add_flag(
      "--grand-challenge", options.is_challenge,
      "PREDICTIONS is the /input of an evaluation on grand-challenge.org; -o gets metrics.json and scores/");
  define_run(verb, options);
  define_outputs(verb, options);
}

}  // namespace

Command score_command() {
  return {.name = "score",
          .summary = "Score predictions against a dataset",
          .example = "fiducial score rexgroundingct/ predictions/ -o scores/ --volumes ct-rate/",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<ScoreOptions>();
            define_score(verb, *options);
            verb.before_help([verb, options] { options->asked.show(verb); });
            return [options](Console& console) {
              install_stop_signals();
              return options->is_challenge ? score_challenge(*options, console) : score(*options, console);
            };
          }};
}

}  // namespace fiducial::cli
