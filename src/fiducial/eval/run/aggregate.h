#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/eval/run/score_run.h"

namespace fiducial {

// The value of one measure over some units.
struct SlotValue {
  const Measure* measure = nullptr;
  const ScoreColumn* column = nullptr;
  std::optional<double> value;
  std::string reason;             // why there is none
  std::optional<double> ceiling;  // what the reference as its own prediction gets, where that is not the best
  std::optional<double> floor;    // what the baseline gets that was given
  std::optional<Interval> ci95;   // none of few patients, nor where every resample gives the same
  std::string no_interval;        // why a value has none, where it is for want of patients
  std::optional<Interval> wilson95;  // of shares of cases, whose ci95 it is
  std::int64_t correct = 0;          // likewise
  std::int64_t n = 0;                // cases, findings, questions, texts or matches behind the value
  std::int64_t n_undefined = 0;      // left out because they have no score of their own
  std::int64_t n_failed = 0;         // without a usable prediction: zeros in strict, left out in official
  std::int64_t patients = 0;         // behind the value
};

// The slots of every scorer over a group of units.
struct PooledGroup {
  std::string kind;  // "" for everything
  std::string label;
  std::array<std::vector<SlotValue>, 2> by_scorer;
  std::int64_t patients = 0;

  const std::vector<SlotValue>& slots(Scorer scorer) const {
    return by_scorer[static_cast<std::size_t>(scorer)];
  }
  bool empty() const { return by_scorer[0].empty() && by_scorer[1].empty(); }
};

// The values of a run: of everything, then of its groups in their order. Looks into the run.
struct PooledRun {
  PooledGroup all;
  std::vector<PooledGroup> groups;
};

// Pools the measures of a run over all units and over every group, with intervals from resampling patients.
// All groups share the same draws, and nothing depends on the number of threads. Fails only when the call is
// given up or a stop was asked for.
Result<PooledRun> pooled(const ScoreRun& run, const Executor& executor);

}  // namespace fiducial
