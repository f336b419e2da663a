#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/table/table.h"

namespace fiducial {

// Which rows of a score folder are wanted.
struct RowQuery {
  std::string metric;             // id; empty: all, or the first of the run where the worst are wanted
  std::string scorer = "strict";  // "official", or "" for both
  std::vector<std::string>
      where;  // COLUMN=VALUE, all of them; "group_" before a kind of groups may be left out
  std::optional<std::int64_t> worst;  // only so many, the worst first
};

// Rows of a table by number, in the order in which they are shown.
struct ChosenRows {
  std::shared_ptr<const Table> table;
  std::vector<std::size_t> rows;
};

// Reads rows.parquet of a score folder and chooses. Among the worst, predictions that are missing or failed
// come first; rows without a value for another reason are left out. Refuses metrics, columns and scorers that
// the run does not have, with what was probably meant.
Result<ChosenRows> choose_rows(const Path& score_folder, const RowQuery& query);
// The same of rows that are in memory.
Result<ChosenRows> choose_rows(std::shared_ptr<const Table> rows, const RowQuery& query);
// What was chosen as a table of its own.
Table chosen_table(const ChosenRows& chosen);

// The columns that a terminal shows: a row of names, then the cells of each row.
std::vector<std::vector<std::string>> shown_rows(const ChosenRows& chosen);
// As CSV and as JSON, with every column.
std::string rows_csv(const ChosenRows& chosen);
Json rows_json(const ChosenRows& chosen);

}  // namespace fiducial
