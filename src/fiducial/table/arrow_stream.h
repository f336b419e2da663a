#pragma once

#include "fiducial/base/bytes.h"
#include "fiducial/base/result.h"
#include "fiducial/table/table.h"

namespace fiducial {

// The table in the format of Arrow's streams (application/vnd.apache.arrow.stream).
Result<Bytes> arrow_stream_bytes(const Table& table);

}  // namespace fiducial
