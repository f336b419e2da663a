#include "fiducial/tasks/finding_masks/finding_masks.h"

#include <algorithm>
#include <set>

#include "fiducial/base/paths.h"
#include "fiducial/eval/task/score_cases.h"
#include "fiducial/masks/mask_format.h"
#include "fiducial/tasks/finding_masks/case_score_json.h"
#include "fiducial/tasks/finding_masks/case_scorer.h"
#include "fiducial/tasks/finding_masks/mask_options.h"
#include "fiducial/tasks/finding_masks/mask_run.h"

namespace fiducial {

namespace {

// The cases of a call as a loop scores them.
class CallScorer {
 public:
  using Scored = CaseScore;

  CallScorer(const CaseScorer& scorer, const MaskPlan& plan, std::vector<GroundedCase> cases)
      : scorer_(scorer), plan_(plan), cases_(std::move(cases)) {}

  std::size_t size() const { return cases_.size(); }
  const std::string& name(std::size_t at) const { return cases_[at].name; }
  Result<CaseScore> score(std::size_t at) const { return scorer_.score(cases_[at]); }
  bool still_true(const CaseScore& earlier, std::size_t at) const {
    return scorer_.still_true(earlier, cases_[at]);
  }
  static Json to_json(const CaseScore& scored) { return fiducial::to_json(scored); }
  Result<CaseScore> parse(const Json& value) const { return parse_case_score(value, plan_); }

 private:
  const CaseScorer& scorer_;
  const MaskPlan& plan_;
  std::vector<GroundedCase> cases_;
};

Result<std::optional<PredictionFiles>> open_ignored(const TaskCall& call) {
  const auto folder = call.path("ignore");
  if (!folder) return std::optional<PredictionFiles>();
  FIDUCIAL_TRY(PredictionFiles files, PredictionFiles::open(*folder));
  return std::optional<PredictionFiles>(std::move(files));
}

// A folder of CTs that has none of the split is a mistake, and scores would be without millimetres.
Outcome check_volumes(const TaskCall& call, const GroundedDataset& dataset,
                      const std::vector<GroundedCase>& cases) {
  const auto folder = call.path("volumes");
  if (!folder) return done();
  FIDUCIAL_TRY_DONE(check_reachable(*folder));
  const bool has_any = std::any_of(cases.begin(), cases.end(), [&](const GroundedCase& entry) {
    return dataset.find_volume(*folder, entry).has_value();
  });
  if (has_any) return done();
  return Error(ErrorCode::invalid_data,
               "expected the CTs of the split, such as " + cases.front().name + ", found none of them",
               Place{.path = folder->string()});
}

// The case that a file was probably meant for: its name without "_pred" and the like, or with ".nii" alone.
std::string case_meant(const std::string& file, const std::set<std::string>& cases) {
  std::string stem(without_mask_ending(file));
  for (const std::string_view first : {"pred_", "seg_", "prediction_"}) {
    if (cases.contains(stem.substr(stem.starts_with(first) ? first.size() : 0) + ".nii.gz"))
      stem = stem.substr(stem.starts_with(first) ? first.size() : 0);
  }
  for (; !stem.empty(); stem.resize(stem.find_last_of("_-.") == stem.npos ? 0 : stem.find_last_of("_-."))) {
    if (cases.contains(stem + ".nii.gz")) return stem + ".nii.gz";
  }
  return {};
}

// A hash of the baseline's files for all cases of a split, the same in every shard.
Result<Digest> digest_of_floor(const PredictionFiles& floor, const std::vector<GroundedCase>& cases) {
  std::vector<HashedFile> files;
  for (const GroundedCase& entry : cases) {
    if (!floor.has(entry.name)) continue;
    FIDUCIAL_TRY(StoredFile stored, floor.open_file(entry.name));
    FIDUCIAL_TRY(const Digest digest, HashingStream(std::move(stored.bytes)).finish());
    files.push_back({entry.name, digest});
  }
  return digest_of(files);
}

// What a run's own rules are applied to, once more, for a baseline.
struct FloorScoring {
  const GroundedDataset& dataset;
  const MaskPlan& plan;
  CaseScorer::Sources sources;
  const std::vector<GroundedCase>& cases;   // of the split
  const std::vector<GroundedCase>& chosen;  // of the run
};

// Scores a baseline's masks by the same rules, and puts their columns beside those of the run.
Outcome add_floor(const TaskCall& call, const FloorScoring& of, ScoreRun& run) {
  const auto path = call.path("floor");
  if (!path) return done();
  FIDUCIAL_TRY(const PredictionFiles floor, PredictionFiles::open(*path));
  const CaseScorer scorer(of.dataset, &floor, of.plan, of.sources);
  std::vector<CaseScore> scored(of.chosen.size());
  FIDUCIAL_TRY_DONE(
      call.executor().for_each(static_cast<std::int64_t>(scored.size()), [&](std::int64_t i) -> Outcome {
        const auto at = static_cast<std::size_t>(i);
        FIDUCIAL_TRY(scored[at], scorer.score(of.chosen[at]));
        return done();
      }));
  const auto is_there = [](const CaseScore& each) { return each.status == CaseStatus::scored; };
  if (!scored.empty() && std::none_of(scored.begin(), scored.end(), is_there)) {
    return Error(ErrorCode::invalid_data, "expected the masks of a baseline, found none that can be scored",
                 Place{.path = path->string()});
  }
  ScoreRun beside = call.new_run(run.benchmark, run.split);
  add_masks(beside, of.plan, scored);
  for (std::size_t i = 0; i < run.columns.size(); ++i) {
    run.columns[i].floor_sums = beside.columns[i].sums;
    run.columns[i].floor_weights = beside.columns[i].weights;
  }
  FIDUCIAL_TRY(const Digest digest, digest_of_floor(floor, of.cases));
  run.inputs.push_back({"floor", "", path->filename().string(), digest});
  return done();
}

Result<ScoreRun> score_finding_masks(TaskCall& call) {
  FIDUCIAL_TRY(const OpenedGroundedDataset opened, open_grounded_dataset(call.dataset()));
  const GroundedDataset& dataset = *opened.dataset;
  FIDUCIAL_TRY(const PredictionFiles predictions, PredictionFiles::open(call.predictions()));
  FIDUCIAL_TRY(const std::string split, choose_split(dataset, call.optional_text("split")));
  FIDUCIAL_TRY(const MaskPlan plan, mask_plan_of(call, split));
  FIDUCIAL_TRY(const std::vector<GroundedCase> cases, cases_by_name(dataset, split));
  FIDUCIAL_TRY_DONE(check_volumes(call, dataset, cases));
  FIDUCIAL_TRY(const std::optional<PredictionFiles> ignored, open_ignored(call));
  const CaseScorer::Sources sources{
      .volumes = call.path("volumes"), .ignored = ignored ? &*ignored : nullptr, .limits = call.limits()};
  const CaseScorer scorer(dataset, &predictions, plan, sources);
  std::vector<GroundedCase> chosen;
  std::vector<std::int64_t> positions;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!call.holds(cases[i].name)) continue;
    chosen.push_back(cases[i]);
    positions.push_back(static_cast<std::int64_t>(i));
  }
  const std::string key = to_json(plan).compact() + dataset.digest().hex() + split;
  FIDUCIAL_TRY(const std::vector<CaseScore> scored, score_cases(call, CallScorer(scorer, plan, chosen), key));
  ScoreRun run = call.new_run(opened.adapter->id, split);
  run.dataset = {dataset.file_name(), dataset.digest()};
  if (!plan.conformance.empty()) {
    run.options["conformance"] = {plan.conformance};
    std::erase(run.given_paths, "conformance");
  }
  add_masks(run, plan, scored);
  FIDUCIAL_TRY_DONE(add_floor(call, {dataset, plan, sources, cases, chosen}, run));
  for (std::size_t i = 0; i < positions.size(); ++i) run.cases[i].position = positions[i];
  remark_unknown_files(call, predictions, cases, run);
  return run;
}

Result<std::vector<TaskCase>> cases_of_call(const TaskCall& call) {
  FIDUCIAL_TRY(const OpenedGroundedDataset opened, open_grounded_dataset(call.dataset()));
  FIDUCIAL_TRY(const std::string split, choose_split(*opened.dataset, call.optional_text("split")));
  FIDUCIAL_TRY(const std::vector<GroundedCase> cases, cases_by_name(*opened.dataset, split));
  return task_cases(call, *opened.dataset, cases);
}

}  // namespace

void remark_unknown_files(const TaskCall& call, const PredictionFiles& predictions,
                          const std::vector<GroundedCase>& cases, ScoreRun& run) {
  std::set<std::string> known;
  std::set<std::string> used;
  for (const GroundedCase& entry : cases) {
    known.insert(entry.name);
    used.insert(predictions.find(entry.name).value_or(entry.name));
  }
  for (const std::string& name : predictions.names()) {
    if (!has_mask_ending(name) || used.contains(name) || !call.in_shard(name)) continue;
    const std::string meant = case_meant(name, known);
    run.remarks.push_back({name, unknown_file_code,
                           meant.empty() || predictions.has(meant)
                               ? "belongs to no case of the split"
                               : "belongs to no case of the split; expected the name " + meant});
  }
}

std::vector<TaskCase> task_cases(const TaskCall& call, const GroundedDataset& dataset,
                                 const std::vector<GroundedCase>& cases) {
  std::vector<TaskCase> out;
  out.reserve(cases.size());
  for (const GroundedCase& entry : cases) {
    if (!call.holds(entry.name)) continue;
    TaskCase one{entry.name,
                 {{"dataset", dataset.folder() / dataset.mask_name(entry)},
                  {"predictions", call.predictions() / entry.name}}};
    for (const char* option : {"ignore", "floor"}) {
      if (const auto folder = call.path(option)) one.files.push_back({option, *folder / entry.name});
    }
    const auto volumes = call.path("volumes");
    const auto volume = volumes ? dataset.find_volume(*volumes, entry) : std::nullopt;
    if (volume) one.files.push_back({"volumes", *volume});
    out.push_back(std::move(one));
  }
  return out;
}

Result<std::vector<GroundedCase>> cases_by_name(const GroundedDataset& dataset, const std::string& split) {
  std::vector<GroundedCase> cases = *dataset.find_split(split);
  if (cases.empty()) return invalid_data("split \"" + split + "\" has no case");
  std::sort(cases.begin(), cases.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return cases;
}

Task finding_masks_task() {
  return {.id = "finding_masks",
          .title = "Free-text findings segmented in 3D: Dice, hits, instances, surfaces",
          .unit = "finding",
          .predictions = "a folder or flat zip of <case>.nii.gz, a mask for every finding",
          .options = mask_options(),
          .metrics = {"dice", "hit", "instances", "panoptic", "surface", "distance", "all"},
          .has_official = true,
          .reads_masks = true,
          .resamples = 2000,
          .cases = cases_of_call,
          .score = score_finding_masks,
          .conclude = conclude_masks,
          .options_of_first_plans = mask_options_of_first_plans};
}

}  // namespace fiducial
