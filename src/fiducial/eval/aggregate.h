#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/eval/case_score.h"
#include "fiducial/eval/plan.h"
#include "fiducial/stats/bootstrap.h"

namespace fiducial {

// How the reason begins where the published scorer would have given nothing; the case follows.
inline constexpr std::string_view official_stops_at = "the published scorer stops at ";

// One aggregate of a run: a slot such as "dice_per_case", filled from one contract.
struct SlotValue {
  std::string slot;
  std::string metric;  // id of the contract, with changed parameters
  int version = 1;
  std::string unit = "1";
  Direction better = Direction::higher;
  std::optional<double> value;
  std::string reason;  // why there is no value
  std::optional<Interval> ci95;
  std::int64_t n = 0;            // cases, findings or matches behind the value
  std::int64_t n_undefined = 0;  // left out because their own score is undefined
  std::int64_t n_failed = 0;     // of missing or failed predictions: zeros in strict, left out in official
};
using Slots = std::vector<SlotValue>;

// A finding together with the case it belongs to.
struct FindingInCase {
  const CaseScore* scored_case = nullptr;
  const FindingScore* finding = nullptr;
  std::size_t cluster = 0;  // patient
};

// Pools the scores of a run, over everything or over groups of findings, with patient-clustered intervals.
class Aggregator {
 public:
  Aggregator(const ScorePlan& plan, const std::vector<CaseScore>& cases);

  const std::vector<FindingInCase>& findings() const { return findings_; }
  // Every slot that the plan's metrics of that scorer can fill.
  Slots slots(Scorer scorer, const std::vector<FindingInCase>& chosen) const;

 private:
  const ScorePlan& plan_;
  std::size_t clusters_ = 0;  // set while findings_ are collected
  std::vector<FindingInCase> findings_;
  ClusterBootstrap bootstrap_;
  std::string official_stopped_;  // why the published scorer would have given nothing
};

}  // namespace fiducial
