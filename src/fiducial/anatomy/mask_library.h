#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/anatomy/case_masks.h"
#include "fiducial/archive/tar_reader.h"
#include "fiducial/base/file.h"

namespace fiducial {

// Organ masks of many volumes, as releases keep them; one thread at a time.
//
// A folder (or a folder in it: anatomy_mask, train_anatomy_mask, ...) with for a volume V either
//   seg_V/ or V/       one NIfTI file a structure, named like it
//   V.nii.gz           a label map; its labels are named by V.json, else labels.json beside it, else they are
//                      those of TotalSegmentator's task `total`
//   *.tar, *.tar.gz, *_aa with its further parts: archives of such folders
// or one of these archives. Below a region_mask folder files are masks of regions. Archives are read front to
// back without unpacking: volumes asked for in the archive's order cost one pass over it, in constant memory.
// The files of a volume stand together in it.
class MaskLibrary {
 public:
  static Result<MaskLibrary> open(const Path& folder_or_archive);
  MaskLibrary(MaskLibrary&&) noexcept;
  MaskLibrary& operator=(MaskLibrary&&) noexcept;
  ~MaskLibrary();

  // The masks of a volume, named with or without .nii.gz; none of them where the library has no such volume.
  // Structures that are not wanted are not read; no wish means all.
  Result<CaseMasks> read_case(const std::string& volume, const std::optional<Grid>& grid,
                              const std::vector<std::string>& wanted = {});
  // Whether there is any folder or archive for masks; those of a label map a volume are not looked for.
  bool has_masks() const { return folders_.size() > 1 || !archives_.empty(); }
  // The volumes whose masks are no archive's, sorted, without .nii.gz.
  std::vector<std::string> volumes_in_folders() const;

 private:
  class Archive;

  MaskLibrary();
  Outcome find_archives(const Path& folder);
  Outcome read_folder(const Path& folder, const std::vector<std::string>& wanted, CaseMasks& masks) const;
  Outcome read_label_map(const Path& file, CaseMasks& masks) const;
  Result<bool> read_plain(const std::string& stem, const std::vector<std::string>& wanted,
                          CaseMasks& masks) const;

  std::vector<Path> folders_;
  std::vector<std::unique_ptr<Archive>> archives_;
};

// A volume's name without its folder and .nii or .nii.gz.
std::string volume_stem(std::string_view volume);

}  // namespace fiducial
