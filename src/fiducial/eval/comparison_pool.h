#pragma once

#include <string>
#include <vector>

#include "fiducial/eval/pooled_sums.h"
#include "fiducial/eval/score_folder.h"

namespace fiducial {

// How the rows of a metric become an aggregate: by its name and the id of the metric behind it.
struct PoolRule {
  std::string slot;    // "dice_per_case"
  std::string metric;  // "dice"
  int version = 1;
  Direction better = Direction::higher;
  PoolKind kind = PoolKind::findings;

  // The metric whose rows hold the count "tp", "fp" or "fn" that this slot is pooled from.
  std::string count_metric(std::string_view count) const;
};

// The rules of a summary's slots, in its order.
Result<std::vector<PoolRule>> pool_rules(const Json& slots);

// Pools rows over chosen findings. Patients are numbered in the order of the rows.
class Pooling {
 public:
  Pooling(const FindingRows& rows, Scorer scorer);

  std::size_t patients() const { return patients_; }
  // An integrity error names the rows that a rule needs and the table has not.
  Result<Pool> pool(const PoolRule& rule, const std::vector<std::size_t>& chosen) const;

 private:
  Result<std::vector<const FindingRows::Values*>> columns(const PoolRule& rule) const;
  Result<const FindingRows::Values*> values(const std::string& metric) const;
  Pool weighted_pool_of_nothing() const;
  Result<Pool> weighted_pool(const PoolRule& rule, const std::vector<double>& weights,
                             const std::vector<std::size_t>& chosen) const;
  // Ignored regions and partial labels change the ids of some counts of a matching and not of others: any is
  // taken.
  Result<const FindingRows::Values*> count_values(const PoolRule& rule, std::string_view count) const;

  const FindingRows& rows_;
  Scorer scorer_;
  std::vector<std::size_t> patient_of_;  // beside the findings
  std::size_t patients_ = 0;
  bool stopped_ = false;
};

// Holds every value of a summary, groups too, against its rows. A value that does not follow from them within
// 1e-12 is an integrity failure that names it.
Outcome check_summary(const ScoreFolder& folder, const FindingRows& rows, Scorer scorer);

}  // namespace fiducial
