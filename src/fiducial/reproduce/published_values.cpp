#include "fiducial/reproduce/published_values.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/number_text.h"
#include "fiducial/stats/wilson.h"
#include "fiducial/table/csv.h"

namespace fiducial {

std::string_view embedded_published_medthinkvqa();
std::string_view embedded_published_models();
std::string_view embedded_published_radgenome();
std::string_view embedded_published_rexgroundingct();

namespace {

struct PublishedFile {
  std::string_view benchmark;
  std::string_view (*text)();
};

constexpr PublishedFile published_files[] = {{"medthinkvqa", embedded_published_medthinkvqa},
                                             {"rexgroundingct", embedded_published_rexgroundingct},
                                             {"radgenome", embedded_published_radgenome}};

// One cell of a published table.
struct PublishedCell {
  std::string table;
  std::string row;  // its names, between |
  std::string column;
  ResultCell cell;
  std::string source;
};

ResultCell published_cell(const std::string& value, const std::string& n, const std::string& words) {
  ResultCell out{.words = words};
  const auto number = parse_double(value);
  if (!number) return out;
  out.value = ReportedValue{.value = number};
  const auto count = parse_integer(n);
  if (!count || *count < 1) return out;
  const std::int64_t ones = std::llround(*number * static_cast<double>(*count));
  const Interval interval = wilson95(ones, *count);
  out.value->n = *count;
  out.value->low = interval.low;
  out.value->high = interval.high;
  return out;
}

Result<std::vector<PublishedCell>> read_published(std::string_view text) {
  FIDUCIAL_TRY(const CsvTable table, parse_csv(text));
  std::vector<PublishedCell> out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto text_of = [&](std::size_t column) { return std::string(table.cell(row, column)); };
    out.push_back({.table = text_of(0),
                   .row = text_of(1),
                   .column = text_of(2),
                   .cell = published_cell(text_of(3), text_of(4), text_of(5)),
                   .source = text_of(6)});
  }
  return out;
}

std::vector<std::string> names_in(std::string_view row) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t end = row.find('|');
    out.emplace_back(row.substr(0, end));
    if (end == std::string_view::npos) return out;
    row.remove_prefix(end + 1);
  }
}

// The place of a column. One that is missing is put where columns in alphabetical order have it, else behind
// them.
std::size_t column_of(ResultTable& table, const std::string& name) {
  auto found = std::find(table.columns.begin(), table.columns.end(), name);
  if (found != table.columns.end()) return static_cast<std::size_t>(found - table.columns.begin());
  if (std::is_sorted(table.columns.begin(), table.columns.end()))
    found = std::lower_bound(table.columns.begin(), table.columns.end(), name);
  const auto at = found - table.columns.begin();
  table.columns.insert(found, name);
  for (ResultRow& row : table.rows) {
    const ResultCell cell{.missing = row.source.empty() ? "its split has none of that kind" : ""};
    row.cells.insert(row.cells.begin() + at, cell);
  }
  return static_cast<std::size_t>(at);
}

void add_cell(ResultTable& table, const PublishedCell& published) {
  const std::size_t column = column_of(table, published.column);
  const std::vector<std::string> names = names_in(published.row);
  const auto is_row = [&](const ResultRow& row) {
    return row.names == names && row.source == published.source;
  };
  auto found = std::find_if(table.rows.begin(), table.rows.end(), is_row);
  if (found == table.rows.end()) {
    table.rows.push_back({.names = names, .cells = {}, .source = published.source});
    found = table.rows.end() - 1;
  }
  found->cells.resize(table.columns.size());
  found->cells[column] = published.cell;
  const auto own = std::find_if(table.rows.begin(), table.rows.end(), [](const ResultRow& row) {
    return row.source.empty() && !row.cells.empty();
  });
  if (own != table.rows.end()) found->cells[column].factor = own->cells[column].factor;
}

}  // namespace

Outcome add_published_values(const std::string& benchmark, std::vector<ResultTable>& tables) {
  for (const PublishedFile& file : published_files) {
    if (file.benchmark != benchmark) continue;
    FIDUCIAL_TRY(const std::vector<PublishedCell> published, read_published(file.text()));
    for (const PublishedCell& each : published) {
      for (ResultTable& table : tables) {
        if (table.id == each.table) add_cell(table, each);
      }
    }
  }
  return done();
}

Result<ModelFactsTable> published_model_facts() { return parse_model_facts(embedded_published_models()); }

}  // namespace fiducial
