#include "fiducial/tasks/finding_masks/mask_plan.h"

#include <algorithm>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/suggestion.h"

namespace fiducial {

namespace {

bool in_mode(const MetricContract& contract, const MaskPlan& plan) {
  if (!plan.wants(contract.scorer)) return false;
  if (contract.scorer == Scorer::strict) return true;
  // The published scorer has one Dice a mode, and no instances in its global-only mode.
  const bool raw = contract.id.ends_with("_raw");
  return plan.global_only ? raw : !raw;
}

bool selects(const std::string& wanted, const MetricContract& contract) {
  return wanted == "all" || wanted == contract.group || wanted == contract.id;
}

// Groups whose shares are pooled from counts.
bool is_pooled(const MetricContract& contract) {
  return contract.group == "instances" || contract.group == "distance";
}

// Shares and the counts behind them: "distance_strict18".
std::string family_of(const MetricContract& contract) {
  return contract.group + contract.id.substr(contract.id.rfind('_'));
}

bool is_instance_count(const MetricContract& contract) {
  return is_pooled(contract) && contract.unit == "count";
}

bool sees_components(const MetricContract& contract) {
  return is_pooled(contract) || contract.group == "panoptic" ||
         contract.id.find("filtered") != std::string::npos;
}

// Two variants never share an id: changed parameters show in it.
std::string id_with_rules(const MetricContract& contract, const InstanceRules& rules) {
  const InstanceRules usual;
  std::string id = contract.id;
  if (!sees_components(contract)) return id;
  if (rules.connectivity != usual.connectivity) {
    const std::string number = decimal(static_cast<int>(rules.connectivity));
    id = id.ends_with("18") ? id.substr(0, id.size() - 2) + number : id + "_cc" + number;
  }
  if (rules.min_voxels != usual.min_voxels) id += "_min" + decimal(rules.min_voxels);
  return id;
}

std::string planned_id(const MetricContract& contract, const MaskPlan& plan) {
  const bool strict = contract.scorer == Scorer::strict;
  std::string id = id_with_rules(contract, strict ? plan.strict_rules : plan.official_rules);
  if (contract.has_tolerance && plan.tolerance_mm != 1) id += "_" + tolerance_text(plan.tolerance_mm);
  if (contract.counts_false_positives && plan.partial_labels) id += "_partial";
  if (contract.counts_false_positives && plan.ignores_regions) id += "_ignore";
  return id;
}

// Names the groups, in the order of the registry, and what was probably meant of these and of the metrics.
std::string unknown_metric(const std::string& word) {
  std::vector<std::string> groups;
  std::vector<std::string> known;
  for (const MaskMetric& metric : all_mask_metrics()) {
    const std::string& group = metric.contract.group;
    known.push_back(metric.contract.id);
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  groups.emplace_back("all");
  known.insert(known.begin(), groups.begin(), groups.end());
  return "no metric or group \"" + word + "\"; groups are " + joined(groups) + did_you_mean(word, known);
}

Json to_json(const InstanceRules& rules) {
  return Json::object({{"connectivity", static_cast<int>(rules.connectivity)},
                       {"min_voxels", rules.min_voxels},
                       {"max_components", static_cast<std::int64_t>(rules.max_components)}});
}

}  // namespace

std::string tolerance_text(double tolerance_mm) {
  std::string number = shortest(tolerance_mm);
  std::replace(number.begin(), number.end(), '.', '_');
  return "tol" + number + "mm";
}

bool MaskPlan::wants(Scorer scorer) const {
  return mode == ScoreMode::both || (mode == ScoreMode::strict) == (scorer == Scorer::strict);
}

std::vector<PlannedMetric> MaskPlan::metrics_of(Scorer scorer) const {
  std::vector<PlannedMetric> out;
  for (const PlannedMetric& planned : metrics) {
    if (planned.metric->contract.scorer == scorer) out.push_back(planned);
  }
  return out;
}

Outcome select_metrics(MaskPlan& plan, const std::vector<std::string>& wanted) {
  for (const std::string& word : wanted) {
    const auto& all = all_mask_metrics();
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const MaskMetric& metric) { return selects(word, metric.contract); });
    if (!known) return bad_usage(unknown_metric(word)).because(ErrorReason::unknown_name);
  }
  plan.metrics.clear();
  for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
    std::set<std::string> families;
    const auto is_wanted = [&](const MetricContract& contract) {
      return contract.scorer == scorer && in_mode(contract, plan) &&
             std::any_of(wanted.begin(), wanted.end(),
                         [&](const auto& word) { return selects(word, contract); });
    };
    for (const MaskMetric& metric : all_mask_metrics()) {
      if (is_wanted(metric.contract) && is_pooled(metric.contract))
        families.insert(family_of(metric.contract));
    }
    for (const MaskMetric& metric : all_mask_metrics()) {
      const MetricContract& contract = metric.contract;
      // Pooled shares need the counts behind them.
      const bool needed =
          is_instance_count(contract) && contract.scorer == scorer && families.contains(family_of(contract));
      if (is_wanted(contract) || needed) plan.metrics.push_back({&metric, planned_id(contract, plan)});
    }
  }
  if (plan.metrics.empty()) return bad_usage("none of the chosen metrics belongs to this mode");
  return done();
}

Json to_json(const MaskPlan& plan) {
  Json out = Json::object({});
  if (plan.wants(Scorer::strict)) out.set("strict", to_json(plan.strict_rules));
  if (plan.wants(Scorer::official)) {
    out.set("official", to_json(plan.official_rules).set("global_only", plan.global_only));
  }
  const bool has_tolerance = std::any_of(plan.metrics.begin(), plan.metrics.end(), [](const auto& planned) {
    return planned.metric->contract.has_tolerance;
  });
  if (has_tolerance) out.set("tolerance_mm", plan.tolerance_mm);
  if (plan.ignores_regions) out.set("ignores_regions", true);
  if (plan.partial_labels) out.set("labels", "partial");
  if (!plan.conformance.empty()) out.set("conformance", plan.conformance);
  return out;
}

}  // namespace fiducial
