#include "fiducial/eval/aggregate.h"

#include <algorithm>
#include <map>

#include "fiducial/datasets/rexgroundingct/ontology.h"
#include "fiducial/eval/pooled_sums.h"

namespace fiducial {

namespace {

struct SlotRule {
  std::string_view slot;
  PoolKind kind;
  std::string_view strict;    // contract behind it
  std::string_view official;  // empty: the published scorer has no such value
};

constexpr SlotRule slot_rules[] = {
    {"dice_per_case", PoolKind::cases, "dice", "dice_rexrank_filtered"},
    {"dice_per_finding", PoolKind::findings, "dice", "dice_rexrank_filtered"},
    {"dice_per_category", PoolKind::categories, "dice", ""},
    {"dice_filtered_per_finding", PoolKind::findings, "dice_filtered", ""},
    {"iou_per_finding", PoolKind::findings, "iou", ""},
    {"hit_rate", PoolKind::findings, "hit10", "hit10_rexrank_filtered"},
    {"hit5_rate", PoolKind::findings, "hit5", ""},
    {"instance_precision", PoolKind::precision, "instance_precision_strict18", "instance_precision_greedy18"},
    {"instance_recall", PoolKind::recall, "instance_recall_strict18", "instance_recall_greedy18"},
    {"instance_f1", PoolKind::f1, "instance_f1_strict18", "instance_f1_greedy18"},
    {"matched_dice", PoolKind::matches, "matched_dice_strict18", "matched_dice_greedy18"},
    {"nsd_per_finding", PoolKind::findings, "nsd_surfel", ""},
    {"hd95_per_finding", PoolKind::findings, "hd95_surfel_directed_max", ""},
    {"assd_per_finding", PoolKind::findings, "assd_pooled", ""},
    {"distance_precision", PoolKind::precision, "distance_precision_strict18", ""},
    {"distance_recall", PoolKind::recall, "distance_recall_strict18", ""},
    {"distance_f1", PoolKind::f1, "distance_f1_strict18", ""},
};

std::string contract_of(const SlotRule& rule, Scorer scorer, const ScorePlan& plan) {
  std::string id(scorer == Scorer::strict ? rule.strict : rule.official);
  if (scorer == Scorer::official && plan.global_only && id.ends_with("_filtered")) {
    id.replace(id.size() - 9, 9, "_raw");
  }
  return id;
}

// A slot that a plan can fill.
struct PlannedSlot {
  std::string slot;
  PoolKind kind;
  const PlannedMetric* planned;
};

const PlannedMetric* find_planned(const std::vector<PlannedMetric>& metrics, std::string_view contract) {
  for (const PlannedMetric& planned : metrics) {
    if (planned.metric->contract.id == contract) return &planned;
  }
  return nullptr;
}

// The slots of the table in its order, then the mean over findings of every metric that has no place in it.
// Instance counts only stand behind pooled shares.
std::vector<PlannedSlot> planned_slots(const ScorePlan& plan, Scorer scorer,
                                       const std::vector<PlannedMetric>& metrics) {
  std::vector<PlannedSlot> out;
  for (const SlotRule& rule : slot_rules) {
    const PlannedMetric* planned = find_planned(metrics, contract_of(rule, scorer, plan));
    if (planned != nullptr) out.push_back({std::string(rule.slot), rule.kind, planned});
  }
  for (const PlannedMetric& planned : metrics) {
    const bool has_slot =
        std::any_of(out.begin(), out.end(), [&](const auto& slot) { return slot.planned == &planned; });
    const MetricContract& contract = planned.metric->contract;
    if (has_slot || contract.unit == "count") continue;
    out.push_back({contract.id + "_per_finding", PoolKind::findings, &planned});
  }
  return out;
}

// A slot as it is pooled, and the findings that give it nothing.
struct SlotPool {
  Pool pool;
  std::int64_t n_undefined = 0;
  std::int64_t n_failed = 0;
};

std::string_view reason_without_value(PoolKind kind) {
  switch (kind) {
    case PoolKind::cases:
      return "no case has a value";
    case PoolKind::matches:
      return "no matched entity";
    case PoolKind::precision:
      return "no predicted instance";
    case PoolKind::recall:
    case PoolKind::f1:
      return "no reference entity";
    default:
      return "no finding has a value";
  }
}

// Collects the slots of one scorer.
class SlotPooler {
 public:
  SlotPooler(const std::vector<PlannedMetric>& planned, Scorer scorer,
             const std::vector<FindingInCase>& chosen, std::size_t patients)
      : planned_(planned), scorer_(scorer), chosen_(chosen) {
    pooled_.scorer = scorer;
    pooled_.patients = patients;
    for (const FindingInCase& view : chosen) {
      pooled_.findings.push_back(
          {view.scored_case->name, rexgroundingct::category_group(view.finding->category), view.cluster});
    }
  }

  SlotPool pool(PoolKind kind, const std::string& contract) const {
    std::vector<PoolColumn> columns;
    for (const std::string& metric : columns_of(kind, contract)) columns.push_back(column(metric));
    SlotPool out{.pool = pooled(pooled_, kind, columns)};
    if (kind == PoolKind::cases) {
      count_cases(out);
    } else {
      count_findings(out, columns[undefined_by(kind)]);
    }
    return out;
  }

  // Whether a finding has no score for the given reason.
  bool any_undefined(const std::string& contract, std::string_view reason) const {
    const auto at = static_cast<std::size_t>(find_planned(planned_, contract) - planned_.data());
    return std::any_of(chosen_.begin(), chosen_.end(), [&](const FindingInCase& view) {
      return !scores(view).empty() && scores(view)[at].reason() == reason;
    });
  }

 private:
  // The column whose gaps leave findings out: false positives for what needs them.
  static std::size_t undefined_by(PoolKind kind) {
    if (kind == PoolKind::precision || kind == PoolKind::f1) return 1;
    return kind == PoolKind::recall ? 2 : 0;
  }

  const std::vector<Score>& scores(const FindingInCase& view) const {
    return scorer_ == Scorer::strict ? view.finding->strict : view.finding->official;
  }

  bool failed(const FindingInCase& view) const {
    return (scorer_ == Scorer::strict ? view.scored_case->status : view.scored_case->official_status) !=
           CaseStatus::scored;
  }

  // The count behind a share: "distance_tp_strict18" for "distance_f1_strict18".
  std::string count_contract(std::string_view count, std::string_view share) const {
    const std::string family = share.starts_with("distance_") ? "distance_" : "instance_";
    return family + std::string(count) + (scorer_ == Scorer::strict ? "_strict18" : "_greedy18");
  }

  std::vector<std::string> columns_of(PoolKind kind, const std::string& contract) const {
    switch (kind) {
      case PoolKind::findings:
      case PoolKind::cases:
      case PoolKind::categories:
        return {contract};
      case PoolKind::matches:
        return {contract, count_contract("tp", contract)};
      default:
        return {count_contract("tp", contract), count_contract("fp", contract),
                count_contract("fn", contract)};
    }
  }

  PoolColumn column(const std::string& contract) const {
    const auto at = static_cast<std::size_t>(find_planned(planned_, contract) - planned_.data());
    PoolColumn out(chosen_.size());
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const std::vector<Score>& of = scores(chosen_[i]);
      if (!of.empty() && of[at].defined()) out[i] = of[at].value();
    }
    return out;
  }

  // A finding whose case has no scores at all is failed, not undefined.
  void count_findings(SlotPool& slot, const PoolColumn& column) const {
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      slot.n_failed += failed(chosen_[i]) ? 1 : 0;
      slot.n_undefined += !scores(chosen_[i]).empty() && !column[i] ? 1 : 0;
    }
  }

  // Where the units are cases, failures and undefined scores are counted in cases too.
  void count_cases(SlotPool& slot) const {
    std::map<std::string_view, bool> seen;
    for (const FindingInCase& view : chosen_) seen[view.scored_case->name] = failed(view);
    slot.n_failed = std::count_if(seen.begin(), seen.end(), [](const auto& item) { return item.second; });
    const std::int64_t left_out = scorer_ == Scorer::official ? slot.n_failed : 0;
    slot.n_undefined = static_cast<std::int64_t>(seen.size()) - slot.pool.n - left_out;
  }

  const std::vector<PlannedMetric>& planned_;
  Scorer scorer_;
  const std::vector<FindingInCase>& chosen_;
  PooledFindings pooled_;
};

std::vector<FindingInCase> all_findings(const std::vector<CaseScore>& cases, std::size_t& clusters) {
  std::map<std::string_view, std::size_t> cluster_of;
  std::vector<FindingInCase> out;
  for (const CaseScore& scored : cases) {
    const std::size_t cluster = cluster_of.emplace(scored.patient, cluster_of.size()).first->second;
    for (const FindingScore& finding : scored.findings) out.push_back({&scored, &finding, cluster});
  }
  clusters = cluster_of.size();
  return out;
}

}  // namespace

Aggregator::Aggregator(const ScorePlan& plan, const std::vector<CaseScore>& cases)
    : plan_(plan),
      findings_(all_findings(cases, clusters_)),
      bootstrap_(clusters_, plan.resamples, plan.seed) {
  for (const CaseScore& scored : cases) {
    if (scored.official_status != CaseStatus::failed || !official_stopped_.empty()) continue;
    official_stopped_ = std::string(official_stops_at) + scored.name + ": " + scored.official_reason;
  }
}

Slots Aggregator::slots(Scorer scorer, const std::vector<FindingInCase>& chosen) const {
  Slots out;
  const std::vector<PlannedMetric> metrics = plan_.metrics_of(scorer);
  const SlotPooler pooler(metrics, scorer, chosen, clusters_);
  for (const PlannedSlot& wanted : planned_slots(plan_, scorer, metrics)) {
    const MetricContract& contract = wanted.planned->metric->contract;
    SlotPool found = pooler.pool(wanted.kind, contract.id);
    found.pool.stopped = scorer == Scorer::official && !official_stopped_.empty();
    SlotValue slot{.slot = wanted.slot,
                   .metric = wanted.planned->id,
                   .version = contract.version,
                   .unit = contract.unit,
                   .better = contract.better,
                   .value = found.pool.value(),
                   .ci95 = found.pool.interval95(bootstrap_),
                   .n = found.pool.n,
                   .n_undefined = found.n_undefined,
                   .n_failed = found.n_failed};
    if (!slot.value) slot.reason = found.pool.stopped ? official_stopped_ : reason_without_value(wanted.kind);
    if (!slot.value && slot.n == 0 && pooler.any_undefined(contract.id, partial_labels))
      slot.reason = partial_labels;
    out.push_back(std::move(slot));
  }
  return out;
}

}  // namespace fiducial
