#include "fiducial/eval/task/task.h"

#include "fiducial/base/case_budget.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/datasets/model_run.h"
#include "fiducial/eval/inputs/asked_run.h"
#include "fiducial/eval/task/task_call.h"

namespace fiducial {

namespace {

constexpr const char* what_is_scored = "What is scored";
constexpr const char* how_it_is_scored = "How it is scored";

// What the prediction for one case may cost; see base/case_budget.h.
std::vector<TaskOption> limit_options() {
  const CaseLimits usual;
  const auto option = [](const char* name, const char* help, std::int64_t fallback) {
    return TaskOption{.name = name,
                      .help = help,
                      .kind = TaskOption::Kind::integer,
                      .fallback = decimal(fallback),
                      .least = 1,
                      .most = 9e15,
                      .heading = "Limits of a submission"};
  };
  return {
      option("max-runs", "Changes of label along the rows of a mask file; beyond it the case fails",
             usual.runs),
      option("max-components", "Connected components of a mask; beyond it the case fails", usual.components),
      option("max-decoded-mib", "MiB of a mask file without its compression; beyond it the case fails",
             usual.decoded_mib),
      option("max-case-seconds", "Processor time of a case; beyond it the case fails", usual.seconds)};
}

std::string metrics_help(const Task& task) { return "Metric ids or groups: " + joined(task.metrics); }

}  // namespace

std::vector<TaskOption> options_of(const Task& task) {
  using Kind = TaskOption::Kind;
  std::vector<TaskOption> out{
      {.name = "split",
       .help = "Split to score (default: the benchmark's test split)",
       .heading = what_is_scored},
      {.name = "cases",
       .help = "Text file with one case per line: scores only these, and every one of them counts",
       .kind = Kind::path,
       .heading = what_is_scored},
      {.name = "system",
       .help = "Name of the system (default: the predictions' name)",
       .heading = what_is_scored}};
  if (task.has_official) {
    out.push_back({.name = "mode",
                   .help = "Rules to score by: ours, those of the published scorer, or both side by side",
                   .fallback = "both",
                   .choices = {"both", "strict", "official"},
                   .heading = how_it_is_scored});
  }
  if (!task.metrics.empty())
    out.push_back(
        {.name = "metrics", .help = metrics_help(task), .kind = Kind::texts, .heading = how_it_is_scored});
  out.push_back({.name = "group-by",
                 .help =
                     "Kinds of groups, and columns of the metadata to group by, e.g. PatientSex,PatientAge; "
                     "edges make bins of numbers: ZSpacing:1:2.5",
                 .kind = Kind::texts,
                 .heading = how_it_is_scored});
  out.push_back(
      {.name = "metadata",
       .help = "CSV of facts about the cases (default: the one *metadata*.csv of the folder of volumes, "
               "else of DIR)",
       .kind = Kind::path,
       .heading = how_it_is_scored});
  out.push_back({.name = "seed",
                 .help = "Seed of the intervals",
                 .kind = Kind::integer,
                 .fallback = "0",
                 .least = 0,
                 .most = 9.3e18,
                 .heading = how_it_is_scored});
  out.push_back({.name = "resamples",
                 .help = "Resamples behind the intervals",
                 .kind = Kind::integer,
                 .fallback = decimal(task.resamples),
                 .least = 100,
                 .most = 1e7,
                 .heading = how_it_is_scored});
  out.insert(out.end(), task.options.begin(), task.options.end());
  if (!task.reads_masks) return out;
  for (TaskOption& option : limit_options()) out.push_back(std::move(option));
  return out;
}

Result<std::vector<TaskCase>> list_cases(const Task& task, const TaskRequest& request) {
  SilentProgress progress;
  const Executor executor(1);
  FIDUCIAL_TRY(const TaskCall call, TaskCall::begin(task, request, executor, progress));
  return task.cases(call);
}

namespace {

// How a model was asked, beside what the task itself says of that.
void tell_how_asked(const Json& manifest, const TaskCall& call, ScoreRun& run) {
  if (manifest.is_null()) return;
  Json asked = asked_json(manifest);
  if (const Json* more = run.common.find("asked")) {
    for (const auto& [name, value] : *more->as_object()) asked.set(name, value);
  }
  run.common.set("asked", std::move(asked));
  for (const std::string& note : notes_of_run(manifest))
    run.remarks.push_back({call.predictions_name(), "model_run", note, Remark::Kind::note});
}

}  // namespace

Outcome conclude_task(const Task& task, ScoreRun& run) {
  FIDUCIAL_TRY_DONE(task.conclude(run));
  if (const Json* asked = run.common.find("asked"))
    run.blocks.push_back({"asked", *asked, static_cast<std::int64_t>(run.cases.size())});
  return done();
}

Result<ScoreRun> score_task(const Task& task, const TaskRequest& request, const Executor& executor,
                            Progress& progress) {
  FIDUCIAL_TRY(TaskCall call, TaskCall::begin(task, request, executor, progress));
  FIDUCIAL_TRY(const Json model_run, manifest_of_run(call.predictions()));
  Result<ScoreRun> scored = task.score(call);
  if (!scored.ok() && !stops_a_run(scored.error())) call.forget_pieces();
  FIDUCIAL_TRY(ScoreRun run, std::move(scored));
  FIDUCIAL_TRY_DONE(call.finish(run));
  tell_how_asked(model_run, call, run);
  sort_remarks(run);
  if (!request.shard && !request.part) FIDUCIAL_TRY_DONE(conclude_task(task, run));
  return run;
}

}  // namespace fiducial
