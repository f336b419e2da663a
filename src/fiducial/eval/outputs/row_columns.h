#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fiducial/metrics/contract.h"
#include "fiducial/table/table.h"

namespace fiducial {

// One row of rows.parquet.
struct ScoreRow {
  std::string case_name;
  std::string patient;
  std::int64_t finding = 0;
  std::string category;
  Scorer scorer = Scorer::strict;
  std::string metric;
  int version = 1;
  std::string status;  // "scored", "undefined", "missing" or "failed"
  std::optional<double> value;
  std::optional<std::string> reason;  // none where it is scored
};

// The columns of rows.parquet while they are filled (schema fiducial.rows/1).
class RowColumns {
 public:
  void reserve(std::size_t rows);
  // Further columns stand at the end, those of groups as "group_<kind>".
  void add(ScoreRow row);
  Table take(std::vector<Column> further);

 private:
  Column::Strings case_, patient_, category_, scorer_, metric_, status_, reason_;
  Column::Integers finding_, version_;
  Column::Numbers value_;
};

inline constexpr const char* group_column_prefix = "group_";

}  // namespace fiducial
