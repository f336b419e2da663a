#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/anatomy/case_masks.h"
#include "fiducial/anatomy/mask_places.h"
#include "fiducial/archive/tar_reader.h"
#include "fiducial/base/file.h"

namespace fiducial {

class ZippedMasks;

// Organ masks of many volumes, as releases keep them; one thread at a time.
//
// A folder (or a folder in it or in its dataset/: anatomy_mask, train_anatomy_mask, ...) with for a volume V
//   seg_V/ or V/       one NIfTI file a structure, named like it
//   V.nii.gz           a label map; its labels are named by V.json, else by an extension of its header, by
//                      labels.json or nnU-Net's dataset.json (beside it, or above labelsTr and its like), or
//                      else are those of TotalSegmentator's task `total`. Beside a folder of its structures
//                      it is not read: SAT adds up the numbers of structures that overlap
//   V.fmask            a file of masks with names (masks/mask_format.h), of which those that are wanted are
//   read
//   *.tar, *.tar.gz, *_aa with its further parts: archives of such folders
// or one of these archives, or a zip laid out like the folder, or a single label map or mask of a structure,
// which then is that of every volume that is asked for. Below a region_mask folder files are masks of
// regions. Tar archives are read front to back without unpacking: volumes asked for in the archive's order
// cost one pass over it, in constant memory. The files of a volume stand together in it. An archive that was
// unpacked beside itself is not read, nor one of the release's that is named for another split.
class MaskLibrary {
 public:
  // Of a zip only what lies below `inside` ("masks/").
  static Result<MaskLibrary> open(const Path& folder_or_archive, const std::string& inside = "");
  MaskLibrary(MaskLibrary&&) noexcept;
  MaskLibrary& operator=(MaskLibrary&&) noexcept;
  ~MaskLibrary();

  // The masks of a volume, named with or without .nii.gz; none of them where the library has no such volume.
  // Structures that are not wanted are not read; no wish means all.
  Result<CaseMasks> read_case(const std::string& volume, const std::optional<Grid>& grid,
                              const std::vector<std::string>& wanted = {});
  // Masks that are held against others of the volume: on their grid, which may have lost its place.
  Result<CaseMasks> read_case_like(const std::string& volume, const CaseMasks& reference);
  // Whether there is any folder or archive for masks; those of a label map a volume are not looked for.
  bool has_masks() const;
  // The volumes that there are masks of, sorted, without .nii.gz. Passes over tar archives.
  Result<std::vector<std::string>> volumes() const;
  // Volumes as they come in the tar archives, which are passed over once more to know it; others after them.
  Result<std::vector<std::string>> in_reading_order(std::vector<std::string> volumes) const;

 private:
  class Archive;

  MaskLibrary();
  void find_below(const Path& folder);
  bool is_unpacked(const Archive& archive, const std::string& stem) const;
  Result<CaseMasks> read_onto(CaseMasks masks, const std::string& volume,
                              const std::vector<std::string>& wanted);
  Outcome read_folder(const Path& folder, const std::vector<std::string>& wanted, CaseMasks& masks) const;
  Outcome read_label_map(const Path& file, const std::vector<std::string>& wanted, CaseMasks& masks) const;
  Outcome read_plain(const std::string& stem, const std::vector<std::string>& wanted, CaseMasks& masks) const;

  std::vector<Path> folders_;
  std::vector<std::unique_ptr<Archive>> archives_;  // by path
  std::unique_ptr<ZippedMasks> zip_;
  std::optional<Path> single_;  // the one file there is
};

}  // namespace fiducial
