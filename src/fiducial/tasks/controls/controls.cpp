#include "fiducial/tasks/controls/controls.h"

#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/eval/task/score_cases.h"
#include "fiducial/tasks/controls/control_run.h"
#include "fiducial/tasks/controls/control_scorer.h"
#include "fiducial/tasks/finding_masks/finding_masks.h"
#include "fiducial/tasks/finding_masks/mask_options.h"

namespace fiducial {

namespace {

constexpr const char* alarm_option = "alarm-voxels";

// The prompts of a split, beside its cases.
struct ControlSplit {
  std::unique_ptr<GroundedDataset> dataset;
  std::string benchmark;
  std::string split;
  std::vector<GroundedCase> cases;
  ControlsFile controls;

  const std::vector<ControlPrompt>* prompts_of(const GroundedCase& entry) const {
    const auto found = controls.cases.find(entry.name);
    return found == controls.cases.end() ? nullptr : &found->second;
  }
};

Result<ControlSplit> open_controls(const TaskCall& call) {
  if (!is_file(call.dataset() / controls_file)) {
    return Error(ErrorCode::invalid_data,
                 std::string("expected ") + controls_file + ", found none; fiducial curate controls makes it",
                 Place{.path = call.dataset().string()});
  }
  FIDUCIAL_TRY(OpenedGroundedDataset opened, open_grounded_dataset(call.dataset()));
  ControlSplit out{.dataset = std::move(opened.dataset), .benchmark = opened.adapter->id};
  FIDUCIAL_TRY(out.split, choose_split(*out.dataset, call.optional_text("split")));
  FIDUCIAL_TRY(out.cases, cases_by_name(*out.dataset, out.split));
  FIDUCIAL_TRY(out.controls, read_controls(call.dataset()));
  for (const GroundedCase& entry : out.cases) {
    FIDUCIAL_TRY_DONE(hold_against(entry, out.prompts_of(entry)).in_file(call.dataset().string()));
  }
  return out;
}

Result<ScoreRun> score_controls(TaskCall& call) {
  FIDUCIAL_TRY(const ControlSplit split, open_controls(call));
  FIDUCIAL_TRY(const PredictionFiles predictions, PredictionFiles::open(call.predictions()));
  std::vector<ControlScorer::Case> chosen;
  std::vector<ScoredControls> scored;
  for (std::size_t i = 0; i < split.cases.size(); ++i) {
    const GroundedCase& entry = split.cases[i];
    if (!call.holds(entry.name)) continue;
    chosen.push_back({entry, split.prompts_of(entry)});
    scored.push_back({entry.patient, static_cast<std::int64_t>(i), split.prompts_of(entry), {}});
  }
  const ControlScorer scorer(*split.dataset, predictions, std::move(chosen), call.limits());
  const std::string key = split.dataset->digest().hex() + split.controls.digest.hex() + split.split;
  FIDUCIAL_TRY(std::vector<ControlScore> scores, score_cases(call, scorer, key));
  for (std::size_t i = 0; i < scores.size(); ++i) scored[i].score = std::move(scores[i]);
  ScoreRun run = call.new_run(split.benchmark, split.split);
  run.dataset.name = split.dataset->file_name();
  run.dataset_files = {{split.dataset->file_name(), split.dataset->digest()},
                       {controls_file, split.controls.digest}};
  add_controls(run, scored, call.integer(alarm_option));
  remark_unknown_files(call, predictions, split.cases, run);
  return run;
}

Result<std::vector<TaskCase>> cases_of_controls(const TaskCall& call) {
  FIDUCIAL_TRY(const ControlSplit split, open_controls(call));
  return task_cases(call, *split.dataset, split.cases);
}

Json wish_json(const std::vector<ControlScore>& scores) {
  struct Wished {
    double as_is = 0;
    double transformed = 0;
    Json cases;
    std::size_t count = 0;
  };
  std::map<std::string, Wished> wishes;
  for (const ControlScore& score : scores) {
    if (!score.axes) continue;
    Wished& wish = wishes[score.axes->transform];
    wish.as_is += score.axes->dice_as_is;
    wish.transformed += score.axes->dice_transformed;
    wish.cases.push(score.name);
    ++wish.count;
  }
  const Wished* best = nullptr;
  std::string transform;
  for (const auto& [name, wish] : wishes) {
    if (best != nullptr && best->count >= wish.count) continue;
    best = &wish;
    transform = name;
  }
  if (best == nullptr) return {};
  const auto count = static_cast<double>(best->count);
  return Json::object({{"transform", transform},
                       {"dice_as_is", best->as_is / count},
                       {"dice_transformed", best->transformed / count},
                       {"cases", best->cases}});
}

std::int64_t remarks_of_status(const std::vector<ControlScore>& scores, std::string_view status) {
  std::int64_t out = 0;
  for (const ControlScore& score : scores) out += score.status == status ? 1 : 0;
  return out;
}

Outcome conclude_controls(ScoreRun& run) {
  std::vector<ControlScore> scores;
  std::map<ControlKind, std::int64_t> kinds;
  std::int64_t prompts = 0;
  for (const RunCase& entry : run.cases) {
    FIDUCIAL_TRY(const Json evidence, parse_json(entry.evidence));
    FIDUCIAL_TRY(scores.emplace_back(), parse_control_score(evidence));
    for (const PromptScore& each : scores.back().prompts) {
      ++kinds[each.kind];
      ++prompts;
    }
  }
  std::int64_t unknown = 0;
  for (const Remark& remark : run.remarks) unknown += remark.code == unknown_file_code ? 1 : 0;
  run.counts = Json::object({{"cases", static_cast<std::int64_t>(scores.size())},
                             {"prompts", prompts},
                             {"missing", remarks_of_status(scores, "missing")},
                             {"failed", remarks_of_status(scores, "failed")},
                             {"unknown_files", unknown}});
  for (const auto& [kind, count] : kinds) run.counts.set("prompts_" + std::string(to_string(kind)), count);
  run.orientation = wish_json(scores);
  if (!kinds.contains(ControlKind::silent)) remove_slot(run, "silent_answer_rate");
  digest_inputs(run);
  return done();
}

OptionValues no_first_control_plans(const Json&) { return {}; }

}  // namespace

Task controls_task() {
  return {.id = "controls",
          .title = "Control prompts: whether a model listens, and how often it answers where nothing is",
          .unit = "prompt",
          .predictions = "a folder or flat zip of <case>.nii.gz, a mask for every prompt",
          .options = {{.name = alarm_option,
                       .help = "How many voxels a mask needs to count as an answer",
                       .kind = TaskOption::Kind::integer,
                       .fallback = "1",
                       .least = 1,
                       .most = 1e9,
                       .heading = "Control prompts"}},
          .headline = {"listening", "discrimination"},
          .reads_masks = true,
          .cases = cases_of_controls,
          .score = score_controls,
          .conclude = conclude_controls,
          .options_of_first_plans = no_first_control_plans};
}

}  // namespace fiducial
