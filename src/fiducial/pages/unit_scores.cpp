#include "fiducial/pages/unit_scores.h"

#include <algorithm>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

// Units are findings, or else of a case as a whole or of one of its regions.
bool is_numbered(std::string_view what) { return what == "finding"; }

std::string without_ending(const std::string& name) {
  for (const std::string_view ending : {".nii.gz", ".nii"}) {
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  }
  return name;
}

const Measure* find_measure(const ScoreRun& run, std::string_view slot) {
  for (const Measure& measure : run.measures) {
    if (measure.slot == slot && run.columns[measure.column].scorer == run.primary()) return &measure;
  }
  return nullptr;
}

}  // namespace

std::optional<double> unit_value(const ScoreColumn& column, std::size_t unit) {
  const PooledColumn pooled = column.pooled();
  return pooled.defined(unit) ? std::optional(pooled.value(unit)) : std::nullopt;
}

bool is_scored(const ScoreRun& run, const ScoreColumn& column, std::size_t unit) {
  const auto mark = column.marks ? static_cast<std::size_t>((*column.marks)[unit]) : 0;
  return run.marks[mark].status != "missing" && run.marks[mark].status != "failed";
}

const ScoreColumn* column_of(const ScoreRun& run, std::string_view slot) {
  const Measure* measure = find_measure(run, slot);
  return measure == nullptr ? nullptr : &run.columns[measure->column];
}

const ScoreColumn* dotted_column(const ScoreRun& run, std::string_view slot) {
  const Measure* measure = find_measure(run, slot);
  const bool is_mean = measure != nullptr && measure->statistic.kind == Statistic::Kind::ratio;
  return is_mean && !measure->is_share_of_cases ? &run.columns[measure->column] : nullptr;
}

const ScoreColumn* find_column(const ScoreRun& run, std::string_view contract, Scorer scorer) {
  for (const ScoreColumn& column : run.columns) {
    if (column.scorer == scorer && column.contract->id.starts_with(contract)) return &column;
  }
  return nullptr;
}

const LabelledUnits* find_group(const ScoreRun& run, std::string_view kind, std::string_view label) {
  for (const GroupKind& each : run.groups) {
    if (each.kind != kind) continue;
    const auto found = std::find_if(each.groups.begin(), each.groups.end(),
                                    [label](const LabelledUnits& group) { return group.label == label; });
    if (found != each.groups.end()) return &*found;
  }
  return nullptr;
}

std::string unit_name(const ScoreRun& run, std::size_t unit, std::string_view what) {
  const RunUnit& at = run.units[unit];
  return run.cases[at.at].name + (is_numbered(what) ? ", finding " + decimal(at.number) : "");
}

std::string short_unit_name(const ScoreRun& run, std::size_t unit, std::string_view what) {
  const RunUnit& at = run.units[unit];
  return without_ending(run.cases[at.at].name) + (is_numbered(what) ? " · " + decimal(at.number) : "");
}

}  // namespace fiducial
