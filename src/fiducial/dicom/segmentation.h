#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/dicom/data_set.h"
#include "fiducial/image/mask.h"
#include "fiducial/image/segment_entry.h"

namespace fiducial {

// The images that a segmentation is made of: a CT series with one slice a file.
struct SegmentedSeries {
  struct Slice {
    std::string media_class;  // SOP class
    std::string instance;     // SOP instance
    std::string position;     // as the file has it
  };

  Grid grid;                  // in NIfTI's RAS+ world
  DicomDataSet first;         // attributes of the first slice
  std::vector<Slice> slices;  // by z
};

// Reads the places of a series (by the reader process) and what a segmentation must name of its files.
//
// Refused are files without SOP UIDs, of which nobody could say what was segmented, two files with one UID,
// files without study or frame of reference, and several slices in one file.
Result<SegmentedSeries> read_segmented_series(const Path& folder);

// How voxels are kept: a plane of bits for every segment, which may overlap, or one plane of labels.
enum class SegmentationKind { binary, label_map };

// What is written, besides what the series says.
struct SegmentationContent {
  const std::vector<SegmentEntry>& segments;
  const std::vector<Mask>& masks;  // beside the segments, on the grid of the series
  SegmentationKind kind = SegmentationKind::binary;
  std::string description = "Segmentation";
  std::string algorithm = "unspecified";
};

// A DICOM segmentation of a series. Equal inputs give equal bytes: UIDs are made of their hash, and the date
// of the content is that of the series. Label maps refuse segments that overlap.
Result<DicomFile> make_segmentation(const SegmentedSeries& series, const SegmentationContent& content);

// A DICOM segmentation, read. Frames without a voxel are usually left out: the grid spans those that are
// there.
struct SegmentationImage {
  Grid grid;
  std::vector<SegmentEntry> segments;
  std::vector<std::vector<MaskRun>> runs;  // of each segment, in the order of frames
  std::string frame_of_reference;
};

// Of a file that parse_dicom read. Refused are files without SOP UIDs, fractional segmentations, compressions
// other than RLE, frames at an angle to each other, and sizes that the pixels do not bear out.
Result<SegmentationImage> read_segmentation(const DicomFile& file);

// Whether a data set is a segmentation of planes or of labels.
bool is_segmentation(const DicomDataSet& data);

}  // namespace fiducial
