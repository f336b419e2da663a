#include "fiducial/reproduce/result_table.h"

#include <algorithm>
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

constexpr std::size_t most_series = 12;

// What is missing, with the cells that wait for it.
std::string missing_text(const ResultTable& table) {
  std::map<std::string, std::vector<std::string>> cells_by_need;
  for (const ResultRow& row : table.rows) {
    for (std::size_t i = 0; row.source.empty() && i < row.cells.size(); ++i) {
      if (is_empty(row.cells[i]) && !row.cells[i].missing.empty())
        cells_by_need[row.cells[i].missing].push_back(row_name(row) + ", " + table.columns[i]);
    }
  }
  std::string out;
  for (const auto& [need, cells] : cells_by_need)
    out += "  missing for " + joined(cells, "; ") + ": " + need + "\n";
  return out;
}

// Where published rows are from, in the order of the table.
std::vector<std::string> sources_of(const ResultTable& table) {
  std::vector<std::string> out;
  for (const ResultRow& row : table.rows) {
    if (!row.source.empty() && std::find(out.begin(), out.end(), row.source) == out.end())
      out.push_back(row.source);
  }
  return out;
}

std::string mark_of(std::size_t source) { return "published [" + decimal(source + 1) + "]"; }

Json number_json(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

Json cell_json(const ResultCell& cell, const std::string& column) {
  Json out = Json::object({{"column", column}});
  if (cell.value && cell.value->value) {
    out.set("value", *cell.value->value);
    out.set("low", number_json(cell.value->low));
    out.set("high", number_json(cell.value->high));
    out.set("n", cell.value->n > 0 ? Json(cell.value->n) : Json());
  } else if (cell.number) {
    out.set("value", *cell.number);
  } else if (!cell.words.empty()) {
    out.set("words", cell.words);
  } else {
    out.set("missing", cell.missing);
  }
  return out;
}

std::string number_text(const std::optional<double>& number) { return number ? shortest(*number) : ""; }

}  // namespace

std::int64_t ResultTable::empty_cells() const {
  std::int64_t out = 0;
  for (const ResultRow& row : rows) {
    if (!row.source.empty()) continue;
    for (const ResultCell& cell : row.cells) out += is_empty(cell) ? 1 : 0;
  }
  return out;
}

std::string result_text(const ResultTable& table) {
  const std::vector<std::string> sources = sources_of(table);
  const bool is_marked = !sources.empty();
  TextTable out(std::vector<TextTable::Align>(table.names.size() + table.columns.size() + (is_marked ? 1 : 0),
                                              TextTable::Align::left));
  std::vector<std::string> head = table.names;
  head.insert(head.end(), table.columns.begin(), table.columns.end());
  if (is_marked) head.emplace_back("from");
  out.add(std::move(head));
  bool has_own = false;
  for (const ResultRow& row : table.rows) {
    std::vector<std::string> cells = row.names;
    for (const ResultCell& cell : row.cells)
      cells.push_back(row.source.empty() || !is_empty(cell) ? cell_text(cell) : "");
    const auto source = std::find(sources.begin(), sources.end(), row.source);
    if (is_marked)
      cells.push_back(source == sources.end() ? "your scores"
                                              : mark_of(static_cast<std::size_t>(source - sources.begin())));
    has_own = has_own || row.source.empty();
    out.add(std::move(cells));
  }
  std::string text = table.title + " (" + table.value + ")\n" + (table.rows.empty() ? "" : out.text("  "));
  if (!has_own) text += "  no run is of this kind\n";
  for (std::size_t i = 0; i < sources.size(); ++i) text += "  " + mark_of(i) + " " + sources[i] + "\n";
  return text + missing_text(table);
}

std::string result_csv(const ResultTable& table) {
  std::vector<std::string> head = table.names;
  for (const char* name : {"column", "value", "low", "high", "n", "missing", "source"})
    head.emplace_back(name);
  std::string out = csv_row(head);
  for (const ResultRow& row : table.rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const ResultCell& cell = row.cells[i];
      std::vector<std::string> cells = row.names;
      cells.push_back(table.columns[i]);
      if (cell.value && cell.value->value) {
        cells.insert(cells.end(),
                     {number_text(cell.value->value), number_text(cell.value->low),
                      number_text(cell.value->high), cell.value->n > 0 ? decimal(cell.value->n) : ""});
      } else {
        cells.insert(cells.end(), {cell.number ? number_text(cell.number) : cell.words, "", "", ""});
      }
      if (is_empty(cell) && !row.source.empty()) continue;  // nothing was published
      cells.push_back(is_empty(cell) ? cell.missing : "");
      cells.push_back(row.source);
      out += csv_row(cells);
    }
  }
  return out;
}

Json result_json(const std::string& benchmark, const std::vector<ResultTable>& tables) {
  Json listed = Json::Array{};
  for (const ResultTable& table : tables) {
    Json rows = Json::Array{};
    for (const ResultRow& row : table.rows) {
      Json cells = Json::Array{};
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        if (is_empty(row.cells[i]) && !row.source.empty()) continue;  // nothing was published
        cells.push(cell_json(row.cells[i], table.columns[i]));
      }
      rows.push(Json::object({{"names", Json::strings(row.names)},
                              {"published_by", row.source.empty() ? Json() : Json(row.source)},
                              {"cells", std::move(cells)}}));
    }
    listed.push(Json::object({{"id", table.id},
                              {"title", table.title},
                              {"value", table.value},
                              {"names", Json::strings(table.names)},
                              {"columns", Json::strings(table.columns)},
                              {"empty_cells", table.empty_cells()},
                              {"rows", std::move(rows)}}));
  }
  return Json::object(
      {{"schema", "fiducial.tables/1"}, {"benchmark", benchmark}, {"tables", std::move(listed)}});
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
    const bool has_bars = std::any_of(row.cells.begin(), row.cells.end(),
                                      [](const ResultCell& cell) { return cell.value && cell.value->value; });
    // Published values fill what room there is; all of them stand in the CSV file.
    if (!row.source.empty() && (!has_bars || chart.series.size() >= most_series)) continue;
    BarSeries series{.name = row_name(row) + (row.source.empty() ? "" : " (published)")};
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
