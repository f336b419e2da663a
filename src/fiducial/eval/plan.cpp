#include "fiducial/eval/plan.h"

#include <algorithm>
#include <map>
#include <set>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

bool in_mode(const MetricContract& contract, const ScorePlan& plan) {
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

std::string planned_id(const MetricContract& contract, const ScorePlan& plan) {
  const bool strict = contract.scorer == Scorer::strict;
  std::string id = id_with_rules(contract, strict ? plan.strict_rules : plan.official_rules);
  if (contract.has_tolerance && plan.tolerance_mm != 1) id += "_" + tolerance_text(plan.tolerance_mm);
  if (contract.counts_false_positives && plan.partial_labels) id += "_partial";
  if (contract.counts_false_positives && plan.ignores_regions) id += "_ignore";
  return id;
}

// "dice, hit, instances, ", in the order of the registry.
std::string group_names() {
  std::vector<std::string> seen;
  std::string out;
  for (const MaskMetric& metric : all_mask_metrics()) {
    const std::string& group = metric.contract.group;
    if (std::find(seen.begin(), seen.end(), group) != seen.end()) continue;
    seen.push_back(group);
    out += group + ", ";
  }
  return out;
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

std::string_view to_string(ScoreMode mode) {
  constexpr std::string_view names[] = {"both", "strict", "official"};
  return names[static_cast<std::size_t>(mode)];
}

Result<ScoreMode> parse_score_mode(std::string_view text) {
  for (const ScoreMode mode : {ScoreMode::both, ScoreMode::strict, ScoreMode::official}) {
    if (text == to_string(mode)) return mode;
  }
  return bad_usage("mode \"" + std::string(text) + "\"; expected both, strict or official");
}

bool ScorePlan::wants(Scorer scorer) const {
  return mode == ScoreMode::both || (mode == ScoreMode::strict) == (scorer == Scorer::strict);
}

std::vector<PlannedMetric> ScorePlan::metrics_of(Scorer scorer) const {
  std::vector<PlannedMetric> out;
  for (const PlannedMetric& planned : metrics) {
    if (planned.metric->contract.scorer == scorer) out.push_back(planned);
  }
  return out;
}

Outcome select_metrics(ScorePlan& plan, const std::vector<std::string>& wanted) {
  for (const std::string& word : wanted) {
    const auto& all = all_mask_metrics();
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const MaskMetric& metric) { return selects(word, metric.contract); });
    if (!known) return bad_usage("no metric or group \"" + word + "\"; groups are " + group_names() + "all");
  }
  plan.metrics.clear();
  for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
    std::set<std::string> pooled_groups;
    const auto is_wanted = [&](const MetricContract& contract) {
      return contract.scorer == scorer && in_mode(contract, plan) &&
             std::any_of(wanted.begin(), wanted.end(),
                         [&](const auto& word) { return selects(word, contract); });
    };
    for (const MaskMetric& metric : all_mask_metrics()) {
      if (is_wanted(metric.contract) && is_pooled(metric.contract))
        pooled_groups.insert(metric.contract.group);
    }
    for (const MaskMetric& metric : all_mask_metrics()) {
      const MetricContract& contract = metric.contract;
      // Pooled shares need the counts behind them.
      const bool needed =
          pooled_groups.contains(contract.group) && contract.scorer == scorer && is_instance_count(contract);
      if (is_wanted(contract) || needed) plan.metrics.push_back({&metric, planned_id(contract, plan)});
    }
  }
  if (plan.metrics.empty()) return bad_usage("none of the chosen metrics belongs to this mode");
  return done();
}

std::vector<std::string> metric_words(const ScorePlan& plan) {
  const auto is_planned = [&plan](const MetricContract& contract) {
    return std::any_of(plan.metrics.begin(), plan.metrics.end(), [&contract](const PlannedMetric& planned) {
      return planned.metric->contract.id == contract.id;
    });
  };
  std::vector<std::string> groups;
  std::map<std::string, bool> is_whole;
  for (const MaskMetric& metric : all_mask_metrics()) {
    const MetricContract& contract = metric.contract;
    if (!in_mode(contract, plan)) continue;
    const auto [group, is_new] = is_whole.emplace(contract.group, true);
    if (is_new) groups.push_back(contract.group);
    group->second = group->second && is_planned(contract);
  }
  std::vector<std::string> out;
  for (const std::string& group : groups) {
    if (is_whole.at(group)) {
      out.push_back(group);
      continue;
    }
    for (const PlannedMetric& planned : plan.metrics) {
      if (planned.metric->contract.group == group) out.push_back(planned.metric->contract.id);
    }
  }
  return out;
}

Json to_json(const ScorePlan& plan) {
  Json metrics;
  for (const PlannedMetric& planned : plan.metrics) {
    metrics.push(Json::object({{"id", planned.id},
                               {"contract", planned.metric->contract.id},
                               {"version", planned.metric->contract.version},
                               {"scorer", to_string(planned.metric->contract.scorer)}}));
  }
  Json out = Json::object({{"benchmark", plan.benchmark},
                           {"split", plan.split},
                           {"mode", to_string(plan.mode)},
                           {"system", plan.system},
                           {"seed", plan.seed},
                           {"resamples", plan.resamples}});
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
  if (!plan.group_by.empty()) {
    Json columns = Json(Json::Array{});
    for (const GroupColumn& column : plan.group_by) columns.push(to_json(column));
    out.set("group_by", std::move(columns));
    out.set("metadata", Json::object({{"file", plan.metadata_file}, {"sha256", plan.metadata_digest.hex()}}));
  }
  return out.set("metrics", std::move(metrics));
}

}  // namespace fiducial
