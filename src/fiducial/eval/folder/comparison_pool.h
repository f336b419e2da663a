#pragma once

#include <string>
#include <vector>

#include "fiducial/eval/folder/score_folder.h"
#include "fiducial/eval/run/statistic.h"

namespace fiducial {

// How the rows of a metric become a slot.
struct PoolRule {
  std::string slot;    // "dice_per_case"
  std::string metric;  // "dice"
  int version = 1;
  Direction better = Direction::higher;
  Statistic statistic;
  std::vector<std::string> counts;  // metrics of true positives, false positives and false negatives
};

// The rules of a scorer's slots in the order of the summary, as the rows' metadata say; of tables of earlier
// versions as names of slots and metrics tell.
Result<std::vector<PoolRule>> pool_rules(const ScoreFolder& folder, Scorer scorer);
// The same for tables without such metadata.
Result<std::vector<PoolRule>> first_pool_rules(const Json& slots, Scorer scorer);

// Sums for every patient, and how they become the value.
struct Pool {
  std::size_t width = 0;
  std::vector<double> sums;  // patient by patient
  ClusterBootstrap::Statistic statistic;
  std::int64_t n = 0;    // cases, categories, units or matches behind the value
  bool stopped = false;  // the published scorer stops at a prediction of this run, and gives nothing

  std::optional<double> value() const;
};

// Pools rows over chosen units. Patients are numbered in the order of the rows.
class Pooling {
 public:
  Pooling(const FindingRows& rows, Scorer scorer);

  std::size_t patients() const { return units_.patient_count; }
  // An integrity error names the rows that a rule needs and the table has not.
  Result<Pool> pool(const PoolRule& rule, const std::vector<std::size_t>& chosen) const;

 private:
  struct Stored {
    UnitValues sums;
    UnitValues weights;
  };
  Result<const Stored*> find(const std::string& metric) const;

  std::map<std::string, Stored, std::less<>> columns_;
  PooledUnits units_;
  bool is_weighted_ = false;  // rows of weight 0 may be lacking
  bool stopped_ = false;
};

// Holds every value of a summary, groups too, against its rows. A value that does not follow from them within
// 1e-12 is an integrity failure that names it.
Outcome check_summary(const ScoreFolder& folder, const FindingRows& rows, Scorer scorer);

}  // namespace fiducial
