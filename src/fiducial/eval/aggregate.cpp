#include "fiducial/eval/aggregate.h"

#include <algorithm>
#include <map>

#include "fiducial/datasets/rexgroundingct/ontology.h"
#include "fiducial/metrics/dice_formula.h"

namespace fiducial {

namespace {

enum class Pooling { cases, findings, categories, precision, recall, f1, matches };

struct SlotRule {
  std::string_view slot;
  Pooling pooling;
  std::string_view strict;    // contract behind it
  std::string_view official;  // empty: the published scorer has no such value
};

constexpr SlotRule slot_rules[] = {
    {"dice_per_case", Pooling::cases, "dice", "dice_rexrank_filtered"},
    {"dice_per_finding", Pooling::findings, "dice", "dice_rexrank_filtered"},
    {"dice_per_category", Pooling::categories, "dice", ""},
    {"dice_filtered_per_finding", Pooling::findings, "dice_filtered", ""},
    {"iou_per_finding", Pooling::findings, "iou", ""},
    {"hit_rate", Pooling::findings, "hit10", "hit10_rexrank_filtered"},
    {"hit5_rate", Pooling::findings, "hit5", ""},
    {"instance_precision", Pooling::precision, "instance_precision_strict18", "instance_precision_greedy18"},
    {"instance_recall", Pooling::recall, "instance_recall_strict18", "instance_recall_greedy18"},
    {"instance_f1", Pooling::f1, "instance_f1_strict18", "instance_f1_greedy18"},
    {"matched_dice", Pooling::matches, "matched_dice_strict18", "matched_dice_greedy18"},
    {"nsd_per_finding", Pooling::findings, "nsd_surfel", ""},
    {"hd95_per_finding", Pooling::findings, "hd95_surfel_directed_max", ""},
    {"assd_per_finding", Pooling::findings, "assd_pooled", ""},
    {"distance_precision", Pooling::precision, "distance_precision_strict18", ""},
    {"distance_recall", Pooling::recall, "distance_recall_strict18", ""},
    {"distance_f1", Pooling::f1, "distance_f1_strict18", ""},
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
  Pooling pooling;
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
    if (planned != nullptr) out.push_back({std::string(rule.slot), rule.pooling, planned});
  }
  for (const PlannedMetric& planned : metrics) {
    const bool has_slot =
        std::any_of(out.begin(), out.end(), [&](const auto& slot) { return slot.planned == &planned; });
    const MetricContract& contract = planned.metric->contract;
    if (has_slot || contract.unit == "count") continue;
    out.push_back({contract.id + "_per_finding", Pooling::findings, &planned});
  }
  return out;
}

// Per-cluster sums of a slot, how they become its value, and what stands behind it.
struct Pool {
  std::size_t width = 0;
  std::vector<double> sums;
  ClusterBootstrap::Statistic statistic;
  std::string reason;
  std::int64_t n = 0;
  std::int64_t n_undefined = 0;
  std::int64_t n_failed = 0;
};

std::optional<double> ratio(double part, double whole) {
  if (whole == 0) return std::nullopt;
  return part / whole;
}

std::optional<double> mean_of(std::span<const double> sums) { return ratio(sums[0], sums[1]); }

// Collects one slot of one scorer.
class Pooler {
 public:
  Pooler(const std::vector<PlannedMetric>& planned, Scorer scorer, const std::vector<FindingInCase>& chosen,
         std::size_t clusters)
      : planned_(planned), scorer_(scorer), chosen_(chosen), clusters_(clusters) {}

  Pool pool(Pooling pooling, const std::string& contract) const {
    switch (pooling) {
      case Pooling::findings:
        return pool_findings(contract);
      case Pooling::cases:
        return pool_cases(contract);
      case Pooling::categories:
        return pool_categories(contract);
      case Pooling::matches:
        return pool_matches(contract);
      default:
        return pool_counts(pooling, contract);
    }
  }

 private:
  std::size_t position(std::string_view contract) const {
    return static_cast<std::size_t>(find_planned(planned_, contract) - planned_.data());
  }

  const std::vector<Score>& scores(const FindingInCase& view) const {
    return scorer_ == Scorer::strict ? view.finding->strict : view.finding->official;
  }

  bool failed(const FindingInCase& view) const {
    return (scorer_ == Scorer::strict ? view.scored_case->status : view.scored_case->official_status) !=
           CaseStatus::scored;
  }

  Pool empty_pool(std::size_t width, ClusterBootstrap::Statistic statistic, std::string reason) const {
    return {width, std::vector<double>(clusters_ * width), std::move(statistic), std::move(reason), 0, 0, 0};
  }

  // Calls visit(view, score) for every finding with a value, and counts the others.
  template <typename Visit>
  void for_each_defined(const std::string& contract, Pool& pool, Visit visit) const {
    const std::size_t at = position(contract);
    for (const FindingInCase& view : chosen_) {
      pool.n_failed += failed(view) ? 1 : 0;
      if (scores(view).empty()) continue;
      const Score& score = scores(view)[at];
      if (score.defined()) {
        visit(view, score.value());
      } else {
        ++pool.n_undefined;
      }
    }
  }

  Pool pool_findings(const std::string& contract) const {
    Pool out = empty_pool(2, mean_of, "no finding has a value");
    for_each_defined(contract, out, [&out](const FindingInCase& view, double value) {
      out.sums[view.cluster * 2] += value;
      out.sums[view.cluster * 2 + 1] += 1;
      ++out.n;
    });
    return out;
  }

  Pool pool_cases(const std::string& contract) const {
    struct Case {
      double sum = 0;
      double count = 0;
      std::size_t cluster = 0;
    };
    Pool out = empty_pool(2, mean_of, "no case has a value");
    std::map<std::string_view, Case> cases;
    for_each_defined(contract, out, [&cases](const FindingInCase& view, double value) {
      Case& of = cases[view.scored_case->name];
      of.sum += value;
      of.count += 1;
      of.cluster = view.cluster;
    });
    for (const auto& [name, of] : cases) {
      out.sums[of.cluster * 2] += of.sum / of.count;
      out.sums[of.cluster * 2 + 1] += 1;
    }
    out.n = static_cast<std::int64_t>(cases.size());
    // Here the units are cases, so failures and undefined scores are counted in cases too.
    std::map<std::string_view, bool> seen;
    for (const FindingInCase& view : chosen_) seen[view.scored_case->name] = failed(view);
    out.n_failed = std::count_if(seen.begin(), seen.end(), [](const auto& item) { return item.second; });
    const std::int64_t left_out = scorer_ == Scorer::official ? out.n_failed : 0;
    out.n_undefined = static_cast<std::int64_t>(seen.size()) - out.n - left_out;
    return out;
  }

  Pool pool_categories(const std::string& contract) const {
    std::map<std::string_view, std::size_t> categories;
    const auto category_of = [](const FindingInCase& view) {
      return rexgroundingct::category_group(view.finding->category);
    };
    for (const FindingInCase& view : chosen_) categories.emplace(category_of(view), 0);
    std::size_t next = 0;
    for (auto& [category, index] : categories) index = next++;
    const auto mean_of_means = [](std::span<const double> sums) -> std::optional<double> {
      double total = 0;
      double count = 0;
      for (std::size_t i = 0; i < sums.size(); i += 2) {
        if (sums[i + 1] == 0) continue;
        total += sums[i] / sums[i + 1];
        ++count;
      }
      return ratio(total, count);
    };
    Pool out = empty_pool(2 * categories.size(), mean_of_means, "no finding has a value");
    for_each_defined(contract, out, [&](const FindingInCase& view, double value) {
      const std::size_t at = view.cluster * out.width + 2 * categories.at(category_of(view));
      out.sums[at] += value;
      out.sums[at + 1] += 1;
    });
    out.n = static_cast<std::int64_t>(categories.size());
    return out;
  }

  // The count behind a share: "distance_tp_strict18" for "distance_f1_strict18".
  std::string count_contract(std::string_view kind, std::string_view share) const {
    const std::string family = share.starts_with("distance_") ? "distance_" : "instance_";
    return family + std::string(kind) + (scorer_ == Scorer::strict ? "_strict18" : "_greedy18");
  }

  Pool pool_matches(const std::string& contract) const {
    Pool out = empty_pool(2, mean_of, "no matched entity");
    const std::size_t matches_at = position(count_contract("tp", contract));
    for_each_defined(contract, out, [&](const FindingInCase& view, double value) {
      const double matches = scores(view)[matches_at].value();
      out.sums[view.cluster * 2] += value * matches;
      out.sums[view.cluster * 2 + 1] += matches;
      out.n += static_cast<std::int64_t>(matches);
    });
    return out;
  }

  Pool pool_counts(Pooling pooling, const std::string& contract) const {
    const bool official = scorer_ == Scorer::official;
    const auto share = [official](double part, double whole) -> std::optional<double> {
      if (whole == 0 && official) return 1.0;
      return ratio(part, whole);
    };
    const auto statistic = [=](std::span<const double> n) -> std::optional<double> {
      const auto precision = share(n[0], n[0] + n[1]);
      const auto recall = share(n[0], n[0] + n[2]);
      if (pooling == Pooling::precision) return precision;
      if (pooling == Pooling::recall) return recall;
      return official ? f1_of(*precision, *recall) : ratio(2 * n[0], 2 * n[0] + n[1] + n[2]);
    };
    Pool out = empty_pool(3, statistic,
                          pooling == Pooling::precision ? "no predicted instance" : "no reference entity");
    const std::string kinds[] = {count_contract("tp", contract), count_contract("fp", contract),
                                 count_contract("fn", contract)};
    for (std::size_t k = 0; k < 3; ++k) {
      out.n = out.n_undefined = out.n_failed = 0;
      for_each_defined(kinds[k], out, [&](const FindingInCase& view, double value) {
        out.sums[view.cluster * 3 + k] += value;
        ++out.n;
      });
    }
    return out;
  }

  const std::vector<PlannedMetric>& planned_;
  Scorer scorer_;
  const std::vector<FindingInCase>& chosen_;
  std::size_t clusters_;
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
    official_stopped_ = "the published scorer stops at " + scored.name + ": " + scored.official_reason;
  }
}

Slots Aggregator::slots(Scorer scorer, const std::vector<FindingInCase>& chosen) const {
  Slots out;
  const std::vector<PlannedMetric> metrics = plan_.metrics_of(scorer);
  const Pooler pooler(metrics, scorer, chosen, clusters_);
  for (const PlannedSlot& wanted : planned_slots(plan_, scorer, metrics)) {
    const MetricContract& contract = wanted.planned->metric->contract;
    const Pool pool = pooler.pool(wanted.pooling, contract.id);
    SlotValue slot{.slot = wanted.slot,
                   .metric = wanted.planned->id,
                   .version = contract.version,
                   .better = contract.better,
                   .n = pool.n,
                   .n_undefined = pool.n_undefined,
                   .n_failed = pool.n_failed};
    std::vector<double> total(pool.width);
    for (std::size_t i = 0; i < pool.sums.size(); ++i) total[i % pool.width] += pool.sums[i];
    if (scorer == Scorer::official && !official_stopped_.empty()) {
      slot.reason = official_stopped_;
    } else if (const auto value = pool.n == 0 ? std::nullopt : pool.statistic(total)) {
      slot.value = value;
      slot.ci95 = bootstrap_.interval95(pool.sums, pool.width, pool.statistic);
    } else {
      slot.reason = pool.reason;
    }
    out.push_back(std::move(slot));
  }
  return out;
}

}  // namespace fiducial
