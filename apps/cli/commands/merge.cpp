#include <memory>
#include <string>
#include <vector>

#include "fiducial/eval/folder/shard_folder.h"
#include "fiducial/pages/run_page.h"
#include "fiducial/tasks/all_tasks.h"
#include "fiducial/terminal/scorecard.h"

#include "command.h"
#include "opened_job.h"
#include "score_outputs.h"

namespace fiducial::cli {

namespace {

struct MergeOptions {
  std::vector<std::string> shards;
  std::string output;
  std::string dataset;
  std::string predictions;
  std::string volumes;
  int threads = 0;
  bool overwrite = false;
  bool json = false;
};

// Whether there is enough to make report.html from: everything or nothing is named.
Result<bool> wants_report(const MergeOptions& options) {
  if (options.dataset.empty() != options.predictions.empty())
    return bad_usage("the report needs both --data and --predictions");
  if (options.dataset.empty() && !options.volumes.empty())
    return bad_usage("--volumes is for the report, which needs --data and --predictions too");
  return !options.dataset.empty();
}

Result<int> merge_job(const MergeOptions& options, Console& console) {
  if (!options.dataset.empty() || !options.predictions.empty() || !options.volumes.empty())
    return bad_usage("--data, --predictions and --volumes are for shards: a job knows them");
  FIDUCIAL_TRY(const std::unique_ptr<OpenedJob> job,
               OpenedJob::open(options.shards.front(), options.threads, console));
  FIDUCIAL_TRY_DONE(job->check_inputs());
  FIDUCIAL_TRY(const int status,
               job->verb().merge(job->job(), {options.output, options.overwrite, options.json}));
  job->folder().forget_leftovers();
  return status;
}

Result<int> merge(const MergeOptions& options, Console& console) {
  if (options.shards.size() == 1 && is_job(options.shards.front())) return merge_job(options, console);
  FIDUCIAL_TRY(const bool reported, wants_report(options));
  const std::vector<Path> folders(options.shards.begin(), options.shards.end());
  FIDUCIAL_TRY(const ScoreRun run, merge_shards(folders, find_task));
  ScoreOutput output{
      .folder = options.output, .overwrite = options.overwrite, .is_private = false, .more = {}};
  if (reported) {
    PageSources sources{options.dataset, options.predictions, std::nullopt, options.threads};
    if (!options.volumes.empty()) sources.volumes = options.volumes;
    output = with_page(std::move(output), sources);
  } else {
    console.note("no report.html: it needs --data and --predictions (and --volumes, where there are CTs)");
  }
  FIDUCIAL_TRY(const Json summary, write_scores(run, output, Executor(options.threads)));
  if (options.json) {
    console.print(summary.pretty());
  } else {
    console.show(scorecard(summary, console.width()));
  }
  say_score_outputs(options.output, console);
  return 0;
}

}  // namespace

Command merge_command() {
  return {
      .name = "merge",
      .summary = "Merge the units of a job, or the shards of one run",
      .example =
          "fiducial merge -o scores/ shard_0/ shard_1/ shard_2/ --data rexgroundingct/ "
          "--predictions predictions/",
      .define = [](Verb verb) -> CommandBody {
        auto options = std::make_shared<MergeOptions>();
        verb.add_option("SHARD", options->shards,
                        "Folder of a job (fiducial plan), or folders written by score --shard, in any order")
            ->required();
        verb.add_option("-o,--output", options->output, "Folder or file to write, as the verb itself would")
            ->required();
        verb.add_option("--data", options->dataset, "Dataset folder that was scored, for report.html");
        verb.add_option("--predictions", options->predictions,
                        "Predictions that were scored, for report.html");
        verb.add_option("--volumes", options->volumes, "Folder of the CT volumes, for report.html");
        verb.add_option("--threads", options->threads, "Threads (0: one per core)")
            ->check(Range(0, 1024))
            ->capture_default_str();
        verb.add_flag("--overwrite", options->overwrite, "Replace an earlier output folder");
        verb.add_flag("--json", options->json, "Print the summary as JSON");
        return [options](Console& console) { return merge(*options, console); };
      }};
}

}  // namespace fiducial::cli
