#pragma once

#include "fiducial/base/file.h"
#include "fiducial/table/csv.h"

namespace fiducial {

// A table of people's labels: CSV, or where its name ends in .xlsx the first sheet of a workbook.
Result<CsvTable> read_table_file(const Path& path);

}  // namespace fiducial
