#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/anatomy/case_masks.h"
#include "fiducial/views/scan_array.h"

namespace fiducial {

// Where a picture of one slice lies in the scan: a box of the plane's columns and rows.
struct PictureFrame {
  PlaneAxes axes;
  std::int64_t slice = 0;
  std::int64_t left = 0;
  std::int64_t top = 0;
  std::int64_t columns = 0;
  std::int64_t rows = 0;
};

// A picture as it is sent, with what its label says: "axial slice 12 of 60 from the head, lung window".
struct ViewPicture {
  Bytes file;
  std::string note;
  std::vector<PictureFrame> frames;  // one, or those of a montage row by row
};

// What a question about a scan is about: a path or name of the anatomy, or a mask with a title; neither for
// the scan as a whole.
struct AskedRegion {
  std::string path;
  const Mask* mask = nullptr;
  std::string title = {};
};

// The structures and regions that a policy needs of a scan's masks: all, where nothing is needed none.
std::vector<std::string> wanted_structures(const ViewPolicy& policy, const AskedRegion& asked);

// Draws a scan as a policy says: plane by plane, window by window, slice by slice. Refuses a region without a
// mask where the policy does, and more slices than it allows.
Result<std::vector<ViewPicture>> scan_pictures(const ViewPolicy& policy, const ScanArray& scan,
                                               const AskedRegion& asked, const CaseMasks& masks);

}  // namespace fiducial
