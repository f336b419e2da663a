#include "fiducial/eval/score.h"

#include <algorithm>
#include <set>

#include "fiducial/eval/case_scorer.h"
#include "fiducial/table/parquet.h"

namespace fiducial {

namespace {

constexpr const char* output_marker = "plan.json";  // what an earlier output folder is known by

std::string default_system(const Path& predictions) {
  const Path name = predictions.filename().empty() ? predictions.parent_path() : predictions;
  return name.stem().string();
}

Result<ScorePlan> make_plan(const ScoreRequest& request, const std::string& benchmark,
                            const GroundedDataset& dataset) {
  ScorePlan plan;
  plan.benchmark = benchmark;
  plan.mode = request.mode;
  plan.official_rules = request.official_rules;
  plan.global_only = request.global_only;
  plan.seed = request.seed;
  plan.system = request.system.value_or(default_system(request.predictions));
  FIDUCIAL_TRY(plan.split, choose_split(dataset, request.split));
  FIDUCIAL_TRY_DONE(select_metrics(plan, request.metrics));
  return plan;
}

std::vector<GroundedCase> sorted_cases(const GroundedDataset& dataset, const std::string& split) {
  std::vector<GroundedCase> cases = *dataset.find_split(split);
  std::sort(cases.begin(), cases.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return cases;
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

}  // namespace

Outcome check_output(const ScoreRequest& request) {
  FIDUCIAL_TRY_DONE(StagedFolder::create(request.output, output_marker, request.overwrite));
  return done();
}

Result<ScoredRun> score_run(const ScoreRequest& request, const Executor& executor, Progress& progress) {
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(request.dataset));
  FIDUCIAL_TRY(const std::unique_ptr<GroundedDataset> opened, adapter->open(request.dataset));
  const GroundedDataset& dataset = *opened;
  FIDUCIAL_TRY(const PredictionFiles predictions, PredictionFiles::open(request.predictions));
  FIDUCIAL_TRY(ScorePlan plan, make_plan(request, adapter->id, dataset));
  const std::vector<GroundedCase> cases = sorted_cases(dataset, plan.split);
  if (cases.empty()) return invalid_data("split \"" + plan.split + "\" has no case");

  const CaseScorer scorer(dataset, predictions, plan, request.volumes);
  std::vector<std::optional<CaseScore>> scored(cases.size());
  progress.begin("scoring", static_cast<std::int64_t>(cases.size()));
  const Outcome outcome =
      executor.for_each(static_cast<std::int64_t>(cases.size()), [&](std::int64_t index) -> Outcome {
        const auto at = static_cast<std::size_t>(index);
        FIDUCIAL_TRY(scored[at], scorer.score(cases[at]));
        progress.advance(1);
        return done();
      });
  progress.end();
  FIDUCIAL_TRY_DONE(outcome);

  ScoredRun run{
      std::move(plan), dataset.file_name(), dataset.digest(), {}, unknown_files(predictions, cases)};
  for (std::optional<CaseScore>& one : scored) run.cases.push_back(*std::move(one));
  return run;
}

Result<Json> write_scores(const ScoredRun& run, const Path& output, bool overwrite) {
  FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(output, output_marker, overwrite));
  const std::string plan = plan_json(run).pretty();
  Json summary = summary_json(run, sha256(as_bytes(plan)));
  FIDUCIAL_TRY_DONE(write_file(folder.staging() / "plan.json", plan));
  FIDUCIAL_TRY_DONE(write_file(folder.staging() / "summary.json", summary.pretty()));
  FIDUCIAL_TRY_DONE(write_parquet(folder.staging() / "rows.parquet", rows_table(run)));
  if (run.plan.wants(Scorer::official)) {
    if (const Json rexrank = rexrank_json(run); !rexrank.is_null()) {
      FIDUCIAL_TRY_DONE(write_file(folder.staging() / "rexrank.json", rexrank.pretty()));
    }
  }
  FIDUCIAL_TRY_DONE(folder.publish());
  return summary;
}

}  // namespace fiducial
