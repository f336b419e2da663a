#pragma once

#include <memory>

#include "fiducial/base/result.h"
#include "fiducial/table/table.h"

struct ArrowArrayStream;  // of Arrow's C stream interface
namespace arrow {
class Table;
}

namespace fiducial {

// The table as Arrow has it: utf8, int64 and double columns, with the metadata in the schema.
Result<std::shared_ptr<arrow::Table>> arrow_table(const Table& table);

// Hands the table to another library by the C stream interface, which is the same for every version of Arrow.
// The receiver releases the stream.
Outcome export_stream(const Table& table, ArrowArrayStream* out);

}  // namespace fiducial
