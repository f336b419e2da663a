#pragma once

#include <functional>
#include <string_view>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/table/csv.h"

namespace fiducial {

using CsvRowUse = std::function<Outcome(const CsvTable& table, std::size_t row)>;

// Every row of a CSV file in turn, in flat memory; errors name the file.
Outcome for_each_csv_row(const Path& path, const CsvRowUse& use);

Result<std::string_view> csv_cell(const CsvTable& table, std::size_t row, const char* column);

}  // namespace fiducial
