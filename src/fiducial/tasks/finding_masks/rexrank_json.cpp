#include "fiducial/tasks/finding_masks/rexrank_json.h"

#include <optional>

#include "fiducial/base/number_text.h"
#include "fiducial/metrics/dice_formula.h"
#include "fiducial/metrics/finding_pair.h"

namespace fiducial {

namespace {

// Sums over findings, of a case or of the whole run.
struct Totals {
  std::int64_t findings = 0;
  std::int64_t hits = 0;
  InstanceCounts counts;
  double dice_sum = 0;
  double matched_sum = 0;  // over all matches
  std::int64_t matches = 0;

  std::int64_t reference_instances() const { return counts.true_positives + counts.false_negatives; }
  std::int64_t predicted_instances() const { return counts.true_positives + counts.false_positives; }
};

double share(std::int64_t part, std::int64_t whole, double otherwise) {
  return whole == 0 ? otherwise : static_cast<double>(part) / static_cast<double>(whole);
}

double mean(double sum, std::int64_t count) { return count == 0 ? 0.0 : sum / static_cast<double>(count); }

void add(Totals& to, const Totals& more) {
  to.findings += more.findings;
  to.hits += more.hits;
  to.counts.true_positives += more.counts.true_positives;
  to.counts.false_positives += more.counts.false_positives;
  to.counts.false_negatives += more.counts.false_negatives;
  to.dice_sum += more.dice_sum;
  to.matched_sum += more.matched_sum;
  to.matches += more.matches;
}

void set_shares(Json& out, const std::string& prefix, const Totals& totals) {
  const double precision = share(totals.counts.true_positives, totals.predicted_instances(), 1.0);
  const double recall = share(totals.counts.true_positives, totals.reference_instances(), 1.0);
  out.set(prefix + "instance_precision", precision)
      .set(prefix + "instance_recall", recall)
      .set(prefix + "instance_f1", f1_of(precision, recall));
}

Json label_list(const std::vector<std::int32_t>& labels) {
  Json out = Json(Json::Array{});
  for (const std::int32_t label : labels) out.push(static_cast<std::int64_t>(label));
  return out;
}

Json matches_json(const InstanceMatching& matching) {
  Json out = Json(Json::Array{});
  for (const InstanceMatch& match : matching.matches) {
    out.push(Json::object({{"gt_id", static_cast<std::int64_t>(match.reference)},
                           {"pred_id", static_cast<std::int64_t>(match.prediction)},
                           {"dice", match.dice}}));
  }
  return out;
}

Totals finding_totals(const FindingScore& finding, double dice) {
  Totals out{.findings = 1, .hits = dice >= 0.1 ? 1 : 0, .dice_sum = dice};
  if (finding.official_matching) {
    out.counts = counts(*finding.official_matching);
    out.matches = out.counts.true_positives;
    for (const InstanceMatch& match : finding.official_matching->matches) out.matched_sum += match.dice;
  }
  return out;
}

Json finding_json(const FindingScore& finding, double dice, const Totals& totals) {
  Json out = Json::object({{"global_dice", dice}, {"global_hit", dice >= 0.1}});
  if (!finding.official_matching) return out;
  const InstanceMatching& matching = *finding.official_matching;
  out.set("tp", totals.counts.true_positives)
      .set("fp", totals.counts.false_positives)
      .set("fn", totals.counts.false_negatives);
  set_shares(out, "", totals);
  return out.set("mean_matched_dice", mean(totals.matched_sum, totals.matches))
      .set("matched_instances", matches_json(matching))
      .set("unmatched_gt", label_list(matching.unmatched_reference))
      .set("unmatched_pred", label_list(matching.unmatched_prediction))
      .set("num_gt_instances", totals.reference_instances())
      .set("num_pred_instances", totals.predicted_instances());
}

// Everything of one case, and its sums.
class CaseWriter {
 public:
  CaseWriter(const CaseScore& scored, std::size_t dice_at, bool global_only) : global_only_(global_only) {
    Json findings = Json::object({});
    for (const FindingScore& finding : scored.findings) {
      const double dice = finding.official[dice_at].value();
      const Totals totals = finding_totals(finding, dice);
      findings.set("finding_" + decimal(finding.index), finding_json(finding, dice, totals));
      note_lists(finding, dice, totals);
      add(totals_, totals);
    }
    json_ = Json::object({{"file", scored.name}, {"findings", std::move(findings)}, {"case_stats", stats()}});
  }

  const Totals& totals() const { return totals_; }
  Json take() { return std::move(json_); }

 private:
  void note_lists(const FindingScore& finding, double dice, const Totals& totals) {
    dice_list_.push(dice);
    if (!finding.official_matching || totals.matches == 0) return;
    ++matched_findings_;
    matched_mean_sum_ += totals.matched_sum / static_cast<double>(totals.matches);
    for (const InstanceMatch& match : finding.official_matching->matches) matched_list_.push(match.dice);
  }

  Json stats() const {
    Json out = Json::object({});
    if (!global_only_) {
      out.set("tp", totals_.counts.true_positives)
          .set("fp", totals_.counts.false_positives)
          .set("fn", totals_.counts.false_negatives)
          .set("gt_instances", totals_.reference_instances())
          .set("pred_instances", totals_.predicted_instances());
    }
    out.set("mean_global_dice", mean(totals_.dice_sum, totals_.findings));
    if (!global_only_) {
      out.set("mean_matched_dice", mean(matched_mean_sum_, matched_findings_));
      set_shares(out, "", totals_);
    }
    out.set("hits", totals_.hits)
        .set("misses", totals_.findings - totals_.hits)
        .set("hit_rate", share(totals_.hits, totals_.findings, 0.0))
        .set("finding_global_dice_list", dice_list_);
    if (!global_only_) out.set("matched_dice_list", matched_list_);
    return out;
  }

  bool global_only_;
  Totals totals_;
  Json dice_list_ = Json(Json::Array{});
  Json matched_list_ = Json(Json::Array{});
  double matched_mean_sum_ = 0;
  std::int64_t matched_findings_ = 0;
  Json json_;
};

Json params_json(const MaskPlan& plan) {
  Json out = Json::object({{"global_only", plan.global_only}, {"global_hit_thr", 0.1}});
  if (plan.global_only) return out;
  const int neighbours = static_cast<int>(plan.official_rules.connectivity);
  return out.set("match_dice_thr", 0.2)
      .set("min_size", plan.official_rules.min_voxels)
      .set("cc_connectivity", neighbours == 6    ? 1
                              : neighbours == 18 ? 2
                                                 : 3);
}

Json run_summary(const MaskPlan& plan, const Totals& totals, std::int64_t cases, double case_mean_sum) {
  Json out = Json::object({{"params", params_json(plan)},
                           {"total_cases", cases},
                           {"total_findings", totals.findings},
                           {"total_hits", totals.hits},
                           {"total_misses", totals.findings - totals.hits},
                           {"hit_rate", share(totals.hits, totals.findings, 0.0)}});
  if (!plan.global_only) {
    out.set("total_tp", totals.counts.true_positives)
        .set("total_fp", totals.counts.false_positives)
        .set("total_fn", totals.counts.false_negatives)
        .set("total_gt_instances", totals.reference_instances())
        .set("total_pred_instances", totals.predicted_instances());
    set_shares(out, "overall_", totals);
  }
  out.set("mean_global_dice_per_finding", mean(totals.dice_sum, totals.findings))
      .set("mean_global_dice_per_case", mean(case_mean_sum, cases));
  if (!plan.global_only) out.set("mean_matched_dice_per_finding", mean(totals.matched_sum, totals.matches));
  return out.set("mean_findings_per_case", share(totals.findings, cases, 0.0));
}

// Where the Dice of the published scorer stands among the official metrics, if it is planned.
std::optional<std::size_t> dice_position(const MaskPlan& plan) {
  const std::vector<PlannedMetric> metrics = plan.metrics_of(Scorer::official);
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (metrics[i].metric->contract.id.starts_with("dice_rexrank")) return i;
  }
  return std::nullopt;
}

}  // namespace

Json rexrank_json(const MaskPlan& plan, const std::vector<CaseScore>& scored_cases) {
  const auto dice_at = dice_position(plan);
  if (!dice_at) return {};
  Totals totals;
  double case_mean_sum = 0;
  std::int64_t counted = 0;
  Json cases = Json(Json::Array{});
  for (const CaseScore& scored : scored_cases) {
    if (scored.official_status != CaseStatus::scored) {
      const bool missing = scored.official_status == CaseStatus::missing;
      cases.push(Json::object(
          {{"file", scored.name}, {"error", missing ? "missing_prediction" : scored.official_reason}}));
      continue;
    }
    CaseWriter writer(scored, *dice_at, plan.global_only);
    add(totals, writer.totals());
    case_mean_sum += mean(writer.totals().dice_sum, writer.totals().findings);
    ++counted;
    cases.push(writer.take());
  }
  return Json::object(
      {{"summary", run_summary(plan, totals, counted, case_mean_sum)}, {"cases", std::move(cases)}});
}

}  // namespace fiducial
