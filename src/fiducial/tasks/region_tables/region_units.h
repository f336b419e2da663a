#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/datasets/radgenome/split.h"
#include "fiducial/eval/task/task_call.h"

namespace fiducial {

inline constexpr const char* whole_scan_part = "whole scan";

// What questions about volumes are counted by: a case and the region they are about. Every case has a unit
// for the whole scan. Parts are those of all volumes of the split, so that shards number them alike.
class RegionUnits {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  RegionUnits(const radgenome::Split& split, const TaskCall& call);

  const std::vector<std::string>& parts() const { return parts_; }  // labels, sorted
  const std::vector<RunCase>& cases() const { return cases_; }      // that are scored here, by name
  const std::vector<RunUnit>& units() const { return units_; }      // by case, then part

  std::uint32_t part_of(radgenome::TableKind kind, const radgenome::PooledRow& row) const;
  // Beside the rows of a table; none for those of volumes that are not scored here.
  std::vector<std::uint32_t> units_of(radgenome::TableKind kind, const radgenome::PooledTable& table) const;
  std::uint32_t whole_scan_of(std::uint32_t volume) const;
  // Nothing where a case is asked nothing about a region.
  std::optional<std::uint32_t> find(std::uint32_t at, const std::string& part) const;

  // Cases, units and the groups by region; one part is no group.
  void add_to(ScoreRun& run) const;

 private:
  void name_parts(const radgenome::Split& split);
  void name_cases(const radgenome::Split& split, const TaskCall& call);
  void name_units(const radgenome::Split& split);
  std::uint32_t part_named(std::string_view name) const;
  std::uint32_t unit_of(std::uint64_t key) const;

  std::vector<std::string> parts_;
  std::vector<std::uint32_t> part_of_text_;
  std::vector<RunCase> cases_;
  std::vector<std::uint32_t> case_of_volume_;  // or none
  std::vector<std::uint64_t> keys_;            // ascending; beside the units
  std::vector<RunUnit> units_;
};

}  // namespace fiducial
