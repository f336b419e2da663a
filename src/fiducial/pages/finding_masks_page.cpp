#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/pages/finding_page.h"
#include "fiducial/pages/task_pages.h"
#include "fiducial/tasks/finding_masks/case_score_json.h"
#include "fiducial/tasks/finding_masks/mask_options.h"

namespace fiducial {

namespace {

using Labels = std::vector<std::pair<std::string, std::string>>;

// Kind and label of every unit's groups.
std::vector<Labels> labels_of(const ScoreRun& run) {
  std::vector<Labels> out(run.units.size());
  for (const GroupKind& kind : run.groups) {
    for (const LabelledUnits& group : kind.groups) {
      for (const std::uint32_t unit : group.members) out[unit].emplace_back(kind.kind, group.label);
    }
  }
  return out;
}

void append_scores(ReportFinding& out, const MaskPlan& plan, const FindingScore& finding, Scorer scorer) {
  const std::vector<Score>& scores = scorer == Scorer::strict ? finding.strict : finding.official;
  const std::vector<PlannedMetric> metrics = plan.metrics_of(scorer);
  for (std::size_t i = 0; i < std::min(metrics.size(), scores.size()); ++i) {
    const MetricContract& contract = metrics[i].metric->contract;
    out.scores.push_back({.metric = contract.id,
                          .title = contract.title,
                          .unit = contract.unit,
                          .official = scorer == Scorer::official,
                          .value = scores[i].defined() ? std::optional(scores[i].value()) : std::nullopt,
                          .reason = scores[i].reason()});
  }
}

// The finding's Dice by the rules that fill the summary's "metrics".
std::optional<double> headline_dice(const ReportFinding& finding, bool official) {
  for (const ReportScore& score : finding.scores) {
    const bool is_dice = official ? score.metric.starts_with("dice_rexrank") : score.metric == "dice";
    if (score.official == official && is_dice) return score.value;
  }
  return std::nullopt;
}

Result<std::vector<ReportFinding>> report_findings(const ScoreRun& run) {
  FIDUCIAL_TRY(const MaskPlan plan, mask_plan_of(run));
  const std::vector<Labels> labels = labels_of(run);
  const bool official = run.mode == ScoreMode::official;
  std::vector<ReportFinding> out;
  for (const RunCase& entry : run.cases) {
    FIDUCIAL_TRY(const Json evidence, parse_json(entry.evidence));
    FIDUCIAL_TRY(const CaseScore scored, parse_case_score(evidence));
    const CaseStatus status = official ? scored.official_status : scored.status;
    for (const FindingScore& finding : scored.findings) {
      ReportFinding one{.case_name = scored.name,
                        .index = finding.index,
                        .category = finding.category,
                        .reference_voxels = finding.reference_voxels,
                        .scored = status == CaseStatus::scored};
      for (const Scorer scorer : {Scorer::strict, Scorer::official})
        append_scores(one, plan, finding, scorer);
      one.dice = headline_dice(one, official);
      one.groups = labels[out.size()];
      out.push_back(std::move(one));
    }
  }
  return out;
}

}  // namespace

Result<std::string> finding_masks_page(const RunPage& page) {
  FIDUCIAL_TRY(const OpenedGroundedDataset opened, open_grounded_dataset(page.dataset));
  FIDUCIAL_TRY(const PredictionFiles predictions, PredictionFiles::open(page.predictions));
  ReportInput input{.summary = page.summary,
                    .command = command_of(page.run, page.volumes.has_value()),
                    .is_private = page.is_private()};
  if (!page.is_private()) {
    FIDUCIAL_TRY(input.findings, report_findings(page.run));
  }
  const PictureSource source{*opened.dataset, page.run.split, predictions, page.volumes};
  return report_page(input, source, Executor(page.threads));
}

}  // namespace fiducial
