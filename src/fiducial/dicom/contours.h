#pragma once

#include <string>
#include <vector>

#include "fiducial/base/note.h"
#include "fiducial/dicom/segmentation.h"

namespace fiducial {

// A polygon in voxel coordinates of a slice: (x, y) of centres are whole numbers.
using SlicePolygon = std::vector<std::array<double, 2>>;

// The voxels of a slice whose centre lies inside the polygons by the even-odd rule, so that a polygon in
// another one is a hole, or on the edge of any of them. In order.
std::vector<MaskRun> filled_polygons(const std::vector<SlicePolygon>& polygons, const Extent& extent,
                                     std::int64_t z);

// The regions of interest of a structure set as voxels of a series.
struct StructureSet {
  std::vector<SegmentEntry> segments;  // by name
  std::vector<Mask> masks;             // on the grid of the series
  Notes notes;                         // contours that enclose nothing
};

bool is_structure_set(const DicomDataSet& data);

// Refused are files without SOP UIDs, contours in another frame of reference than the series', contours that
// lie between its slices or out of their planes, and regions that are named twice.
Result<StructureSet> read_structure_set(const DicomFile& file, const SegmentedSeries& series);

}  // namespace fiducial
