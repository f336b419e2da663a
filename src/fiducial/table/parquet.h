#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/table/table.h"

namespace fiducial {

// Writes a Parquet file. The same table gives the same bytes with the same Arrow.
Outcome write_parquet(const Path& path, const Table& table);

// A Parquet file that is written a table at a time, so that it need not be in memory. All tables have the
// columns of the first; its metadata are the file's.
class ParquetFile {
 public:
  static Result<std::unique_ptr<ParquetFile>> create(const Path& path);
  ~ParquetFile();
  ParquetFile(const ParquetFile&) = delete;
  ParquetFile& operator=(const ParquetFile&) = delete;

  Outcome append(const Table& table);
  Outcome close();

 private:
  struct State;
  explicit ParquetFile(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// Reads a Parquet file of string, integer and floating-point columns. What it takes to decode the file is
// bounded by its size (BoundedMemory), or by a number of bytes; a file that promises more is refused.
Result<Table> read_parquet(const Path& path, std::optional<std::uint64_t> most_memory = std::nullopt);

}  // namespace fiducial
