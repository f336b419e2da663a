#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/result.h"

namespace fiducial {

// A Parquet file row by row, without the files that it embeds (structs of bytes and path): these are read one
// by one. What decoding may take is bounded by the file's size. For one thread at a time.
class FeatureRows {
 public:
  static Result<FeatureRows> open(const Path& path);
  FeatureRows(FeatureRows&&) noexcept;
  FeatureRows& operator=(FeatureRows&&) = delete;
  ~FeatureRows();

  std::int64_t rows() const;
  int groups() const;  // of rows
  // The text that the schema or the file says under a key; nothing where there is none.
  std::optional<std::string> about(const std::string& key) const;
  std::vector<std::string> columns() const;       // without those of files
  std::vector<std::string> file_columns() const;  // those of files

  // The rows of a group as objects with all columns; what is null is null.
  Result<std::vector<Json>> read_group(int group) const;
  // A column of one text a row; empty where it is null. Takes the parts of a struct: "mask.path".
  Result<std::vector<std::string>> read_texts(const std::string& column) const;
  // The bytes that a row, from 0, embeds in a column; nothing where it is null.
  Result<std::optional<std::string>> read_file(const std::string& column, std::int64_t row) const;

 private:
  struct State;
  explicit FeatureRows(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace fiducial
