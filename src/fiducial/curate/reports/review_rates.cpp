#include "fiducial/curate/reports/review_rates.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "fiducial/base/number_text.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/curate/reports/csv_rows.h"
#include "fiducial/stats/wilson.h"

namespace fiducial {

namespace {

using Tallies = std::map<std::string, ClusterCount>;  // by report

Error bad_row(const TickedSheet& sheet, const TickedRow& row, std::string message) {
  return Error(ErrorCode::invalid_data, std::move(message),
               Place{.path = sheet.path.string(), .line = row.line});
}

std::string item_name(const TickedRow& row) {
  return row.report + " " + row.kind + " " + row.item + " " + row.aspect;
}

Result<TickedRow> ticked_row(const CsvTable& table, std::size_t row) {
  TickedRow out{.line = table.line(row)};
  const std::pair<const char*, std::string*> columns[] = {
      {"Report", &out.report}, {"Kind", &out.kind}, {"Item", &out.item}, {"Aspect", &out.aspect}};
  for (const auto& [name, member] : columns) {
    FIDUCIAL_TRY(const std::string_view text, csv_cell(table, row, name));
    *member = text;
  }
  FIDUCIAL_TRY(const std::string_view text, csv_cell(table, row, "Wrong"));
  const std::optional<std::int64_t> wrong = parse_integer(text);
  if (!wrong || *wrong < 0 || (*wrong > 1 && !out.is_count()))
    return Error(ErrorCode::invalid_data, "Wrong: expected 0 or 1, found \"" + std::string(text) + "\"",
                 Place{.line = out.line});
  out.wrong = *wrong;
  return out;
}

// What is counted of an aspect, by report.
std::map<std::pair<std::string, std::string>, Tallies> tallies_of(const TickedSheet& sheet) {
  std::map<std::pair<std::string, std::string>, Tallies> out;
  std::map<std::string, std::int64_t> stated;
  for (const TickedRow& row : sheet.rows) {
    ClusterCount& count = out[{row.kind, row.aspect}][row.report];
    count.hits += row.wrong;
    count.items += row.is_count() ? row.wrong : 1;
    if (row.kind == "finding" && row.aspect == "code") ++stated[row.report];
  }
  for (auto& [name, tallies] : out) {
    if (name.second != "missed") continue;
    for (auto& [report, count] : tallies) count.items += stated[report];
  }
  return out;
}

}  // namespace

Result<TickedSheet> TickedSheet::read(const Path& path) {
  TickedSheet out{.path = path, .rows = {}};
  FIDUCIAL_TRY_DONE(for_each_csv_row(path, [&out](const CsvTable& table, std::size_t row) -> Outcome {
    FIDUCIAL_TRY(TickedRow ticked, ticked_row(table, row));
    out.rows.push_back(std::move(ticked));
    return done();
  }));
  if (out.rows.empty())
    return Error(ErrorCode::invalid_data, "no report is ticked as read", Place{.path = path.string()});
  return out;
}

Outcome TickedSheet::check(const std::vector<SheetReport>& reports) const {
  std::map<std::string, std::set<std::pair<std::string, std::string>>> items;  // kind and key, by report
  for (const SheetReport& report : reports) {
    auto& known = items[report.id];
    known.emplace("report", "");
    for (const SheetItem& item : report.items) known.emplace(item.kind, item.key);
  }
  std::set<std::string> seen;
  for (const TickedRow& row : rows) {
    const auto report = items.find(row.report);
    if (report == items.end()) return bad_row(*this, row, "no report \"" + row.report + "\" in the folder");
    if (!report->second.contains({row.kind, row.item}))
      return bad_row(*this, row, row.report + " has no " + row.kind + " \"" + row.item + "\"");
    const std::vector<std::string> aspects = aspects_of(row.kind);
    if (std::ranges::find(aspects, row.aspect) == aspects.end())
      return bad_row(*this, row, unknown_name("aspect", row.aspect, aspects));
    if (!seen.insert(item_name(row)).second) return bad_row(*this, row, item_name(row) + " stands twice");
  }
  return done();
}

std::string rates_of_reader(std::string_view reader, const TickedSheet& sheet) {
  std::string out;
  for (const auto& [name, tallies] : tallies_of(sheet)) {
    std::vector<ClusterCount> counts;
    counts.reserve(tallies.size());
    ClusterCount all;
    for (const auto& [report, count] : tallies) {
      counts.push_back(count);
      all.hits += count.hits;
      all.items += count.items;
    }
    std::vector<std::string> cells{std::string(reader),    name.first,         name.second,
                                   decimal(counts.size()), decimal(all.items), decimal(all.hits)};
    if (all.items == 0) {
      cells.resize(cells.size() + 3);
    } else {
      const Interval interval = clustered_share95(counts);
      for (const double value :
           {static_cast<double>(all.hits) / static_cast<double>(all.items), interval.low, interval.high})
        cells.push_back(fixed(value, 4));
    }
    out += csv_row(cells);
  }
  return out;
}

std::string ratings_of_readers(const std::vector<TickedSheet>& sheets) {
  std::map<std::string, std::vector<std::string>> said;  // by item; a cell a reader
  std::vector<std::string> heading{"item"};
  for (std::size_t reader = 0; reader < sheets.size(); ++reader) {
    heading.push_back("reader" + decimal(reader + 1));
    for (const TickedRow& row : sheets[reader].rows) {
      if (row.is_count()) continue;
      std::vector<std::string>& cells = said[item_name(row)];
      cells.resize(sheets.size());
      cells[reader] = decimal(row.wrong);
    }
  }
  std::string out = csv_row(heading);
  for (const auto& [item, cells] : said) {
    std::vector<std::string> row{item};
    row.insert(row.end(), cells.begin(), cells.end());
    out += csv_row(row);
  }
  return out;
}

}  // namespace fiducial
