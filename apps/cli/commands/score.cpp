#include "fiducial/eval/score.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/eval/shard_folder.h"
#include "fiducial/pages/score_report.h"
#include "fiducial/report/scorecard.h"

#include "command.h"
#include "failure_budget.h"
#include "score_diagnostic.h"
#include "score_tasks.h"

namespace fiducial::cli {

namespace {

struct ScoreOptions {
  std::string dataset;
  std::string predictions;
  std::string output;
  std::string volumes;
  std::string ignored;
  std::string metadata;
  std::string labels = "auto";
  std::vector<std::string> group_by;
  double tolerance_mm = 1;
  std::vector<double> spacing_mm;
  std::string split;
  std::string system;
  std::string conformance;
  std::string mode = "both";
  std::string task;
  std::vector<std::string> metrics;
  AnswerOptions answers;
  std::string max_failures = "0";
  std::uint64_t seed = 0;
  int threads = 0;
  bool global_only = false;
  std::int64_t min_size = 10;
  int connectivity = 2;
  bool no_report = false;
  bool is_private = false;
  std::string shard;
  bool overwrite = false;
  bool json = false;
  std::optional<Verb> verb;  // knows which options were given
};

Result<ScoreRequest> request_of(const ScoreOptions& options) {
  ScoreRequest request;
  request.dataset = options.dataset;
  request.predictions = options.predictions;
  request.output = options.output;
  if (!options.volumes.empty()) request.volumes = options.volumes;
  if (!options.ignored.empty()) request.ignored = options.ignored;
  if (!options.metadata.empty()) request.metadata = options.metadata;
  request.group_by = options.group_by;
  if (options.labels != "auto") request.partial_labels = options.labels == "partial";
  request.tolerance_mm = options.tolerance_mm;
  if (!options.split.empty()) request.split = options.split;
  if (!options.system.empty()) request.system = options.system;
  FIDUCIAL_TRY(request.mode, parse_score_mode(options.mode));
  if (!options.conformance.empty()) request.conformance = options.conformance;
  request.metrics =
      options.metrics.empty() ? std::vector<std::string>{"dice", "hit", "instances"} : options.metrics;
  request.seed = options.seed;
  request.overwrite = options.overwrite;
  request.global_only = options.global_only;
  request.official_rules.min_voxels = options.min_size;
  constexpr Connectivity connectivities[] = {Connectivity::faces6, Connectivity::edges18,
                                             Connectivity::corners26};
  request.official_rules.connectivity = connectivities[options.connectivity - 1];
  request.resumable = !options.is_private;  // a journal holds the scores of single cases
  if (!options.shard.empty()) {
    FIDUCIAL_TRY(request.shard, Shard::parse(options.shard));
    if (options.is_private)
      return bad_usage("--private and --shard: a shard holds the scores of single cases");
  }
  return request;
}

// In private only counts are said; the names stay with whoever holds the truth.
std::int64_t say_what_failed(const ScoredRun& run, bool is_private, Console& console) {
  std::int64_t failures = 0;
  for (const CaseScore& scored : run.cases) {
    const bool by_official = run.plan.mode == ScoreMode::official;
    const CaseStatus status = by_official ? scored.official_status : scored.status;
    if (status != CaseStatus::scored) ++failures;
    if (is_private) continue;
    for (const Note& note : scored.notes) console.note(scored.name + ": " + note.text);
    if (status == CaseStatus::scored) continue;
    console.warn(std::string(to_string(status)) + ": " + scored.name + ": " +
                 (by_official ? scored.official_reason : scored.reason));
  }
  if (is_private) return failures;
  for (const std::string& name : run.unknown_files) console.warn("belongs to no case of the split: " + name);
  return failures;
}

ScoreOutput output_of(const ScoreOptions& options, const ScoreRequest& request, const ScoredRun& run) {
  ScoreOutput out{
      .folder = request.output, .overwrite = request.overwrite, .is_private = options.is_private, .more = {}};
  if (options.no_report) return out;
  const ReportInputs inputs{request.dataset, request.predictions, request.volumes};
  return with_report(out, {run, inputs, options.is_private}, options.threads);
}

// What a run ends with: its scorecard, and a status by how many cases failed.
Result<int> conclude(const ScoreOptions& options, const ScoredRun& run, const Json& summary,
                     Console& console) {
  const std::int64_t failures = say_what_failed(run, options.is_private, console);
  console.print(options.json ? summary.pretty() : scorecard(summary));
  FIDUCIAL_TRY(const std::int64_t allowed, allowed_failures(options.max_failures, run.cases.size()));
  if (failures <= allowed) return 0;
  console.warn(decimal(failures) + " of " + decimal(run.cases.size()) +
               " predictions missing or failed; --max-failures allows " + decimal(allowed));
  return exit_status(ErrorCode::too_many_failures);
}

// Options that mean nothing for what is scored are refused, never ignored.
Outcome refuse_given(const ScoreOptions& options, std::initializer_list<const char*> names,
                     const std::string& purpose) {
  std::string given;
  for (const char* name : names) {
    if (options.verb->given(name)) given += (given.empty() ? "" : ", ") + std::string(name);
  }
  if (given.empty()) return done();
  return bad_usage(given + ": only for " + purpose + ", which " + options.dataset + " is not");
}

// Answers to questions: options about masks make no sense there.
Result<int> score_answers(const ScoreOptions& options, Console& console) {
  if (!options.shard.empty()) {
    return bad_usage(
        "--shard: answers are scored whole, which takes seconds; CIDEr-D weighs words by all texts of a "
        "split. The slow part, a provider, can be shared out by itself (--components)");
  }
  FIDUCIAL_TRY_DONE(
      refuse_given(options,
                   {"--volumes", "--ignore", "--conformance", "--global-only", "--min-size", "--connectivity",
                    "--labels", "--metadata", "--tolerance-mm", "--task", "--spacing"},
                   "datasets with masks"));
  if (options.verb->given("--provider-timeout-s") && options.answers.provider.empty()) {
    return bad_usage("--provider-timeout-s: only with --provider");
  }
  FIDUCIAL_TRY(DiagnosticScoreRequest request, answer_request(options.answers));
  request.dataset = options.dataset;
  request.predictions = options.predictions;
  request.metrics = options.metrics;
  request.group_by = options.group_by;
  request.seed = options.seed;
  if (!options.split.empty()) request.split = options.split;
  if (!options.system.empty()) request.system = options.system;
  FIDUCIAL_TRY(request.mode, parse_score_mode(options.mode));
  const ScoreOutput output{
      .folder = options.output, .overwrite = options.overwrite, .is_private = options.is_private, .more = {}};
  return score_diagnostic(
      request, {output, options.max_failures, options.threads, !options.no_report, options.json}, console);
}

// Tables have texts, and masks beside them a grid and a tolerance; other tasks have not.
Outcome take_table_options(const ScoreOptions& options, TableScoreRequest& request) {
  if (!request.task.empty()) {
    return refuse_given(options, {"--volumes", "--tolerance-mm", "--spacing", "--wordnet"}, "tables");
  }
  if (!options.volumes.empty()) request.volumes = options.volumes;
  if (!options.answers.wordnet.empty()) request.wordnet = options.answers.wordnet;
  request.tolerance_mm = options.tolerance_mm;
  const std::vector<double>& mm = options.spacing_mm;
  if (mm.empty()) return done();
  if (mm.size() != 3) return bad_usage("--spacing takes three lengths: --spacing 1,1,3");
  request.spacing_mm = Vec3{mm[0], mm[1], mm[2]};
  return done();
}

// Answers to tables, with masks beside them, and grounded reports.
Result<int> score_task_files(const ScoreOptions& options, const std::string& task, Console& console) {
  FIDUCIAL_TRY_DONE(refuse_given(
      options,
      {"--ignore", "--shard", "--conformance", "--global-only", "--min-size", "--connectivity", "--labels",
       "--metadata", "--mode", "--group-by", "--baseline", "--components", "--provider",
       "--provider-timeout-s", "--verdicts", "--ratings", "--accept-equal-options"},
      "masks or answers to single questions"));
  TableScoreRequest request{.dataset = options.dataset, .predictions = options.predictions};
  request.task = task;
  FIDUCIAL_TRY_DONE(take_table_options(options, request));
  request.metrics = options.metrics;
  request.seed = options.seed;
  if (options.verb->given("--resamples")) request.resamples = options.answers.resamples;
  if (!options.split.empty()) request.split = options.split;
  if (!options.system.empty()) request.system = options.system;
  const ScoreOutput output{
      .folder = options.output, .overwrite = options.overwrite, .is_private = options.is_private, .more = {}};
  return score_tasks_and_tell(
      request, {output, options.max_failures, options.threads, !options.no_report, options.json}, console);
}

Result<int> score(const ScoreOptions& options, Console& console) {
  install_stop_signals();
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(options.dataset));
  if (adapter->open_questions != nullptr) return score_answers(options, console);
  const std::string task = options.task.empty() ? usual_task(options.predictions) : options.task;
  if (!task.empty() || adapter->open_tables != nullptr) return score_task_files(options, task, console);
  FIDUCIAL_TRY_DONE(
      refuse_given(options,
                   {"--baseline", "--components", "--provider", "--provider-timeout-s", "--verdicts",
                    "--ratings", "--wordnet", "--accept-equal-options", "--resamples", "--spacing"},
                   "answers to questions"));
  FIDUCIAL_TRY(const ScoreRequest request, request_of(options));
  FIDUCIAL_TRY_DONE(allowed_failures(options.max_failures, 0));
  FIDUCIAL_TRY_DONE(check_output(request));
  FIDUCIAL_TRY(const ScoredRun run, score_run(request, Executor(options.threads), console));
  if (request.shard) {
    FIDUCIAL_TRY_DONE(write_shard(run, *request.shard, request.output, request.overwrite));
    console.note("shard " + request.shard->text() + ": " + decimal(run.cases.size()) + " cases");
    return 0;
  }
  FIDUCIAL_TRY(const Json summary, write_scores(run, output_of(options, request, run)));
  return conclude(options, run, summary, console);
}

// What is scored, and where to.
void define_inputs(Verb verb, ScoreOptions& options) {
  verb.add_option("DIR", options.dataset, "Dataset folder in a published layout (fiducial info lists them)")
      ->required();
  verb.add_option("PREDICTIONS", options.predictions,
                  "Folder or flat zip of <case>.nii.gz; for questions a JSONL file of answers; for tables a "
                  "folder or flat zip of presence.csv, region_report.csv, ... and masks/")
      ->required();
  verb.add_option("-o,--output", options.output, "Folder to write the scores to")->required();
  verb.add_option("--volumes", options.volumes,
                  "Folder of the CT volumes (NIfTI files or DICOM folders): headers must agree with them; "
                  "millimetres come from them");
  verb.add_option("--tolerance-mm", options.tolerance_mm, "How far apart surfaces may be and still agree")
      ->check(Range(0.0, 1000.0))
      ->capture_default_str();
  verb.add_option("--spacing", options.spacing_mm,
                  "For organ masks beside tables: voxel edges in mm where headers lost them, e.g. 1,1,3")
      ->delimiter(',');
  verb.add_option("--ignore", options.ignored,
                  "Folder of <case>.nii.gz masks (one for all findings or one each): a component that "
                  "matches nothing and lies mostly inside is no false positive");
}

// How scores are grouped and labels are taken.
void define_groups_and_rules(Verb verb, ScoreOptions& options) {
  verb.add_option("--group-by", options.group_by,
                  "Columns of the metadata to group by, e.g. PatientSex,PatientAge; edges make bins of "
                  "numbers: ZSpacing:1:2.5. For questions: kinds of groups, e.g. icd_chapter (default: all)")
      ->delimiter(',');
  verb.add_option("--metadata", options.metadata,
                  "CSV of facts about the volumes (default: the one *metadata*.csv of the folder of "
                  "volumes, else of DIR)");
  verb.add_option("--labels", options.labels,
                  "partial: findings of three entities or more may have others unmarked, and get recall "
                  "but no strict precision; exhaustive; auto: partial for splits named train...")
      ->one_of({"auto", "exhaustive", "partial"})
      ->capture_default_str();
}

// What is computed.
void define_scoring(Verb verb, ScoreOptions& options) {
  verb.add_option("--split", options.split, "Split to score (default: test, else val)");
  verb.add_option("--mode", options.mode, "both, strict or official")->capture_default_str();
  verb.add_option(
          "--metrics", options.metrics,
          "Metric ids or groups: dice, hit, instances (the default), panoptic, surface, distance, all; "
          "surface and distance need the CTs (--volumes). For questions: answers, rouge, bleu, "
          "meteor, cider, radcliq, steps, discussion, all (default: what the inputs allow)")
      ->delimiter(',');
  verb.add_option("--task", options.task,
                  "grounded-report: reports whose sentences say where they look (grounded_reports.jsonl)")
      ->one_of({"grounded-report"});
  verb.add_option("--system", options.system, "Name of the system (default: the predictions' name)");
  verb.add_option("--max-failures", options.max_failures, "Failed cases allowed: a count or a share (5%)")
      ->capture_default_str();
  verb.add_option("--seed", options.seed, "Seed of the intervals")->capture_default_str();
  verb.add_option("--threads", options.threads, "Threads (0: one per core)")
      ->check(Range(0, 1024))
      ->capture_default_str();
}

// The published scorer's own switches.
void define_official_rules(Verb verb, ScoreOptions& options) {
  verb.add_option("--conformance", options.conformance,
                  "Record of 'fiducial conform': official values are then confirmed");
  verb.add_flag("--global-only", options.global_only, "Official: Dice of all voxels, no instances");
  verb.add_option("--min-size", options.min_size, "Official: least voxels of a component")
      ->check(Range(std::int64_t{0}, std::int64_t{1} << 40))
      ->capture_default_str();
  verb.add_option("--connectivity", options.connectivity, "Official: 1 (6), 2 (18) or 3 (26 neighbours)")
      ->check(Range(1, 3))
      ->capture_default_str();
}

// What is written.
void define_outputs(Verb verb, ScoreOptions& options) {
  verb.add_flag("--no-report", options.no_report, "Write numbers only, no report.html");
  verb.add_flag("--private", options.is_private, "Write nothing about single cases: no rows, no pictures");
  verb.add_option("--shard", options.shard, "Score part i of n, e.g. 0/16, for fiducial merge");
  verb.add_flag("--overwrite", options.overwrite, "Replace an earlier output folder");
  verb.add_flag("--json", options.json, "Print the summary as JSON");
}

}  // namespace

Command score_command() {
  return {.name = "score",
          .summary = "Score predictions against a dataset's reference masks or answers",
          .example = "fiducial score rexgroundingct/ predictions/ -o scores/ --volumes ct-rate/",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<ScoreOptions>();
            define_inputs(verb, *options);
            define_groups_and_rules(verb, *options);
            define_scoring(verb, *options);
            define_official_rules(verb, *options);
            define_outputs(verb, *options);
            define_answer_options(verb, options->answers);
            options->verb = verb;
            return [options](Console& console) { return score(*options, console); };
          }};
}

}  // namespace fiducial::cli
