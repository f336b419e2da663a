#include "fiducial/pages/score_report.h"

#include <map>
#include <memory>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/eval/finding_groups.h"
#include "fiducial/report/report_page.h"

namespace fiducial {

namespace {

using Labels = std::vector<std::pair<std::string, std::string>>;

std::map<const FindingScore*, Labels> labels_of(const ScoredRun& run) {
  std::map<const FindingScore*, Labels> out;
  const Aggregator aggregator(run.plan, run.cases);
  for (const auto& [kind, groups] : grouped(aggregator.findings())) {
    for (const FindingGroup& group : groups) {
      for (const FindingInCase& view : group.findings) out[view.finding].emplace_back(kind, group.label);
    }
  }
  return out;
}

void append_scores(ReportFinding& out, const ScorePlan& plan, const FindingScore& finding, Scorer scorer) {
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

std::vector<ReportFinding> report_findings(const ScoredRun& run) {
  const std::map<const FindingScore*, Labels> labels = labels_of(run);
  const bool official = run.plan.mode == ScoreMode::official;
  std::vector<ReportFinding> out;
  for (const CaseScore& scored : run.cases) {
    const CaseStatus status = official ? scored.official_status : scored.status;
    for (const FindingScore& finding : scored.findings) {
      ReportFinding one{.case_name = scored.name,
                        .index = finding.index,
                        .category = finding.category,
                        .reference_voxels = finding.reference_voxels,
                        .scored = status == CaseStatus::scored};
      for (const Scorer scorer : {Scorer::strict, Scorer::official})
        append_scores(one, run.plan, finding, scorer);
      one.dice = headline_dice(one, official);
      one.groups = labels.at(&finding);
      out.push_back(std::move(one));
    }
  }
  return out;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ",") + word;
  return out;
}

// The columns of --group-by; edges make the same bins whatever the table holds.
std::vector<std::string> group_words(const ScorePlan& plan) {
  std::vector<std::string> out;
  for (const GroupColumn& column : plan.group_by) {
    out.push_back(column.column);
    for (const double edge : column.edges) out.back() += ":" + shortest(edge);
  }
  return out;
}

// What makes the same scores again, with names in the place of this machine's folders. The run itself says
// all of it, so that shards put together tell the same.
std::vector<std::string> command_of(const ReportedRun& reported) {
  const ScorePlan& plan = reported.run.plan;
  std::vector<std::string> out{"fiducial", "score", plan.benchmark + "/", "predictions/", "-o", "scores/"};
  const auto add = [&out](const char* option, const std::string& value) {
    out.insert(out.end(), {option, value});
  };
  if (reported.inputs.volumes) add("--volumes", "volumes/");
  add("--split", plan.split);
  add("--system", plan.system);
  add("--mode", std::string(to_string(plan.mode)));
  add("--metrics", joined(metric_words(plan)));
  add("--seed", decimal(plan.seed));
  const bool has_tolerance = to_json(plan).find("tolerance_mm") != nullptr;
  if (has_tolerance && plan.tolerance_mm != ScorePlan().tolerance_mm)
    add("--tolerance-mm", shortest(plan.tolerance_mm));
  if (plan.ignores_regions) add("--ignore", "ignored/");
  if (plan.partial_labels) add("--labels", "partial");
  if (!plan.partial_labels && plan.split.starts_with("train")) add("--labels", "exhaustive");
  if (!plan.group_by.empty()) {
    add("--group-by", joined(group_words(plan)));
    add("--metadata", plan.metadata_file);
  }
  if (!plan.conformance.empty()) add("--conformance", "conformance.json");
  if (plan.global_only) out.emplace_back("--global-only");
  const InstanceRules usual;
  if (plan.official_rules.min_voxels != usual.min_voxels) {
    add("--min-size", decimal(plan.official_rules.min_voxels));
  }
  if (plan.official_rules.connectivity != usual.connectivity) {
    add("--connectivity", plan.official_rules.connectivity == Connectivity::faces6 ? "1" : "3");
  }
  if (reported.is_private) out.emplace_back("--private");
  return out;
}

}  // namespace

Result<std::string> score_report(const ReportedRun& reported, const Json& summary, const Executor& executor) {
  const ReportInputs& inputs = reported.inputs;
  FIDUCIAL_TRY(const OpenedGroundedDataset opened, open_grounded_dataset(inputs.dataset));
  FIDUCIAL_TRY(const PredictionFiles predictions, PredictionFiles::open(inputs.predictions));
  ReportInput input{.summary = summary, .command = command_of(reported), .is_private = reported.is_private};
  if (!reported.is_private) input.findings = report_findings(reported.run);
  const PictureSource source{*opened.dataset, reported.run.plan.split, predictions, inputs.volumes};
  return report_page(input, source, executor);
}

ScoreOutput with_report(ScoreOutput output, const ReportedRun& reported, int threads) {
  output.is_private = reported.is_private;
  output.more = [reported, threads](const Json& summary) -> Result<std::vector<NamedText>> {
    FIDUCIAL_TRY(std::string page, score_report(reported, summary, Executor(threads)));
    return std::vector<NamedText>{{"report.html", std::move(page)}};
  };
  return output;
}

}  // namespace fiducial
