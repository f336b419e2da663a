#pragma once

#include <optional>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/sha256.h"
#include "fiducial/datasets/prediction_files.h"
#include "fiducial/datasets/rexgroundingct/dataset_file.h"

namespace fiducial::rexgroundingct {

// A folder in the release layout: a dataset file, and one mask a case under segmentations/ (or beside it).
class Dataset {
 public:
  // Takes dataset.json, else MICCAI_challenge_dataset.json.
  static Result<Dataset> open(const Path& folder);

  const Path& folder() const { return folder_; }
  const std::string& file_name() const { return file_name_; }  // of the dataset file, relative to the folder
  const Digest& digest() const { return digest_; }             // of its bytes
  const DatasetFile& content() const { return content_; }

  // The named split, or by default "test", else "val", else "validation"; an error lists what there is.
  Result<std::string> choose_split(const std::optional<std::string>& wanted) const;
  std::string mask_name(const GroundedCase& entry) const;  // relative to the folder
  Result<StoredFile> open_mask(const GroundedCase& entry) const;

 private:
  Dataset() = default;

  Path folder_;
  std::string file_name_;
  Digest digest_;
  DatasetFile content_;
};

// The CT of a case under a folder of volumes: by CT-RATE's path rule (with or without its leading dataset/),
// or directly in the folder.
std::optional<Path> find_volume(const Path& volumes, const std::string& name);

}  // namespace fiducial::rexgroundingct
