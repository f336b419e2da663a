#pragma once

#include <cstdint>

#include "fiducial/base/json.h"
#include "fiducial/base/result.h"
#include "fiducial/table/csv.h"

namespace fiducial {

// Whether an item is in the working schema of the published scripts: img, DISCUSSION, gpt_options or a case
// table's fields, rather than numbered image slots and discussion.
bool is_working_case(const Json& item);

// A case of the working schema as a released row. A title that is no "Case number N" becomes one by the
// item's row, and is kept as source_title. Fields that neither schema knows are carried along. Refuses a case
// without the options A to E or without a key among them.
Result<Json> released_from_working(const Json& item, std::int64_t index);

// The way back; released_from_working of it gives the same row again.
Json working_from_released(const Json& row);

// A row of a case table as a case of the working schema, and back.
Json working_from_table(const CsvTable& table, std::size_t row);
std::vector<std::string> case_table_columns();
std::vector<std::string> case_table_cells(const Json& working);

}  // namespace fiducial
