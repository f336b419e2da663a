#include "fiducial/server/run_rows.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/server/headline.h"

namespace fiducial {

namespace {

template <typename Values>
const Values* column_of(const Table& table, const char* name) {
  const Column* column = table.find(name);
  return column == nullptr ? nullptr : std::get_if<Values>(&column->values);
}

}  // namespace

Json cell_json(const Column& column, std::size_t row) {
  return std::visit([row](const auto& values) { return values[row] ? Json(*values[row]) : Json(); },
                    column.values);
}

std::string cell_text(const Column& column, std::size_t row) {
  const Json cell = cell_json(column, row);
  if (const std::string* text = cell.as_string()) return *text;
  if (const std::int64_t* whole = cell.as_integer()) return decimal(*whole);
  return cell.as_number() ? shortest(*cell.as_number()) : "";
}

std::optional<RunRowView> RunRowView::of(const ServedRun::Content& content) {
  if (!content.rows) return std::nullopt;
  const Table& rows = *content.rows;
  RunRowView out{.rows = &rows,
                 .case_name = column_of<Column::Strings>(rows, "case"),
                 .metric = column_of<Column::Strings>(rows, "metric"),
                 .scorer = column_of<Column::Strings>(rows, "scorer"),
                 .status = column_of<Column::Strings>(rows, "status"),
                 .finding = column_of<Column::Integers>(rows, "finding"),
                 .value = column_of<Column::Numbers>(rows, "value")};
  if (out.case_name == nullptr || out.metric == nullptr || out.scorer == nullptr || out.status == nullptr ||
      out.finding == nullptr || out.value == nullptr)
    return std::nullopt;
  return out;
}

Json case_scores(const ServedRun::Content& content, const std::string& case_name) {
  Json out{Json::Array{}};
  const auto view = RunRowView::of(content);
  const auto found = content.rows_of_case.find(case_name);
  if (!view || found == content.rows_of_case.end()) return out;
  for (const std::size_t row : found->second) {
    Json one{Json::Object{}};
    for (const Column& column : view->rows->columns) {
      if (column.name == "case" || column.name == "patient") continue;
      one.set(column.name, cell_json(column, row));
    }
    out.push(std::move(one));
  }
  return out;
}

CaseValue case_value(const ServedRun::Content& content, const std::string& case_name,
                     const std::string& metric) {
  CaseValue out;
  const auto view = RunRowView::of(content);
  const auto found = content.rows_of_case.find(case_name);
  if (!view || found == content.rows_of_case.end()) return out;
  double sum = 0;
  std::int64_t count = 0;
  for (const std::size_t row : found->second) {
    if ((*view->metric)[row] != metric) continue;
    const std::string status = (*view->status)[row].value_or("");
    if (out.status.empty() || status == "missing" || status == "failed") out.status = status;
    if (!(*view->value)[row]) continue;
    sum += *(*view->value)[row];
    ++count;
  }
  if (count > 0) out.value = sum / static_cast<double>(count);
  return out;
}

Result<RunCases> RunCases::of(const Library& library, const ServedRun& run,
                              const ServedRun::Content& content) {
  RunCases out{.dataset = {}, .split = text_at(content.plan, "split")};
  if (const ServedDataset* dataset = library.dataset_of(run)) {
    FIDUCIAL_TRY(out.dataset, dataset->open());
  }
  return out;
}

const CasePlace* RunCases::find(const std::string& case_name) const {
  return dataset ? dataset->find_named(case_name, split) : nullptr;
}

Json row_json(const Table& table, std::size_t row, const RunCases& about) {
  Json out{Json::Object{}};
  for (const Column& column : table.columns) out.set(column.name, cell_json(column, row));
  const Column* name = table.find("case");
  const CasePlace* place = name == nullptr ? nullptr : about.find(cell_text(*name, row));
  return out.set("case_id", place == nullptr ? Json() : Json(place->entry().id));
}

std::string headline_metric(const ServedRun::Content& content) {
  const Headline headline = headline_of(content.summary);
  return headline.value == nullptr ? "" : text_at(*headline.value, "metric");
}

}  // namespace fiducial
