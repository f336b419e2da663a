#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/note.h"
#include "fiducial/base/result.h"
#include "fiducial/base/sha256.h"
#include "fiducial/geometry/affine.h"
#include "fiducial/table/csv.h"

namespace fiducial {

// What a row says about how its volume was stored. Values that are missing or make no sense are absent, the
// latter with a note.
struct StoredVolumeFacts {
  std::optional<double> slope;      // RescaleSlope
  std::optional<double> intercept;  // RescaleIntercept
  std::optional<Vec3> spacing_mm;   // XYSpacing and ZSpacing
  Notes notes;
};

// A table of facts about volumes, one row each, keyed by the column VolumeName: CT-RATE's
// train_metadata.csv and validation_metadata.csv. Names are compared without .nii.gz or .nii.
class VolumeMetadata {
 public:
  // A name that stands in two rows; lines count from 1.
  struct Duplicate {
    std::string name;
    std::uint64_t line = 0;
    std::uint64_t first_line = 0;
  };

  static Result<VolumeMetadata> read(const Path& path);
  static Result<VolumeMetadata> parse(std::string_view text);

  const Path& path() const { return path_; }
  std::string file_name() const { return path_.filename().string(); }
  const Digest& digest() const { return digest_; }  // of the file's bytes
  const CsvTable& table() const { return table_; }
  const std::vector<Duplicate>& duplicates() const { return duplicates_; }
  // An error that names the first duplicate, if there is one.
  Outcome check_unique() const;

  // The row of a volume; of a name that occurs twice the first.
  std::optional<std::size_t> find(std::string_view volume_name) const;
  // The column, or an error that names the file and lists the columns there are.
  Result<std::size_t> column(std::string_view name) const;
  // The text of a cell without blanks around it; nothing where it is empty or says nan, NA, N/A, None, null.
  std::optional<std::string> value(std::size_t row, std::size_t column) const;
  StoredVolumeFacts stored_facts(std::size_t row) const;

 private:
  Path path_;
  Digest digest_;
  CsvTable table_;
  std::unordered_map<std::string, std::size_t> rows_;  // by name without its ending
  std::vector<Duplicate> duplicates_;
};

// "[0.75, 0.75]", "(0.75, 0.75)" or "0.75, 0.75" as two numbers.
std::optional<std::array<double, 2>> parse_number_pair(std::string_view text);

// The files that may hold the metadata of a dataset: *metadata*.csv in the folder of volumes, in its
// metadata/ or in its dataset/metadata/; where there is none, in the dataset's folder by the same rule.
// Sorted by name.
std::vector<Path> find_metadata_files(const std::optional<Path>& volumes, const Path& dataset);

}  // namespace fiducial
