#include "fiducial/eval/folder/score_rows.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/eval/run/score_run.h"
#include "fiducial/metrics/contract.h"
#include "fiducial/table/csv.h"
#include "fiducial/table/parquet.h"

namespace fiducial {

namespace {

using Strings = Column::Strings;

// A cell as text; nothing for a null.
std::string cell_text(const Column& column, std::size_t row) {
  if (const auto* texts = std::get_if<Strings>(&column.values)) return (*texts)[row].value_or("");
  if (const auto* whole = std::get_if<Column::Integers>(&column.values))
    return (*whole)[row] ? decimal(*(*whole)[row]) : "";
  const auto& numbers = std::get<Column::Numbers>(column.values);
  return numbers[row] ? shortest(*numbers[row]) : "";
}

Json cell_json(const Column& column, std::size_t row) {
  if (const auto* texts = std::get_if<Strings>(&column.values))
    return (*texts)[row] ? Json(*(*texts)[row]) : Json();
  if (const auto* whole = std::get_if<Column::Integers>(&column.values))
    return (*whole)[row] ? Json(*(*whole)[row]) : Json();
  const auto& numbers = std::get<Column::Numbers>(column.values);
  return numbers[row] ? Json(*numbers[row]) : Json();
}

// A metric whose parameters were changed has them behind the id of its contract.
Direction direction_of(const std::string& metric) {
  Direction out = Direction::higher;
  std::size_t longest = 0;
  for (const MetricContract& contract : all_contracts()) {
    if (contract.id.size() > longest && metric.starts_with(contract.id)) {
      longest = contract.id.size();
      out = contract.better;
    }
  }
  return out;
}

// One of several labels between separators, or all of them.
bool has_label(std::string_view cell, const std::string& wanted) {
  if (cell == wanted) return true;
  if (cell.find(wanted) == std::string_view::npos) return false;
  const std::string mark(label_separator);
  return (mark + std::string(cell) + mark).find(mark + wanted + mark) != std::string::npos;
}

class RowChooser {
 public:
  RowChooser(const Table& table, const RowQuery& query) : table_(table), query_(query), rows_(table.rows()) {
    std::iota(rows_.begin(), rows_.end(), std::size_t{0});
  }

  Result<std::vector<std::size_t>> choose() {
    if (!query_.scorer.empty()) FIDUCIAL_TRY_DONE(keep("scorer", query_.scorer));
    std::string metric = query_.metric;
    if (metric.empty() && query_.worst && !rows_.empty()) metric = first_metric();
    if (!metric.empty()) FIDUCIAL_TRY_DONE(keep("metric", metric));
    for (const std::string& condition : query_.where) {
      const std::size_t equals = condition.find('=');
      if (equals == std::string::npos || equals == 0)
        return bad_usage("--where: expected COLUMN=VALUE, found \"" + condition + "\"");
      FIDUCIAL_TRY_DONE(keep(condition.substr(0, equals), condition.substr(equals + 1)));
    }
    if (query_.worst) FIDUCIAL_TRY_DONE(keep_worst(metric, *query_.worst));
    return std::move(rows_);
  }

 private:
  // The first metric of the run that ranks anything: some have no value of any row, some no better end.
  std::string first_metric() const {
    const Column* column = table_.find("value");
    const auto* values = column == nullptr ? nullptr : std::get_if<Column::Numbers>(&column->values);
    const auto ranks = [&](std::size_t row) {
      return values == nullptr || ((*values)[row] && direction_of(text("metric", row)) != Direction::none);
    };
    const auto found = std::find_if(rows_.begin(), rows_.end(), ranks);
    return text("metric", found == rows_.end() ? rows_.front() : *found);
  }

  const Column* find(const std::string& name) const {
    const Column* column = table_.find(name);
    return column != nullptr ? column : table_.find("group_" + name);
  }

  std::string text(const std::string& column, std::size_t row) const {
    const Column* found = table_.find(column);
    return found == nullptr ? "" : cell_text(*found, row);
  }

  Outcome keep(const std::string& name, const std::string& value) {
    const Column* column = find(name);
    if (column == nullptr) {
      std::vector<std::string> names;
      for (const Column& each : table_.columns) names.push_back(each.name);
      return no_such_name("column", name, names);
    }
    std::set<std::string, std::less<>> seen;
    std::vector<std::size_t> kept;
    const auto* texts = std::get_if<Strings>(&column->values);
    std::string made;
    for (const std::size_t row : rows_) {
      if (texts == nullptr) made = cell_text(*column, row);
      const std::string_view cell =
          texts == nullptr ? made : std::string_view((*texts)[row] ? *(*texts)[row] : made);
      if (has_label(cell, value)) kept.push_back(row);
      if (seen.size() < most_values && !seen.contains(cell)) seen.emplace(cell);
    }
    if (kept.empty() && !rows_.empty()) return no_such_name(name, value, {seen.begin(), seen.end()});
    rows_ = std::move(kept);
    return done();
  }

  Outcome keep_worst(const std::string& metric, std::int64_t count) {
    const Column* column = table_.find("value");
    const auto* values = column == nullptr ? nullptr : std::get_if<Column::Numbers>(&column->values);
    if (values == nullptr) return invalid_data("rows.parquet has no column \"value\" of numbers");
    const double sign = direction_of(metric) == Direction::lower ? -1 : 1;
    std::vector<std::pair<double, std::size_t>> order;
    for (const std::size_t row : rows_) {
      const std::string status = text("status", row);
      const bool is_lost = status == "missing" || status == "failed";
      if (!is_lost && !(*values)[row]) continue;
      order.emplace_back(is_lost ? -std::numeric_limits<double>::infinity() : sign * *(*values)[row], row);
    }
    std::sort(order.begin(), order.end());
    order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
    rows_.clear();
    for (const auto& [value, row] : order) rows_.push_back(row);
    return done();
  }

  static constexpr std::size_t most_values = 40;  // that an error lists

  const Table& table_;
  const RowQuery& query_;
  std::vector<std::size_t> rows_;
};

constexpr const char* shown_columns[] = {"case",  "finding", "category", "metric",
                                         "value", "status",  "reason"};

std::string shown_cell(const Column& column, std::size_t row) {
  const auto* numbers = std::get_if<Column::Numbers>(&column.values);
  if (numbers != nullptr && (*numbers)[row]) return fixed(*(*numbers)[row], 4);
  return cell_text(column, row);
}

}  // namespace

Result<ChosenRows> choose_rows(const Path& score_folder, const RowQuery& query) {
  const Path file = score_folder / "rows.parquet";
  if (is_folder(score_folder) && !is_file(file)) {
    return Error(ErrorCode::invalid_data, "no rows.parquet: not a folder of scores, or a private one",
                 Place{.path = score_folder.string()});
  }
  FIDUCIAL_TRY(Table table, read_parquet(file));
  return choose_rows(std::make_shared<const Table>(std::move(table)), query);
}

Result<ChosenRows> choose_rows(std::shared_ptr<const Table> rows, const RowQuery& query) {
  FIDUCIAL_TRY(std::vector<std::size_t> chosen, RowChooser(*rows, query).choose());
  return ChosenRows{.table = std::move(rows), .rows = std::move(chosen)};
}

Table chosen_table(const ChosenRows& chosen) {
  Table out{.metadata = chosen.table->metadata};
  for (const Column& column : chosen.table->columns) {
    Column kept{.name = column.name};
    std::visit(
        [&](const auto& values) {
          std::decay_t<decltype(values)> some;
          for (const std::size_t row : chosen.rows) some.push_back(values[row]);
          kept.values = std::move(some);
        },
        column.values);
    out.columns.push_back(std::move(kept));
  }
  return out;
}

std::vector<std::vector<std::string>> shown_rows(const ChosenRows& chosen) {
  std::vector<const Column*> columns;
  std::vector<std::vector<std::string>> out(1);
  for (const char* name : shown_columns) {
    const Column* found = chosen.table->find(name);
    if (found == nullptr) continue;
    columns.push_back(found);
    out.front().push_back(found->name);
  }
  for (const std::size_t row : chosen.rows) {
    std::vector<std::string>& cells = out.emplace_back();
    for (const Column* column : columns) cells.push_back(shown_cell(*column, row));
  }
  return out;
}

std::string rows_csv(const ChosenRows& chosen) {
  std::vector<std::string> cells;
  for (const Column& column : chosen.table->columns) cells.push_back(column.name);
  std::string out = csv_row(cells);
  for (const std::size_t row : chosen.rows) {
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = cell_text(chosen.table->columns[i], row);
    out += csv_row(cells);
  }
  return out;
}

Json rows_json(const ChosenRows& chosen) {
  Json out{Json::Array{}};
  for (const std::size_t row : chosen.rows) {
    Json entry{Json::Object{}};
    for (const Column& column : chosen.table->columns) entry.set(column.name, cell_json(column, row));
    out.push(std::move(entry));
  }
  return out;
}

}  // namespace fiducial
