#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/image/formats/nrrd_segments.h"
#include "fiducial/image/label_encoder.h"
#include "fiducial/masks/segment_plan.h"
#include "fiducial/masks/volume_masks.h"

namespace fiducial {

MaskFormat nrrd_mask_format();
MaskFormat seg_nrrd_mask_format();

namespace {

bool begins_as_nrrd(ByteView first) { return as_text(first).starts_with("NRRD000"); }

// Masks as layers of labels: a mask lies in the first layer where it overlaps nothing, as Slicer does it.
class Layers {
 public:
  void add(const Mask& mask, SegmentEntry segment) {
    std::size_t layer = 0;
    while (layer < taken_.size() && (labels_[layer] == 255 || !intersected(taken_[layer], mask).empty()))
      ++layer;
    if (layer == taken_.size()) {
      taken_.emplace_back(mask.grid());
      runs_.emplace_back();
      labels_.push_back(0);
    }
    segment.layer = static_cast<std::int32_t>(layer);
    segment.label = ++labels_[layer];
    segment.id = "Segment_" + decimal(segments_.size() + 1);
    for (const MaskRun& run : mask.runs())
      runs_[layer].push_back({run.row, run.begin, run.end, segment.label});
    taken_[layer] = united(taken_[layer], mask);
    segments_.push_back(std::move(segment));
  }

  std::vector<LabelMap> maps(const Grid& grid) {
    std::vector<LabelMap> out;
    for (std::vector<LabelRun>& runs : runs_) {
      std::sort(runs.begin(), runs.end(), [](const LabelRun& a, const LabelRun& b) {
        return std::pair(a.row, a.begin) < std::pair(b.row, b.begin);
      });
      out.emplace_back(grid, std::move(runs));
    }
    if (out.empty()) out.emplace_back(grid);
    return out;
  }
  const std::vector<SegmentEntry>& segments() const { return segments_; }

 private:
  std::vector<Mask> taken_;
  std::vector<std::vector<LabelRun>> runs_;
  std::vector<std::int32_t> labels_;
  std::vector<SegmentEntry> segments_;
};

Result<Bytes> encode_segments(const MaskCollection& masks, std::string_view /*file_name*/) {
  Layers layers;
  for (Segment& segment : segments_of(masks)) layers.add(segment.voxels, std::move(segment.about));
  const std::vector<LabelMap> maps = layers.maps(masks.grid);
  const ChannelAxis axis = maps.size() == 1 ? ChannelAxis::none : ChannelAxis::first;
  FIDUCIAL_TRY(NiftiImage image, encode_labels(maps, axis));
  if (!masks.claims_place && !masks.grid.affine.is_identity()) image.header().sform_code = 0;
  return nrrd_bytes({.image = image, .channels = axis, .segments = layers.segments()});
}

}  // namespace

MaskFormat seg_nrrd_mask_format() {
  return {.id = "seg.nrrd",
          .title = "segmentation of 3D Slicer",
          .endings = {".seg.nrrd"},
          .begins = begins_as_nrrd,
          .open = open_volume_masks,
          .encode = encode_segments,
          .keeps_names = true};
}

MaskFormat nrrd_mask_format() {
  return {.id = "nrrd",
          .title = "NRRD",
          .endings = {".nrrd"},
          .begins = begins_as_nrrd,
          .open = open_volume_masks,
          .keeps_names = false};
}

}  // namespace fiducial
