#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace arrow {
class Array;
class RecordBatchReader;
template <typename T>
class Result;
namespace io {
class RandomAccessFile;
}
}  // namespace arrow

namespace fiducial::medthinkvqa {

// The bytes of one cell of a column of images, a struct of bytes and path or bytes alone; nothing where it is
// null or holds none.
std::optional<std::string_view> embedded_bytes(const arrow::Array& array, std::int64_t row);

// The batches of an Arrow file, with an index or as a stream.
arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> open_arrow_batches(
    const std::shared_ptr<arrow::io::RandomAccessFile>& file);

}  // namespace fiducial::medthinkvqa
