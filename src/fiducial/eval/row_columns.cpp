#include "fiducial/eval/row_columns.h"

namespace fiducial {

void RowColumns::add(const ScoreRow& row) {
  case_.emplace_back(row.case_name);
  patient_.emplace_back(row.patient);
  finding_.emplace_back(row.finding);
  category_.emplace_back(row.category);
  scorer_.emplace_back(to_string(row.scorer));
  metric_.emplace_back(row.metric);
  version_.emplace_back(row.version);
  status_.emplace_back(row.status);
  value_.push_back(row.value);
  reason_.push_back(row.reason);
}

Table RowColumns::take(std::vector<Column> further) {
  Table out{{{"case", std::move(case_)},
             {"patient", std::move(patient_)},
             {"finding", std::move(finding_)},
             {"category", std::move(category_)},
             {"scorer", std::move(scorer_)},
             {"metric", std::move(metric_)},
             {"version", std::move(version_)},
             {"status", std::move(status_)},
             {"value", std::move(value_)},
             {"reason", std::move(reason_)}},
            {{"schema", "fiducial.rows/1"}}};
  for (Column& column : further) out.columns.push_back(std::move(column));
  return out;
}

}  // namespace fiducial
