#include "fiducial/tasks/finding_masks/mask_slots.h"

#include <algorithm>
#include <set>

#include "fiducial/metrics/finding_pair.h"

namespace fiducial {

namespace {

using Kind = Statistic::Kind;

struct SlotRule {
  std::string_view slot;
  Kind kind;
  std::string_view strict;    // contract behind it
  std::string_view official;  // empty: the published scorer has no such value
};

constexpr SlotRule slot_rules[] = {
    {"dice_per_case", Kind::case_means, "dice", "dice_rexrank_filtered"},
    {"dice_per_finding", Kind::ratio, "dice", "dice_rexrank_filtered"},
    {"dice_per_category", Kind::category_means, "dice", ""},
    {"dice_filtered_per_finding", Kind::ratio, "dice_filtered", ""},
    {"iou_per_finding", Kind::ratio, "iou", ""},
    {"hit_rate", Kind::ratio, "hit10", "hit10_rexrank_filtered"},
    {"hit5_rate", Kind::ratio, "hit5", ""},
    {"instance_precision", Kind::precision, "instance_precision_entity18", "instance_precision_greedy18"},
    {"instance_recall", Kind::recall, "instance_recall_entity18", "instance_recall_greedy18"},
    {"instance_f1", Kind::f1, "instance_f1_entity18", "instance_f1_greedy18"},
    {"matched_dice", Kind::matches, "matched_dice_entity18", "matched_dice_greedy18"},
    {"component_precision", Kind::precision, "instance_precision_strict18", ""},
    {"component_recall", Kind::recall, "instance_recall_strict18", ""},
    {"component_f1", Kind::f1, "instance_f1_strict18", ""},
    {"component_matched_dice", Kind::matches, "matched_dice_strict18", ""},
    {"nsd_per_finding", Kind::ratio, "nsd_surfel", ""},
    {"hd95_per_finding", Kind::ratio, "hd95_surfel_directed_max", ""},
    {"hd95_penalised_per_finding", Kind::ratio, "hd95_surfel_directed_max_penalised", ""},
    {"assd_per_finding", Kind::ratio, "assd_pooled", ""},
    {"assd_penalised_per_finding", Kind::ratio, "assd_pooled_penalised", ""},
    {"distance_precision", Kind::precision, "distance_precision_strict18", ""},
    {"distance_recall", Kind::recall, "distance_recall_strict18", ""},
    {"distance_f1", Kind::f1, "distance_f1_strict18", ""},
};

std::string contract_of(const SlotRule& rule, Scorer scorer, const MaskPlan& plan) {
  std::string id(scorer == Scorer::strict ? rule.strict : rule.official);
  if (scorer == Scorer::official && plan.global_only && id.ends_with("_filtered")) {
    id.replace(id.size() - 9, 9, "_raw");
  }
  return id;
}

const char* absence_of(Kind kind) {
  switch (kind) {
    case Kind::case_means:
      return "no case has a value";
    case Kind::matches:
      return "no matched entity";
    case Kind::precision:
      return "no predicted instance";
    case Kind::recall:
    case Kind::f1:
      return "no reference entity";
    default:
      return "no finding has a value";
  }
}

// Adds slots of one scorer.
class SlotWriter {
 public:
  SlotWriter(ScoreRun& run, Scorer scorer, std::size_t first) : run_(run), scorer_(scorer), first_(first) {}

  std::optional<std::size_t> find(std::string_view contract) const {
    for (std::size_t i = first_; i < run_.columns.size(); ++i) {
      if (run_.columns[i].contract->id == contract) return i;
    }
    return std::nullopt;
  }

  void add(const std::string& slot, Kind kind, std::size_t column) {
    Measure measure{.slot = slot,
                    .column = column,
                    .statistic = {.kind = kind},
                    .absence = absence_of(kind),
                    .excuse = std::string(partial_labels),
                    .counted = "findings"};
    const std::string& contract = run_.columns[column].contract->id;
    if (measure.statistic.is_share()) {
      measure.statistic.one_of_nothing = scorer_ == Scorer::official;
      for (const char* count : {"tp", "fp", "fn"})
        measure.counts.push_back(*find(count_contract(count, contract)));
    } else if (kind == Kind::matches) {
      measure.counts.push_back(*find(count_contract("tp", contract)));
    }
    run_.measures.push_back(std::move(measure));
    slotted_.insert(column);
  }

  bool has_slot(std::size_t column) const { return slotted_.contains(column); }

 private:
  // The count behind a share: "distance_tp_strict18" for "distance_f1_strict18".
  static std::string count_contract(std::string_view count, std::string_view share) {
    const std::string family = share.starts_with("distance_") ? "distance_" : "instance_";
    return family + std::string(count) + std::string(share.substr(share.rfind('_')));
  }

  ScoreRun& run_;
  Scorer scorer_;
  std::size_t first_;
  std::set<std::size_t> slotted_;
};

}  // namespace

void add_mask_slots(ScoreRun& run, const MaskPlan& plan, Scorer scorer, std::size_t first) {
  SlotWriter writer(run, scorer, first);
  for (const SlotRule& rule : slot_rules) {
    const auto column = writer.find(contract_of(rule, scorer, plan));
    if (column) writer.add(std::string(rule.slot), rule.kind, *column);
  }
  for (std::size_t i = first; i < run.columns.size(); ++i) {
    const MetricContract& contract = *run.columns[i].contract;
    if (writer.has_slot(i) || contract.unit == "count") continue;
    writer.add(contract.id + "_per_finding", Kind::ratio, i);
  }
}

}  // namespace fiducial
