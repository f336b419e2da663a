#include "fiducial/tasks/organ_masks/organ_masks.h"

#include "fiducial/datasets/prediction_files.h"
#include "fiducial/tasks/organ_masks/region_masks.h"
#include "fiducial/tasks/organ_masks/table_cases.h"

namespace fiducial {

namespace {

Result<ScoreRun> score_organ_masks(TaskCall& call) {
  FIDUCIAL_TRY(const radgenome::TableFolder folder, radgenome::TableFolder::open(call.dataset()));
  FIDUCIAL_TRY(const std::string name, folder.choose_split(call.optional_text("split")));
  FIDUCIAL_TRY(const PredictionFiles files, PredictionFiles::open(call.predictions(), organ_masks_folder));
  if (!files.has_beside()) {
    return Error(ErrorCode::invalid_data,
                 std::string("expected organ masks in ") + organ_masks_folder + ", found none",
                 Place{.path = call.predictions().string()});
  }
  FIDUCIAL_TRY(const radgenome::Split split,
               radgenome::read_split(folder, name, radgenome::TableUse::scoring));
  ScoreRun run = call.new_run("radgenome", name);
  const RegionUnits units(split, call);
  units.add_to(run);
  for (const auto& table : split.tables) {
    if (table) run.dataset_files.push_back({table->file, table->digest});
  }
  FIDUCIAL_TRY_DONE(score_region_masks(call, units, run));
  run.dataset.name = "masks of " + name;
  run.predictions = HashedFile{.name = call.predictions_name()};
  return run;
}

Outcome conclude_organ_masks(ScoreRun& run) {
  Json tasks = Json::object({});
  FIDUCIAL_TRY_DONE(conclude_region_masks(run, tasks));
  const auto count = [&tasks](const char* key) {
    const Json* found = tasks.find("masks")->find(key);
    return found != nullptr && found->as_integer() != nullptr ? *found->as_integer() : 0;
  };
  run.attempts = count("questions");
  run.failures = count("missing") + count("refused");
  run.attempt_words = "masks missing or refused";
  run.counts = Json::object({{"cases", static_cast<std::int64_t>(run.cases.size())},
                             {"structures", run.attempts},
                             {"missing", count("missing")},
                             {"refused", count("refused")}});
  digest_inputs(run);
  return done();
}

OptionValues no_first_plans(const Json&) { return {}; }

}  // namespace

Task organ_masks_task() {
  return {.id = "organ_masks",
          .title = "Masks of organs and other structures: Dice, NSD and HD95 by region",
          .unit = "region",
          .predictions = "a folder or zip with masks/, laid out like the release",
          .options = organ_mask_options(),
          .reads_masks = true,
          .cases = cases_of_tables,
          .score = score_organ_masks,
          .conclude = conclude_organ_masks,
          .options_of_first_plans = no_first_plans};
}

}  // namespace fiducial
