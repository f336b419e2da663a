#pragma once

#include <string>
#include <vector>

#include "fiducial/eval/run/score_run.h"

namespace fiducial {

// One measure of a family while it is filled: a ratio of two sums over units.
struct FamilyMeasure {
  std::string slot;
  const MetricContract* contract = nullptr;
  UnitValues sums;              // beside the run's units
  UnitValues weights;           // likewise; empty: the counts of the family
  bool counts_defined = false;  // weights are how many of the counts have a score of their own
  std::string variant{};        // behind the contract's id, where a parameter is not the usual one
};

// The measures of questions of one kind, and how many of them each unit has.
struct ScoreFamily {
  std::string name;
  std::string absence;  // why there is no value where nothing was counted
  std::string counted;  // what counts are of: "questions"
  UnitValues counts;    // beside the run's units
  UnitValues failed;    // of counts: without an answer
  std::vector<FamilyMeasure> measures;

  FamilyMeasure& add(const std::string& slot, const MetricContract& contract, bool has_weights = false);
};

// Adds the measures of a family to a run. A unit all of whose questions failed has rows that say so.
void add_family(ScoreRun& run, ScoreFamily family, bool has_every_row = false);

}  // namespace fiducial
