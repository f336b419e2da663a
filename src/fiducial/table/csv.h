#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// How large a table may be before it is refused.
struct CsvLimits {
  std::uint64_t bytes = std::uint64_t{1} << 30;
  std::size_t columns = 10'000;
  std::size_t cells = 100'000'000;
};

// A table of text with named columns. Every row has a cell for every column.
//
// Cells are views into one buffer, so a row of short cells costs little more than its text.
class CsvTable {
 public:
  std::size_t rows() const { return lines_.size(); }
  const std::vector<std::string>& columns() const { return columns_; }
  std::optional<std::size_t> find_column(std::string_view name) const;
  // The column, or an error that lists those there are.
  Result<std::size_t> column(std::string_view name) const;

  std::string_view cell(std::size_t row, std::size_t column) const;
  std::uint64_t line(std::size_t row) const { return lines_[row]; }  // where the row begins, from 1
  // An error about one cell that names its line and column.
  Error cell_error(std::size_t row, std::size_t column, std::string message) const;

 private:
  friend class CsvParser;

  std::vector<std::string> columns_;
  std::string text_;
  std::vector<std::uint64_t> ends_;  // of each cell in text_, row by row
  std::vector<std::uint64_t> lines_;
};

// RFC 4180: commas, quoted cells with doubled quotes, CRLF or LF, the first row names the columns.
//
// A byte order mark is skipped, and so are empty lines where there is more than one column. Refused, with
// line and column: rows of another length, quotes that do not close or stand inside a bare cell, carriage
// returns alone, zero bytes, text that is not UTF-8, and column names that are empty or occur twice.
Result<CsvTable> parse_csv(std::string_view text, const CsvLimits& limits = {});
Result<CsvTable> read_csv(const Path& path, const CsvLimits& limits = {});

// The same rules for files of any size: a table of some rows at a time, in memory that grows with the longest
// row.
class CsvBatches {
 public:
  static constexpr std::size_t max_row_bytes = std::size_t{256} << 20;

  // The stream must outlive the reader.
  explicit CsvBatches(ByteStream& stream, std::size_t batch_bytes = std::size_t{1} << 20)
      : stream_(stream), batch_bytes_(batch_bytes) {}

  // The next rows under the columns of the file's first row; nothing after the last. The first table may have
  // no row, a file without a row of names is refused.
  Result<std::optional<CsvTable>> next();

 private:
  Result<std::size_t> read_more();
  Result<CsvTable> parse_rows(std::string_view text);

  ByteStream& stream_;
  std::size_t batch_bytes_;
  std::string buffer_;
  std::size_t scanned_ = 0;  // bytes of the buffer that were looked at for row ends
  bool quoted_ = false;      // whether those end inside a quoted cell
  bool ended_ = false;
  std::uint64_t line_ = 1;
  std::vector<std::string> columns_;
};

// One row as CSV text with its line end; cells are quoted only where they must be.
std::string csv_row(std::span<const std::string> cells);
std::string csv_row_of(std::initializer_list<std::string_view> cells);

}  // namespace fiducial
