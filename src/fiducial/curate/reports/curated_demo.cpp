#include "fiducial/curate/reports/curated_demo.h"

#include "fiducial/curate/all_stages.h"
#include "fiducial/synth/demo_controls.h"
#include "fiducial/synth/demo_tables.h"

namespace fiducial {

namespace {

// Control prompts of the test split, and systems that answer them.
Outcome write_demo_controls(const Path& folder, std::uint64_t seed, Progress& progress) {
  FIDUCIAL_TRY(const Stage* stage, find_stage("controls"));
  const Path dataset = folder / "rexgroundingct";
  const StageRequest request{
      .seed = seed,
      .values = {{"DIR", {dataset.string()}}, {"reports", {(dataset / "reports.csv").string()}}},
      .output = folder / "controls"};
  FIDUCIAL_TRY_DONE(run_stage(*stage, request, progress));
  return write_demo_control_answers(
      {.controls = folder / "controls", .masks = folder / "systems/rexgroundingct/good", .seed = seed},
      folder / "systems/controls");
}

}  // namespace

Result<DemoFacts> write_curated_demo(const Path& target, const DemoOptions& options, const Executor& executor,
                                     Progress& progress) {
  // All of it appears at once: a corpus that lacks its tables would pass for a whole one.
  FIDUCIAL_TRY(StagedFolder staged, StagedFolder::create(target, demo_marker, options.overwrite));
  const Path& folder = staged.staging();
  DemoOptions inside = options;
  inside.overwrite = true;  // of the empty folder
  FIDUCIAL_TRY(DemoFacts facts, write_demo(folder, inside, executor, progress));
  FIDUCIAL_TRY(const Stage* stage, find_stage("ctrate"));
  const Path dataset = folder / "rexgroundingct";
  const StageRequest request{.values = {{"REPORTS", {(dataset / "reports.csv").string()}},
                                        {"masks", {(dataset / "organs").string()}},
                                        {"volumes", {(dataset / "volumes").string()}}},
                             .output = folder / "curated"};
  FIDUCIAL_TRY(const StageOutcome outcome, run_stage(*stage, request, progress));
  FIDUCIAL_TRY_DONE(
      write_demo_table_answers(folder / "curated/radgenome", folder / "systems/radgenome", facts.seed));
  FIDUCIAL_TRY_DONE(write_demo_grounded_reports(folder, folder / "systems/grounded-report"));
  FIDUCIAL_TRY_DONE(write_demo_controls(folder, facts.seed, progress));
  FIDUCIAL_TRY_DONE(staged.publish());
  return facts;
}

}  // namespace fiducial
