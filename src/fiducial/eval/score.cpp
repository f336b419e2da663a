#include "fiducial/eval/score.h"

#include <algorithm>
#include <limits>
#include <set>
#include <system_error>

#include "fiducial/eval/case_journal.h"
#include "fiducial/eval/case_scorer.h"
#include "fiducial/eval/conformance.h"
#include "fiducial/eval/private_outputs.h"
#include "fiducial/eval/score_cases.h"
#include "fiducial/table/parquet.h"

namespace fiducial {

namespace {

constexpr const char* output_marker = "plan.json";  // what an earlier output folder is known by

// The name of the folder, or of the archive without its ending; dots in a folder's name stay.
std::string default_system(const Path& predictions) {
  const Path path = predictions.filename().empty() ? predictions.parent_path() : predictions;
  return (path.extension() == ".zip" ? path.stem() : path.filename()).string();
}

// JSON integers are signed, and the seed is recorded.
Outcome check_seed(std::uint64_t seed) {
  if (seed <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return done();
  return bad_usage("the seed must be below 2^63");
}

Result<std::optional<PredictionFiles>> open_ignored(const ScoreRequest& request, const ScorePlan& plan) {
  if (plan.ignores_regions != request.ignored.has_value()) {
    return bad_usage("the plan and the request do not agree on whether regions are ignored");
  }
  if (!request.ignored) return std::optional<PredictionFiles>();
  FIDUCIAL_TRY(PredictionFiles files, PredictionFiles::open(*request.ignored));
  return std::optional<PredictionFiles>(std::move(files));
}

// Files that look like predictions but belong to no case.
std::vector<std::string> unknown_files(const PredictionFiles& predictions,
                                       const std::vector<GroundedCase>& cases) {
  std::set<std::string> known;
  for (const GroundedCase& entry : cases) known.insert(entry.name);
  std::vector<std::string> out;
  for (const std::string& name : predictions.names()) {
    if ((name.ends_with(".nii.gz") || name.ends_with(".nii")) && !known.contains(name)) out.push_back(name);
  }
  return out;
}

// What a journal must agree on to be gone on with.
std::string run_key(const ScorePlan& plan, const GroundedDataset& dataset) {
  return sha256(as_bytes(to_json(plan).compact() + dataset.digest().hex() + FIDUCIAL_VERSION)).hex();
}

Result<std::optional<CaseJournal>> open_journal(const ScoreRequest& request, const std::string& key) {
  if (!request.resumable) return std::optional<CaseJournal>();
  FIDUCIAL_TRY(CaseJournal journal, CaseJournal::open(journal_path(request.output), key));
  return std::optional<CaseJournal>(std::move(journal));
}

std::vector<GroundedCase> chosen_cases(const std::vector<GroundedCase>& cases,
                                       const std::optional<Shard>& shard) {
  if (!shard) return cases;
  std::vector<GroundedCase> out;
  std::copy_if(cases.begin(), cases.end(), std::back_inserter(out),
               [&shard](const GroundedCase& entry) { return shard->holds(entry.name); });
  return out;
}

// What tells about single cases.
Outcome write_case_files(const ScoredRun& run, const Path& folder) {
  FIDUCIAL_TRY_DONE(write_parquet(folder / "rows.parquet", rows_table(run)));
  if (!run.plan.wants(Scorer::official)) return done();
  const Json rexrank = rexrank_json(run);
  return rexrank.is_null() ? done() : write_file(folder / "rexrank.json", rexrank.pretty());
}

}  // namespace

Result<ScorePlan> resolve_plan(const ScoreRequest& request, const std::string& benchmark,
                               const GroundedDataset& dataset) {
  if (request.plan) return *request.plan;
  FIDUCIAL_TRY_DONE(check_seed(request.seed));
  if (!(request.tolerance_mm >= 0) || request.tolerance_mm > 1000) {
    return bad_usage("the tolerance must be between 0 and 1000 mm");
  }
  ScorePlan plan;
  plan.benchmark = benchmark;
  plan.mode = request.mode;
  plan.official_rules = request.official_rules;
  plan.global_only = request.global_only;
  plan.tolerance_mm = request.tolerance_mm;
  plan.ignores_regions = request.ignored.has_value();
  plan.seed = request.seed;
  plan.system = request.system.value_or(default_system(request.predictions));
  if (request.conformance && plan.wants(Scorer::official)) {
    FIDUCIAL_TRY(plan.conformance, confirmed_script(*request.conformance));
  }
  FIDUCIAL_TRY(plan.split, choose_split(dataset, request.split));
  FIDUCIAL_TRY_DONE(select_metrics(plan, request.metrics));
  return plan;
}

Result<std::vector<GroundedCase>> cases_by_name(const GroundedDataset& dataset, const std::string& split) {
  std::vector<GroundedCase> cases = *dataset.find_split(split);
  if (cases.empty()) return invalid_data("split \"" + split + "\" has no case");
  std::sort(cases.begin(), cases.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return cases;
}

Outcome check_output(const ScoreRequest& request) {
  FIDUCIAL_TRY_DONE(StagedFolder::create(request.output, output_marker, request.overwrite));
  return done();
}

Result<ScoredRun> score_run(const ScoreRequest& request, const Executor& executor, Progress& progress) {
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(request.dataset));
  FIDUCIAL_TRY(const std::unique_ptr<GroundedDataset> opened, adapter->open(request.dataset));
  const GroundedDataset& dataset = *opened;
  FIDUCIAL_TRY(const PredictionFiles predictions, PredictionFiles::open(request.predictions));
  FIDUCIAL_TRY(ScorePlan plan, resolve_plan(request, adapter->id, dataset));
  FIDUCIAL_TRY(const std::vector<GroundedCase> cases, cases_by_name(dataset, plan.split));

  FIDUCIAL_TRY(const std::optional<PredictionFiles> ignored, open_ignored(request, plan));
  const CaseScorer scorer(dataset, &predictions, plan, {request.volumes, ignored ? &*ignored : nullptr});
  FIDUCIAL_TRY(std::optional<CaseJournal> journal, open_journal(request, run_key(plan, dataset)));
  Result<std::vector<CaseScore>> scored = score_cases(scorer, chosen_cases(cases, request.shard),
                                                      journal ? &*journal : nullptr, executor, progress);
  if (!scored.ok()) {
    if (journal && scored.error().code() != ErrorCode::interrupted) journal->remove();
    return std::move(scored).error();
  }
  return ScoredRun{std::move(plan), dataset.file_name(), dataset.digest(), *std::move(scored),
                   unknown_files(predictions, cases)};
}

void forget_journal(const Path& output) {
  std::error_code ignored;
  std::filesystem::remove(journal_path(output), ignored);
}

Result<Json> write_scores(const ScoredRun& run, const ScoreOutput& output) {
  FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(output.folder, output_marker, output.overwrite));
  const Json full_plan = plan_json(run);
  const std::string plan = (output.is_private ? private_plan(full_plan) : full_plan).pretty();
  Json summary = summary_json(run, sha256(as_bytes(plan)));
  if (output.is_private) summary = private_summary(summary);
  FIDUCIAL_TRY_DONE(write_file(folder.staging() / "plan.json", plan));
  FIDUCIAL_TRY_DONE(write_file(folder.staging() / "summary.json", summary.pretty()));
  if (!output.is_private) FIDUCIAL_TRY_DONE(write_case_files(run, folder.staging()));
  if (output.more) {
    FIDUCIAL_TRY(const std::vector<NamedText> more, output.more(summary));
    for (const auto& [name, text] : more) FIDUCIAL_TRY_DONE(write_file(folder.staging() / name, text));
  }
  FIDUCIAL_TRY_DONE(folder.publish());
  return summary;
}

Result<Json> write_scores(const ScoredRun& run, const Path& output, bool overwrite) {
  return write_scores(run, ScoreOutput{.folder = output, .overwrite = overwrite});
}

}  // namespace fiducial
