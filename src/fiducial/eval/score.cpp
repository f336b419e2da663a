#include "fiducial/eval/score.h"

#include <algorithm>
#include <limits>
#include <set>
#include <system_error>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/eval/case_journal.h"
#include "fiducial/eval/case_scorer.h"
#include "fiducial/eval/conformance.h"
#include "fiducial/eval/private_outputs.h"
#include "fiducial/eval/score_cases.h"
#include "fiducial/eval/score_folder.h"
#include "fiducial/table/parquet.h"

namespace fiducial {

namespace {

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

// More groups than this are not groups but cases.
constexpr std::size_t most_groups = 200;

Outcome check_group_count(const ScorePlan& plan, const VolumeMetadata& metadata,
                          const std::vector<GroundedCase>& cases) {
  std::vector<std::set<std::string>> labels(plan.group_by.size());
  for (const GroundedCase& entry : cases) {
    const std::vector<GroupLabel> found = group_labels(plan.group_by, metadata, entry.name);
    for (std::size_t i = 0; i < found.size(); ++i) labels[i].insert(found[i].label);
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i].size() <= most_groups) continue;
    return Error(ErrorCode::bad_usage,
                 "--group-by " + plan.group_by[i].column + ": the cases have " + decimal(labels[i].size()) +
                     " different values; expected at most " + decimal(most_groups),
                 Place{.path = metadata.path().string()});
  }
  return done();
}

// The metadata that a plan groups by, with its columns resolved unless the plan is given.
Result<std::optional<VolumeMetadata>> open_metadata(const ScoreRequest& request, ScorePlan& plan) {
  const bool grouped = request.plan ? !plan.group_by.empty() : !request.group_by.empty();
  if (!grouped && !request.metadata) return std::optional<VolumeMetadata>();
  FIDUCIAL_TRY(VolumeMetadata metadata, read_metadata(request));
  if (!grouped) return std::optional<VolumeMetadata>();
  if (!request.plan) {
    FIDUCIAL_TRY(plan.group_by, resolve_group_columns(metadata, request.group_by));
    plan.metadata_file = metadata.file_name();
    plan.metadata_digest = metadata.digest();
  }
  for (const GroupColumn& column : plan.group_by) FIDUCIAL_TRY_DONE(metadata.column(column.column));
  return std::optional<VolumeMetadata>(std::move(metadata));
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
  plan.partial_labels =
      plan.wants(Scorer::strict) && request.partial_labels.value_or(plan.split.starts_with("train"));
  FIDUCIAL_TRY_DONE(select_metrics(plan, request.metrics));
  return plan;
}

Result<std::vector<GroundedCase>> cases_by_name(const GroundedDataset& dataset, const std::string& split) {
  std::vector<GroundedCase> cases = *dataset.find_split(split);
  if (cases.empty()) return invalid_data("split \"" + split + "\" has no case");
  std::sort(cases.begin(), cases.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return cases;
}

Result<VolumeMetadata> read_metadata(const ScoreRequest& request) {
  std::optional<Path> path = request.metadata;
  if (!path) {
    const std::vector<Path> found = find_metadata_files(request.volumes, request.dataset);
    if (found.empty()) {
      return invalid_data("no *metadata*.csv in " +
                          (request.volumes ? request.volumes->string() + " or " : std::string()) +
                          request.dataset.string() + "; name the table with --metadata");
    }
    if (found.size() > 1) {
      std::string names;
      for (const Path& each : found) names += (names.empty() ? "" : ", ") + each.string();
      return bad_usage("several tables of metadata; choose one with --metadata: " + names);
    }
    path = found.front();
  }
  FIDUCIAL_TRY(VolumeMetadata metadata, VolumeMetadata::read(*path));
  FIDUCIAL_TRY_DONE(metadata.check_unique());
  return metadata;
}

Outcome check_output(const ScoreRequest& request) {
  FIDUCIAL_TRY_DONE(StagedFolder::create(request.output, score_folder_marker, request.overwrite));
  return done();
}

Result<ScoredRun> score_run(const ScoreRequest& request, const Executor& executor, Progress& progress) {
  FIDUCIAL_TRY(const OpenedGroundedDataset opened, open_grounded_dataset(request.dataset));
  const GroundedDataset& dataset = *opened.dataset;
  FIDUCIAL_TRY(const PredictionFiles predictions, PredictionFiles::open(request.predictions));
  FIDUCIAL_TRY(ScorePlan plan, resolve_plan(request, opened.adapter->id, dataset));
  FIDUCIAL_TRY(const std::vector<GroundedCase> cases, cases_by_name(dataset, plan.split));

  FIDUCIAL_TRY(const std::optional<PredictionFiles> ignored, open_ignored(request, plan));
  FIDUCIAL_TRY(const std::optional<VolumeMetadata> metadata, open_metadata(request, plan));
  if (metadata) FIDUCIAL_TRY_DONE(check_group_count(plan, *metadata, cases));
  const CaseScorer scorer(dataset, &predictions, plan,
                          {request.volumes, ignored ? &*ignored : nullptr, metadata ? &*metadata : nullptr});
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

Outcome finish_scores(StagedFolder& folder, const ScoreOutput& output, const Json& summary) {
  if (output.more) {
    FIDUCIAL_TRY(const std::vector<NamedText> more, output.more(summary));
    for (const auto& [name, text] : more) FIDUCIAL_TRY_DONE(write_file(folder.staging() / name, text));
  }
  forget_journal(output.folder);
  return folder.publish();
}

Result<Json> write_scores(const ScoredRun& run, const ScoreOutput& output) {
  FIDUCIAL_TRY(StagedFolder folder,
               StagedFolder::create(output.folder, score_folder_marker, output.overwrite));
  const Json full_plan = plan_json(run);
  const std::string plan = (output.is_private ? private_plan(full_plan) : full_plan).pretty();
  Json summary = summary_json(run, sha256(as_bytes(plan)));
  if (output.is_private) summary = private_summary(summary);
  FIDUCIAL_TRY_DONE(write_file(folder.staging() / "plan.json", plan));
  FIDUCIAL_TRY_DONE(write_file(folder.staging() / "summary.json", summary.pretty()));
  if (!output.is_private) FIDUCIAL_TRY_DONE(write_case_files(run, folder.staging()));
  FIDUCIAL_TRY_DONE(finish_scores(folder, output, summary));
  return summary;
}

Result<Json> write_scores(const ScoredRun& run, const Path& output, bool overwrite) {
  return write_scores(run, ScoreOutput{.folder = output, .overwrite = overwrite});
}

}  // namespace fiducial
