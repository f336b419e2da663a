#pragma once

#include <span>
#include <string>

#include "fiducial/base/result.h"
#include "fiducial/geometry/extent.h"
#include "fiducial/image/segment_entry.h"
#include "fiducial/image/volume_format.h"

namespace fiducial {

// A whole file: compressed, in this machine's byte order, in Slicer's world.
Result<Bytes> nrrd_bytes(const VolumeContent& content);

// The lines by which 3D Slicer knows the segments of a .seg.nrrd; empty without segments.
std::string slicer_keys(std::span<const SegmentEntry> segments, const Extent& extent);

}  // namespace fiducial
