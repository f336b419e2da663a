#pragma once

#include <optional>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/sha256.h"
#include "fiducial/datasets/grounded_dataset.h"
#include "fiducial/datasets/rexgroundingct/dataset_file.h"

namespace fiducial::rexgroundingct {

// A folder in the release layout: a dataset file, and one mask a case under segmentations/ (or beside it).
class Dataset final : public GroundedDataset {
 public:
  // Takes dataset.json, else MICCAI_challenge_dataset.json.
  static Result<Dataset> open(const Path& folder);

  const DatasetFile& content() const { return content_; }

  const Path& folder() const override { return folder_; }
  const std::string& file_name() const override { return file_name_; }
  const Digest& digest() const override { return digest_; }
  std::vector<std::string> split_names() const override;
  const std::vector<GroundedCase>* find_split(std::string_view name) const override;
  std::string mask_name(const GroundedCase& entry) const override;
  Result<StoredFile> open_mask(const GroundedCase& entry) const override;
  std::optional<Path> find_volume(const Path& volumes, const GroundedCase& entry) const override;

 private:
  Dataset() = default;

  Path folder_;
  std::string file_name_;
  Digest digest_;
  DatasetFile content_;
};

// The name of the dataset file in a folder: dataset.json, else MICCAI_challenge_dataset.json, else what the
// tables of an export for Hugging Face hold (hub_view.h).
std::optional<std::string> find_dataset_file(const Path& folder);

// The mask of a case, relative to the dataset's folder: under segmentations/, unless only the folder itself
// holds it.
std::string mask_name_in(const Path& folder, const std::string& case_name);

// The CT of a case under a folder of volumes: directly in it, or by CT-RATE's path rule with or without the
// leading dataset/ and tree; a NIfTI file, or a folder of DICOM named like it without .nii.gz. A *_fixed
// tree, whose values are in HU, goes before the original one.
std::optional<Path> find_volume(const Path& volumes, const std::string& name);

}  // namespace fiducial::rexgroundingct
