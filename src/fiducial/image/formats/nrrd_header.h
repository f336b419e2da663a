#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/image/channel_axis.h"
#include "fiducial/image/header_lines.h"
#include "fiducial/image/nifti_header.h"
#include "fiducial/image/segment_entry.h"

namespace fiducial {

// Where the voxels of a NRRD file are and how they are packed.
struct NrrdStorage {
  bool compressed = false;
  std::optional<std::string> detached;  // the name of their file
  std::int64_t skipped_bytes = 0;       // before them; -1: they are the last bytes of the file
};

// The header of a NRRD file.
struct NrrdHeader {
  NiftiHeader image;  // as NIfTI would describe it
  ChannelAxis channels = ChannelAxis::none;
  NrrdStorage storage;
  std::vector<SegmentEntry> segments;  // of Slicer's .seg.nrrd
};

// Reads lines up to the empty one that ends the header, or to the end of the file.
//
// Read are images of three axes in space, and of a fourth without direction before or behind them: channels.
// Worlds are left-posterior-superior, right-anterior-superior and left-anterior-superior; in others, and in
// none, voxels have a spacing and no place, which is noted.
Result<NrrdHeader> read_nrrd_header(HeaderLines& lines);

// The keys of Slicer's segments: Segment0_Name, Segment0_LabelValue, ...
Result<std::vector<SegmentEntry>> slicer_segments(const std::map<std::string, std::string>& keys);

}  // namespace fiducial
