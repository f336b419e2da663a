#pragma once

#include <span>
#include <string>

#include "fiducial/geometry/extent.h"
#include "fiducial/image/segment_entry.h"

namespace fiducial {

// The lines by which 3D Slicer knows the segments of a .seg.nrrd; empty without segments.
std::string slicer_keys(std::span<const SegmentEntry> segments, const Extent& extent);

}  // namespace fiducial
