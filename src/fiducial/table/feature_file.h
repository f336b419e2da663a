#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fiducial/base/bytes.h"
#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/result.h"

namespace arrow {
class DataType;
}

namespace fiducial {

// What a column holds, in the terms of Hugging Face datasets, which reads it from the schema's metadata.
struct Feature {
  enum class Kind {
    text,
    integer,
    number,
    flag,
    list,    // of parts[0]
    object,  // of parts, by name
    file     // bytes and a name; file_type says what they are
  };

  std::string name;
  Kind kind = Kind::text;
  std::vector<Feature> parts = {};
  std::string file_type = {};  // "Image", "Nifti"

  static Feature list_of(std::string name, Kind kind) {
    return {.name = std::move(name), .kind = Kind::list, .parts = {{.name = "item", .kind = kind}}};
  }
  static Feature file(std::string name, std::string type) {
    return {.name = std::move(name), .kind = Kind::file, .file_type = std::move(type)};
  }
};

// The "features" of Hugging Face datasets.
Json features_json(const std::vector<Feature>& features);
std::shared_ptr<arrow::DataType> arrow_type(const Feature& feature);

// A file that a row holds.
struct RowFile {
  std::string name;
  Bytes bytes;
};

// One row: values by column, files apart. What is absent or null is null.
struct FeatureRow {
  Json values = Json::Object{};
  std::map<std::string, RowFile> files = {};
};

// How a split is cut into files and row groups: groups are what a reader loads at once.
struct FeatureCut {
  std::int64_t rows_of_a_group = 100;
  std::int64_t bytes_of_a_group = std::int64_t{32} << 20;
  std::int64_t bytes_of_a_file = std::int64_t{500} << 20;
};

// The rows of a split as SPLIT-00000-of-00002.parquet and so on, written as they come: a row group is in
// memory. The same rows give the same bytes with the same Arrow.
class FeatureShards {
 public:
  struct About {
    std::string split;
    std::vector<Feature> features;
    std::vector<std::pair<std::string, std::string>> metadata = {};  // of the schema, beside "huggingface"
    FeatureCut cut = {};
  };
  // The folder must be there.
  static Result<FeatureShards> create(const Path& folder, About about);
  FeatureShards(FeatureShards&&) noexcept;
  FeatureShards& operator=(FeatureShards&&) = delete;
  ~FeatureShards();

  // Refuses a value of another kind than its column's.
  Outcome add(const FeatureRow& row);
  // Says something in the last file, beside the metadata of all. The names of the files: none where there was
  // no row. Call once, last.
  Result<std::vector<std::string>> finish(
      const std::vector<std::pair<std::string, std::string>>& more_metadata = {});

 private:
  struct State;
  explicit FeatureShards(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace fiducial
