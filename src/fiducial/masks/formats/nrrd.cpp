#include <algorithm>
#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/image/formats/nrrd_segments.h"
#include "fiducial/image/label_encoder.h"
#include "fiducial/masks/volume_masks.h"

namespace fiducial {

MaskFormat nrrd_mask_format();
MaskFormat seg_nrrd_mask_format();

namespace {

bool begins_as_nrrd(ByteView first) { return as_text(first).starts_with("NRRD000"); }

// Colours that stand apart, by turns.
std::array<double, 3> segment_colour(std::size_t index) {
  constexpr std::array<std::array<double, 3>, 8> colours{{{0.90, 0.29, 0.24},
                                                          {0.18, 0.55, 0.34},
                                                          {0.20, 0.44, 0.78},
                                                          {0.95, 0.77, 0.06},
                                                          {0.56, 0.27, 0.68},
                                                          {0.10, 0.74, 0.61},
                                                          {0.90, 0.49, 0.13},
                                                          {0.50, 0.55, 0.55}}};
  return colours[index % colours.size()];
}

SegmentEntry segment_of(const ListedMask& about, std::size_t index) {
  SegmentEntry out;
  out.name = about.name.empty() ? "segment " + decimal(index + 1) : about.name;
  out.colour = segment_colour(index);
  if (about.code) {
    out.category = {"SCT", "123037004", "Anatomical Structure"};
    out.type = {about.code->scheme, about.code->value, about.code->meaning};
  }
  return out;
}

// Masks as layers of labels: a mask lies in the first layer where it overlaps nothing, as Slicer does it.
class Layers {
 public:
  void add(Mask mask, SegmentEntry segment) {
    std::size_t layer = 0;
    while (layer < taken_.size() && (labels_[layer] == 255 || !intersected(taken_[layer], mask).empty()))
      ++layer;
    if (layer == taken_.size()) {
      taken_.push_back(Mask(mask.grid()));
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

// Every label of a map is a segment; the entities of a finding, too.
void add_labels(const MaskCollection::Member& member, std::size_t index, MaskArrangement arrangement,
                Layers& layers) {
  const std::vector<std::int32_t> labels = member.labels.labels();
  const bool has_entities = labels.size() > 1 || (labels.size() == 1 && labels[0] != 1);
  for (const std::int32_t label : labels) {
    SegmentEntry segment = segment_of(member.about, index);
    if (arrangement == MaskArrangement::findings)
      segment.name = finding_segment_name(index, label, has_entities);
    if (arrangement == MaskArrangement::labels) {
      segment.name = "label " + decimal(label);
      segment.colour = segment_colour(static_cast<std::size_t>(label));
    }
    layers.add(member.labels.where(label), std::move(segment));
  }
  // A finding without a voxel keeps its place in the row.
  if (!labels.empty() || arrangement == MaskArrangement::labels) return;
  SegmentEntry segment = segment_of(member.about, index);
  if (arrangement == MaskArrangement::findings) segment.name = finding_segment_name(index, 1, false);
  layers.add(Mask(member.labels.grid()), std::move(segment));
}

Result<Bytes> encode_segments(const MaskCollection& masks, std::string_view /*file_name*/) {
  Layers layers;
  for (std::size_t i = 0; i < masks.masks.size(); ++i) {
    const auto& member = masks.masks[i];
    if (masks.arrangement == MaskArrangement::structures) {
      layers.add(member.labels.foreground(), segment_of(member.about, i));
    } else {
      add_labels(member, i, masks.arrangement, layers);
    }
  }
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
