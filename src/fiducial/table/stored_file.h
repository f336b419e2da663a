#pragma once

#include <memory>
#include <optional>

#include "fiducial/base/error.h"
#include "fiducial/base/file.h"

namespace arrow {
class Status;
template <typename T>
class Result;
namespace io {
class RandomAccessFile;
}
}  // namespace arrow

namespace fiducial {

// A file that Arrow reads from, or an object of a store where the path is a URL.
arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> open_for_arrow(const Path& path);

// The error of a store that a status passes on; nothing where it is Arrow's own.
std::optional<Error> error_of_store(const arrow::Status& status);

// What Arrow says of a file as an error of ours. Arrow calls a broken file an I/O error, too: only one with
// an error number of the system is told as such.
Error arrow_error(const Path& path, const arrow::Status& status);

}  // namespace fiducial
