#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/anatomy/case_masks.h"
#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/masks/mask_collection.h"

namespace fiducial {

// The masks of one case, wherever they are kept.
struct StoredMasksRequest {
  // A folder of files, one a structure; an archive of such folders (tar, tar.gz, zip); or a file of masks of
  // any format.
  Path source;
  std::string volume;               // which of an archive of several; "": there is one
  std::optional<LabelNames> names;  // of the labels of a label map; otherwise what stands beside it says so
};

// Masks as they are stored: with the labels of their voxels and the names of their files. They must lie on
// one grid. The labels of a label map that something names become structures, those that nothing names
// "label 7"; where nothing names any, the array stays one. masks.json in a folder gives numbers and codes.
Result<MaskCollection> read_stored_masks(const StoredMasksRequest& request);

struct MasksTarget {
  Path path;
  bool overwrite = false;
  bool stacked = false;  // one channel a mask, also in files that keep no names
};

// Whether a path says that masks go there: a folder, an archive, or a format that only masks have.
bool is_masks_target(const Path& path);
// Whether masks are what lies there, and no image: a folder or an archive of mask files, or a file of a
// format that keeps names.
bool is_masks_source(const Path& path);

// To a folder or tar archive of NIfTI files beside masks.json, or to one file by its ending; a file that
// keeps no names gets them beside it. All of it appears at once, or nothing.
Outcome write_stored_masks(const MaskCollection& masks, const MasksTarget& target);

inline constexpr const char* masks_file = "masks.json";

// What there is: schema fiducial.masks/1.
Json masks_json(const MaskCollection& masks);

}  // namespace fiducial
