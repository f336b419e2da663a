#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/progress.h"
#include "fiducial/base/result.h"

namespace fiducial {

// Which unions of organ masks to write.
struct RegionMaskRequest {
  Path masks;                      // what MaskLibrary::open takes
  std::optional<Path> volumes;     // CTs, whose grid the unions get
  std::vector<std::string> names;  // regions or structures; empty: the regions of RadGenome-Chest CT
  Path output;                     // a folder; OUT.json beside it says what became of every mask
};

struct RegionMaskCounts {
  std::int64_t volumes = 0;
  std::int64_t written = 0;
  std::int64_t empty = 0;
  std::map<std::string, std::int64_t> lacking;  // volumes without what a mask is made of, by its name
  Json manifest;                                // schema fiducial.region_masks/1
};

// Writes OUT/region_mask/seg_VOLUME/REGION.nii.gz, and structures below anatomy_mask. A union that lacks a
// part which a body has is not written. The folder appears whole or not at all; a signal stops it.
Result<RegionMaskCounts> write_region_masks(const RegionMaskRequest& request, Progress& progress);

}  // namespace fiducial
