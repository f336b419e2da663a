#include "fiducial/reproduce/result_table.h"

#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/drawing/chart.h"
#include "fiducial/table/csv.h"
#include "fiducial/terminal/text_table.h"

namespace fiducial {

namespace {

bool is_empty(const ResultCell& cell) {
  return !(cell.value && cell.value->value) && !cell.number && cell.words.empty();
}

std::string cell_text(const ResultCell& cell) {
  if (!cell.words.empty()) return cell.words;
  if (cell.number) return fixed(*cell.number, 1);
  if (is_empty(cell)) return "-";
  std::string out = fixed(cell.factor * *cell.value->value, 1);
  if (cell.value->low && cell.value->high) {
    out += " [" + fixed(cell.factor * *cell.value->low, 1) + ", " +
           fixed(cell.factor * *cell.value->high, 1) + "]";
  }
  return out;
}

std::string row_name(const ResultRow& row) { return joined(row.names, " "); }

// What is missing, with the cells that wait for it.
std::string missing_text(const ResultTable& table) {
  std::map<std::string, std::vector<std::string>> cells_by_need;
  for (const ResultRow& row : table.rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (is_empty(row.cells[i]) && !row.cells[i].missing.empty())
        cells_by_need[row.cells[i].missing].push_back(row_name(row) + ", " + table.columns[i]);
    }
  }
  std::string out;
  for (const auto& [need, cells] : cells_by_need)
    out += "  missing for " + joined(cells, "; ") + ": " + need + "\n";
  return out;
}

std::string number_text(const std::optional<double>& number) { return number ? shortest(*number) : ""; }

}  // namespace

std::int64_t ResultTable::empty_cells() const {
  std::int64_t out = 0;
  for (const ResultRow& row : rows) {
    for (const ResultCell& cell : row.cells) out += is_empty(cell) ? 1 : 0;
  }
  return out;
}

std::string result_text(const ResultTable& table) {
  std::vector<TextTable::Align> alignments(table.names.size() + table.columns.size(), TextTable::Align::left);
  TextTable out(std::move(alignments));
  std::vector<std::string> head = table.names;
  head.insert(head.end(), table.columns.begin(), table.columns.end());
  out.add(std::move(head));
  for (const ResultRow& row : table.rows) {
    std::vector<std::string> cells = row.names;
    for (const ResultCell& cell : row.cells) cells.push_back(cell_text(cell));
    out.add(std::move(cells));
  }
  const std::string body = table.rows.empty() ? "  no run is of this kind\n" : out.text("  ");
  return table.title + " (" + table.value + ")\n" + body + missing_text(table);
}

std::string result_csv(const ResultTable& table) {
  std::vector<std::string> head = table.names;
  for (const char* name : {"column", "value", "low", "high", "n", "missing"}) head.emplace_back(name);
  std::string out = csv_row(head);
  for (const ResultRow& row : table.rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const ResultCell& cell = row.cells[i];
      std::vector<std::string> cells = row.names;
      cells.push_back(table.columns[i]);
      if (cell.value && cell.value->value) {
        cells.insert(cells.end(), {number_text(cell.value->value), number_text(cell.value->low),
                                   number_text(cell.value->high), decimal(cell.value->n)});
      } else {
        cells.insert(cells.end(), {cell.number ? number_text(cell.number) : cell.words, "", "", ""});
      }
      cells.push_back(is_empty(cell) ? cell.missing : "");
      out += csv_row(cells);
    }
  }
  return out;
}

std::string result_svg(const ResultTable& table) {
  if (!table.has_picture) return {};
  BarChart chart{.title = table.title,
                 .value_title = table.value,
                 .label_title = "",
                 .unit = " %",
                 .labels = table.columns};
  bool has_value = false;
  for (const ResultRow& row : table.rows) {
    BarSeries series{.name = row_name(row)};
    for (const ResultCell& cell : row.cells) {
      const double value = cell.value && cell.value->value ? cell.factor * *cell.value->value : 0;
      has_value = has_value || value > 0;
      series.bars.push_back({std::max(0.0, value), row_name(row) + ": " + cell_text(cell)});
    }
    chart.series.push_back(std::move(series));
  }
  return has_value ? vertical_bar_svg(chart) : std::string();
}

}  // namespace fiducial
