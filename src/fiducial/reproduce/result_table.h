#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/eval/outputs/summary_values.h"

namespace fiducial {

// A value with its interval, or what is missing for it.
struct ResultCell {
  std::optional<ReportedValue> value;
  std::optional<double> number;  // a plain number instead, such as tokens
  std::string words;             // or words
  std::string missing;           // what must be run for it; empty: nothing can be missing
  double factor = 100;           // values are shown in percent
};

struct ResultRow {
  std::vector<std::string> names;
  std::vector<ResultCell> cells;
  std::string source = {};  // of published values; empty: made from scores
};

// A table of a paper.
struct ResultTable {
  std::string id;  // of its files: "image_share"
  std::string title;
  std::string value;                 // what the cells measure: "accuracy, percent"
  std::vector<std::string> names;    // titles of what a row is known by
  std::vector<std::string> columns;  // titles of the cells
  std::vector<ResultRow> rows;
  bool has_picture = true;

  std::int64_t empty_cells() const;
};

// For a terminal: "54.3 [50.7, 57.9]", or "-" with what is missing below the table.
std::string result_text(const ResultTable& table);
// One line a cell: row, column, value, low, high, n, missing.
std::string result_csv(const ResultTable& table);
// All tables, schema fiducial.tables/1.
Json result_json(const std::string& benchmark, const std::vector<ResultTable>& tables);
// Bars by column, a series a row; empty where the table has no picture or no value.
std::string result_svg(const ResultTable& table);

}  // namespace fiducial
