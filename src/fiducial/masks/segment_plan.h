#pragma once

#include <vector>

#include "fiducial/base/result.h"
#include "fiducial/image/segment_entry.h"
#include "fiducial/masks/mask_collection.h"

namespace fiducial {

// A segment as other programs keep them: one set of voxels with a name.
struct Segment {
  SegmentEntry about;
  Mask voxels;
};

// The masks of a collection as segments: every structure, every entity of a finding ("finding 0 entity 2"),
// every label of a map ("label 7"). A finding without a voxel keeps an empty one.
std::vector<Segment> segments_of(const MaskCollection& masks);

// What the masks are that a file lists as segments, and where each segment goes.
//
// Segments are structures by their names, unless all of them are called "finding N" or "finding N entity M":
// these are findings again, with their entities as labels.
struct SegmentPlan {
  struct Target {
    std::size_t mask = 0;
    std::int32_t label = 1;
  };

  MaskArrangement arrangement = MaskArrangement::structures;
  std::vector<ListedMask> masks;
  std::vector<Target> targets;  // beside the segments
};
SegmentPlan plan_of_segments(const std::vector<SegmentEntry>& segments);

// The runs that were found for a mask, in any order, as labels. Runs that overlap are refused.
Result<LabelMap> labels_of_runs(std::vector<LabelRun> runs, const Grid& grid, const ListedMask& mask);

}  // namespace fiducial
