#include "fiducial/board/board_file.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

using Cells = std::vector<std::string>;

// A table that grows: columns by name, rows of text.
struct GrowingTable {
  Cells columns;
  std::vector<Cells> rows;

  std::size_t column(const std::string& name) {
    const auto found = std::find(columns.begin(), columns.end(), name);
    if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
    columns.push_back(name);
    for (Cells& row : rows) row.emplace_back();
    return columns.size() - 1;
  }

  std::string text() const {
    std::string out = csv_row(columns);
    for (const Cells& row : rows) out += csv_row(row);
    return out;
  }
};

GrowingTable table_of(const std::optional<CsvTable>& board) {
  GrowingTable out;
  if (!board) {
    out.columns = {"board", "model", "date"};
    return out;
  }
  out.columns = board->columns();
  for (std::size_t row = 0; row < board->rows(); ++row) {
    Cells cells;
    for (std::size_t column = 0; column < out.columns.size(); ++column)
      cells.emplace_back(board->cell(row, column));
    out.rows.push_back(std::move(cells));
  }
  return out;
}

}  // namespace

Result<BoardRow> board_row(const Json& summary) {
  BoardRow out;
  for (const char* key : {"benchmark", "split", "system"}) {
    FIDUCIAL_TRY(const Json* value, required_field(summary, key, ""));
    FIDUCIAL_TRY_DONE(expect_string(*value, std::string("/") + key));
  }
  out.board = text_at(summary, "benchmark") + " " + text_at(summary, "split");
  out.model = text_at(summary, "system");
  FIDUCIAL_TRY(const Json* metrics, required_field(summary, "metrics", ""));
  FIDUCIAL_TRY_DONE(expect_object(*metrics, "/metrics"));
  for (const auto& [slot, told] : *metrics->as_object()) {
    const Json* value = told.find("value");
    const std::optional<double> number = value == nullptr ? std::nullopt : value->as_number();
    if (number) out.measures.emplace_back(slot, *number);
  }
  return out;
}

Result<std::string> with_board_rows(const std::optional<CsvTable>& board, const std::vector<BoardRow>& rows,
                                    bool replace) {
  GrowingTable table = table_of(board);
  for (const BoardRow& row : rows) {
    const std::size_t name = table.column("board");
    const std::size_t model = table.column("model");
    const std::size_t date = table.column("date");
    const auto earlier = std::find_if(table.rows.begin(), table.rows.end(), [&](const Cells& cells) {
      return cells[name] == row.board && cells[model] == row.model;
    });
    if (earlier != table.rows.end() && !replace)
      return bad_usage(row.board + " has a row of " + row.model + " already; --overwrite replaces it");
    if (earlier != table.rows.end()) table.rows.erase(earlier);
    for (const auto& [measure, value] : row.measures) table.column(measure);
    Cells cells(table.columns.size());
    cells[name] = row.board;
    cells[model] = row.model;
    cells[date] = row.date;
    for (const auto& [measure, value] : row.measures) cells[table.column(measure)] = shortest(value);
    table.rows.push_back(std::move(cells));
  }
  return table.text();
}

}  // namespace fiducial
