#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "fiducial/eval/run/score_run.h"

namespace fiducial {

// What every unit adds to the columns of a run, as far as it is 0 or 1: a bit a column. A group need only
// know how often each pattern of bits was drawn. Of runs in which a patient has several units, none.
class OutcomeBits {
 public:
  OutcomeBits(const ScoreRun& run, const PooledUnits& units);

  std::uint64_t of_unit(std::size_t unit) const { return of_units_[unit]; }
  // The bit of a column's values; nothing where it has other values.
  std::optional<unsigned> of_values(const UnitValues* values) const;
  bool empty() const { return of_values_.empty(); }

 private:
  static constexpr std::size_t most_bits = 64;
  void add(const UnitValues* values);

  std::map<const UnitValues*, unsigned> of_values_;
  std::vector<std::uint64_t> of_units_;
};

// Members of a group with the same bits, as one of many sets whose draws are counted at once.
struct OutcomeSet {
  std::uint64_t bits = 0;
  std::size_t set = 0;
};

// Groups whose draws are counted together: so many that fetching draws costs little, so few that their counts
// do not fill the memory.
class OutcomeBatch {
 public:
  explicit OutcomeBatch(const OutcomeBits& bits) : bits_(bits) {}

  void add(const UnitGroup& group);
  bool is_full() const { return sets_.size() >= 512 || (bits_.empty() && of_groups_.size() >= 64); }
  std::size_t size() const { return of_groups_.size(); }
  std::span<const std::vector<std::size_t>> sets() const { return sets_; }  // of patients
  std::span<const OutcomeSet> of_group(std::size_t at) const { return of_groups_[at]; }

 private:
  const OutcomeBits& bits_;
  std::vector<std::vector<std::size_t>> sets_;
  std::vector<std::vector<OutcomeSet>> of_groups_;
};

// The draws that the intervals of one group are made from.
struct GroupDraws {
  const ClusterBootstrap& bootstrap;
  const OutcomeBits& bits;
  const DrawnCounts& counts;
  std::span<const OutcomeSet> sets;

  // The sum of a column over every resample; `values` are its sums for the group's patients.
  std::vector<double> totals(const UnitValues* column, const UnitGroup& group,
                             std::span<const double> values) const;
};

}  // namespace fiducial
