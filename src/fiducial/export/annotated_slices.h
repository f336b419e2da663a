#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/datasets/grounded_dataset.h"
#include "fiducial/export/export_target.h"
#include "fiducial/export/pixel_codes.h"
#include "fiducial/image/label_map.h"
#include "fiducial/views/scan_array.h"

namespace fiducial {

// An entity of a finding on one axial slice, a pixel a voxel, as radiologists look at it.
struct SliceShape {
  std::int64_t finding = 0;
  std::int32_t entity = 1;
  PixelMask pixels;
};

// A case slice by slice: those with a finding, from the head down.
struct SlicedCase {
  const GroundedCase* entry = nullptr;
  const ScanArray* scan = nullptr;
  PlaneAxes axes;
  std::map<std::int64_t, std::vector<SliceShape>> slices;  // by finding, then entity

  std::string stem() const;
  // Below the folder of an export: images/CASE/0041.png. What comes back is found by this name alone.
  std::string picture_name(std::int64_t slice) const;
  // The slice in grey, through a window.
  Bytes picture(std::int64_t slice, const ViewWindow& window) const;
};

// Cuts masks of a case, given in the order of its channels, into the slices they are seen on.
std::map<std::int64_t, std::vector<SliceShape>> shapes_by_slice(std::span<const LabelMap> channels,
                                                                const PlaneAxes& axes);

// Every case of the split that is exported, with its references, or with what the request has as predictions.
Outcome visit_sliced_cases(const ExportCall& call, const std::function<Outcome(const SlicedCase&)>& visit);

// Writes the pictures of a case's slices below a folder that nobody sees yet.
Outcome write_slices(const SlicedCase& one, const ViewWindow& window, const Path& folder);

// The window of --window, in Hounsfield units: "CENTRE,WIDTH".
TaskOption window_option();
Result<ViewWindow> window_of(const ExportCall& call);

}  // namespace fiducial
