#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fiducial/eval/diagnostic_score.h"
#include "fiducial/stats/bootstrap.h"

namespace fiducial {

// The slots of every scorer over some cases.
struct PooledSlots {
  std::array<Json, 2> by_scorer;  // objects of slots, by Scorer; null where it was not asked for
};

// Pools the measures of a run over groups of cases, with intervals from resampling cases. All groups share
// the same draws, and nothing depends on the number of threads.
class DiagnosticAggregator {
 public:
  // Refuses kinds of groups that are unknown.
  static Result<DiagnosticAggregator> make(const DiagnosticRun& run, const Executor& executor);

  const Json& all(Scorer scorer) const { return pooled_.front().by_scorer[static_cast<std::size_t>(scorer)]; }
  Json groups(Scorer scorer) const;  // kind, then label

 private:
  Outcome pool(const DiagnosticRun& run, const Executor& executor);

  std::vector<DiagnosticGroup> groups_;  // the first is everyone
  std::vector<PooledSlots> pooled_;
};

// The two ends of an interval, as outputs have them.
Json interval_ends(const Interval& interval);

}  // namespace fiducial
