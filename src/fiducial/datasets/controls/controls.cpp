#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/datasets/controls/control_prompts.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/default_lint.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/datasets/submission.h"

namespace fiducial {

DatasetAdapter controls_adapter();

namespace {

namespace control_rules {
#define FIDUCIAL_LINT_RULE(code, severity, promise) \
  constexpr LintRule code{#code, Severity::severity, promise};
#include "fiducial/datasets/controls/lint_rules.def"
#undef FIDUCIAL_LINT_RULE
}  // namespace control_rules

bool tells_of_prompts(const GroundedCase& entry) {
  return std::any_of(entry.findings.begin(), entry.findings.end(), [](const Finding& finding) {
    return !finding.category.empty() || finding.voxels || finding.entities;
  });
}

void check_key(const GroundedDataset& dataset, const LintRequest& request, LintProblems& out) {
  const Result<ControlsFile> key = read_controls(request.dataset);
  if (!key.ok()) {
    out.add(control_rules::controls_unreadable, LintPlace::of(controls_file, key.error()),
            key.error().message());
    return;
  }
  std::int64_t told = 0;
  for (const std::string& split : dataset.split_names()) {
    if (request.split && split != *request.split) continue;
    for (const GroundedCase& entry : *dataset.find_split(split)) {
      const auto found = key->cases.find(entry.name);
      if (auto why = prompts_differ(entry, found == key->cases.end() ? nullptr : &found->second))
        out.add(control_rules::controls_prompts, {controls_file, entry.name}, *std::move(why));
      told += tells_of_prompts(entry) ? 1 : 0;
    }
  }
  if (told > 0) {
    out.add(control_rules::controls_told, {dataset.file_name(), ""},
            decimal(told) +
                " cases give categories, pixels or entity_counts, by which a model could tell "
                "prompts apart without reading them");
  }
}

Result<LintReport> lint_controls(const LintRequest& request, const Executor& executor, Progress& progress) {
  const DatasetAdapter adapter = controls_adapter();
  FIDUCIAL_TRY(LintReport report, default_lint(adapter, request, executor, progress));
  FIDUCIAL_TRY(const std::unique_ptr<GroundedDataset> dataset, adapter.open_grounded(request.dataset));
  // An empty channel is the right answer to most prompts.
  report.problems.remove(submission_rules::prediction_channel_empty);
  check_key(*dataset, request, report.problems);
  return report;
}

}  // namespace

DatasetAdapter controls_adapter() {
  return {.id = "controls",
          .title = "Control prompts: what a model makes of words that ask for nothing, or for the same again",
          .layout = "dataset.json, segmentations/ and controls.jsonl",
          .recognises =
              [](const Path& folder) {
                return rexgroundingct::find_dataset_file(folder) && is_file(folder / controls_file);
              },
          .tasks = {"controls"},
          .open_grounded = [](const Path& folder) -> Result<std::unique_ptr<GroundedDataset>> {
            FIDUCIAL_TRY(rexgroundingct::Dataset dataset, rexgroundingct::Dataset::open(folder));
            return {std::make_unique<rexgroundingct::Dataset>(std::move(dataset))};
          },
          .lint_inputs = {LintInput::predictions},
          .lint = lint_controls};
}

}  // namespace fiducial
