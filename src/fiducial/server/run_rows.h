#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/server/library.h"

namespace fiducial {

// A cell of a table, as JSON and as text.
Json cell_json(const Column& column, std::size_t row);
std::string cell_text(const Column& column, std::size_t row);

// Rows of a run by what stands in them.
struct RunRowView {
  const Table* rows = nullptr;
  const Column::Strings* case_name = nullptr;
  const Column::Strings* metric = nullptr;
  const Column::Strings* scorer = nullptr;
  const Column::Strings* status = nullptr;
  const Column::Integers* finding = nullptr;
  const Column::Numbers* value = nullptr;

  // Nothing where the run has no rows, or lacks a column.
  static std::optional<RunRowView> of(const ServedRun::Content& content);
};

// The rows of a case, as the API shows them beside it.
Json case_scores(const ServedRun::Content& content, const std::string& case_name);

// What a run says of a case in a metric: the mean of its rows, and the status that is worst.
struct CaseValue {
  std::optional<double> value;
  std::string status;  // "scored", "missing", "failed", ...; empty where the run has no row of the case
};
CaseValue case_value(const ServedRun::Content& content, const std::string& case_name,
                     const std::string& metric);

// The cases that rows of a run are about; none where its dataset is not served.
struct RunCases {
  std::shared_ptr<const OpenedDataset> dataset;
  std::string split;

  static Result<RunCases> of(const Library& library, const ServedRun& run, const ServedRun::Content& content);
  const CasePlace* find(const std::string& case_name) const;
};

// A row with the id of its case in "case_id".
Json row_json(const Table& table, std::size_t row, const RunCases& about);

// The metric of the run's first value.
std::string headline_metric(const ServedRun::Content& content);

}  // namespace fiducial
