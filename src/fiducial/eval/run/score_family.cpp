#include "fiducial/eval/run/score_family.h"

namespace fiducial {

FamilyMeasure& ScoreFamily::add(const std::string& slot, const MetricContract& contract, bool has_weights) {
  measures.push_back({.slot = slot, .contract = &contract, .sums = UnitValues(counts.size())});
  if (has_weights) measures.back().weights = UnitValues(counts.size());
  return measures.back();
}

void add_family(ScoreRun& run, ScoreFamily family, bool has_every_row) {
  const std::uint8_t unanswered = run.mark({"missing", "no answer"});
  UnitValues marks(family.counts.size());
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (family.counts[i] > 0 && family.failed[i] == family.counts[i]) marks[i] = unanswered;
  }
  const SharedValues asked = shared(std::move(family.counts));
  const SharedValues failed = shared(std::move(family.failed));
  const SharedValues shared_marks = shared(std::move(marks));
  for (FamilyMeasure& each : family.measures) {
    const std::size_t column =
        run.add({.contract = each.contract,
                 .id = each.contract->id + each.variant,
                 .sums = shared(std::move(each.sums)),
                 .weights = each.weights.empty() ? asked : shared(std::move(each.weights)),
                 .asked = asked,
                 .failed = failed,
                 .marks = shared_marks,
                 .counts_asked = !each.counts_defined,
                 .has_every_row = has_every_row});
    run.measures.push_back(
        {.slot = each.slot, .column = column, .absence = family.absence, .counted = family.counted});
  }
}

}  // namespace fiducial
