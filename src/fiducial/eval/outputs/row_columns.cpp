#include "fiducial/eval/outputs/row_columns.h"

namespace fiducial {

void RowColumns::reserve(std::size_t rows) {
  for (Column::Strings* column : {&case_, &patient_, &category_, &scorer_, &metric_, &status_, &reason_}) {
    column->reserve(rows);
  }
  for (Column::Integers* column : {&finding_, &version_}) column->reserve(rows);
  value_.reserve(rows);
}

void RowColumns::add(ScoreRow row) {
  case_.emplace_back(std::move(row.case_name));
  patient_.emplace_back(std::move(row.patient));
  finding_.emplace_back(row.finding);
  category_.emplace_back(std::move(row.category));
  scorer_.emplace_back(to_string(row.scorer));
  metric_.emplace_back(std::move(row.metric));
  version_.emplace_back(row.version);
  status_.emplace_back(std::move(row.status));
  value_.push_back(row.value);
  reason_.push_back(std::move(row.reason));
}

Table RowColumns::take(std::vector<Column> further) {
  Table out{{}, {{"schema", "fiducial.rows/1"}}};
  // One by one: a list in braces would be copied.
  const auto keep = [&out](const char* name, auto& values) {
    out.columns.push_back({name, std::move(values)});
  };
  keep("case", case_);
  keep("patient", patient_);
  keep("finding", finding_);
  keep("category", category_);
  keep("scorer", scorer_);
  keep("metric", metric_);
  keep("version", version_);
  keep("status", status_);
  keep("value", value_);
  keep("reason", reason_);
  for (Column& column : further) out.columns.push_back(std::move(column));
  return out;
}

}  // namespace fiducial
