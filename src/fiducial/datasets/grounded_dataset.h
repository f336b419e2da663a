#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/sha256.h"
#include "fiducial/cases/grounded_case.h"
#include "fiducial/datasets/prediction_files.h"

namespace fiducial {

// A folder of cases whose findings have reference masks. Reading is safe from several threads.
class GroundedDataset {
 public:
  virtual ~GroundedDataset() = default;

  virtual const Path& folder() const = 0;
  virtual const std::string& file_name() const = 0;  // the file that lists the cases, relative to the folder
  virtual const Digest& digest() const = 0;          // of that file's bytes
  virtual std::vector<std::string> split_names() const = 0;
  virtual const std::vector<GroundedCase>* find_split(std::string_view name) const = 0;
  virtual std::string mask_name(const GroundedCase& entry) const = 0;  // relative to the folder
  virtual Result<StoredFile> open_mask(const GroundedCase& entry) const = 0;
  // The volume of a case below a folder of volumes, by the benchmark's path rules.
  virtual std::optional<Path> find_volume(const Path& volumes, const GroundedCase& entry) const = 0;
};

// The wanted split, or by default "test", else "val", else "validation"; an error lists what there is.
Result<std::string> choose_split(const GroundedDataset& dataset, const std::optional<std::string>& wanted);

}  // namespace fiducial
