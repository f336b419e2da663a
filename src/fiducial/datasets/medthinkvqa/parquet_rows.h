#pragma once

#include <functional>

#include "fiducial/base/file.h"
#include "fiducial/datasets/medthinkvqa/raw_row.h"

namespace fiducial::medthinkvqa {

// Calls visit for every row of a Parquet file, and stops at the first error.
//
// Streams batch by batch, so memory does not grow with the file. Only columns of text and numbers are read,
// unless embedded images (structs of bytes and path) are asked for: otherwise they never leave the disk.
// options may be a struct, a map, or the text of a JSON object.
Outcome read_parquet_rows(const Path& path, bool with_pictures, const std::function<Outcome(RawRow)>& visit);

// The same for a file of Arrow's own format, as a stream or as a file with an index; a batch is in memory at
// a time.
Outcome read_arrow_rows(const Path& path, bool with_pictures, const std::function<Outcome(RawRow)>& visit);

// Whether a Parquet or Arrow file has the columns of cases: CLINICAL_HISTORY and options.
bool has_case_columns(const Path& path);

}  // namespace fiducial::medthinkvqa
