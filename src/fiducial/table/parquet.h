#pragma once

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/table/table.h"

namespace fiducial {

// Writes a Parquet file. The same table gives the same bytes with the same Arrow.
Outcome write_parquet(const Path& path, const Table& table);

// Reads a Parquet file of string, integer and floating-point columns.
Result<Table> read_parquet(const Path& path);

}  // namespace fiducial
