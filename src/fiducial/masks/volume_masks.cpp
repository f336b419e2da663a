#include "fiducial/masks/volume_masks.h"

#include <algorithm>
#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/image/nifti_file.h"
#include "fiducial/masks/segment_plan.h"

namespace fiducial {

namespace {

constexpr std::int64_t most_channels = 65536;  // as decode_labels has it

Result<ChannelAxis> axis_of(const NiftiStream& stream) {
  if (const auto said = stream.channels()) return *said;
  const NiftiHeader& header = stream.header();
  if (header.rank() == 2 || header.rank() == 3) return ChannelAxis::none;
  if (header.rank() == 4) return ChannelAxis::first;
  return invalid_data("array of shape " + header.shape_text() + "; expected (F,H,W,D)");
}

MaskHead head_of(const NiftiHeader& header, const ChannelShape& shape, ChannelAxis axis) {
  MaskHead out{.arrangement = axis == ChannelAxis::none ? MaskArrangement::labels : MaskArrangement::findings,
               .shape = shape,
               .masks = {},
               .rank = header.rank(),
               .dim = {header.dim[1], header.dim[2], header.dim[3], header.dim[4]},
               .shape_text = header.shape_text(),
               .type = header.type,
               .affine = header.affine,
               .claims_place = header.claims_place()};
  // Channels that the file says are last are no wrong order: told as if they were first.
  if (axis == ChannelAxis::last) out.dim = {header.dim[4], header.dim[1], header.dim[2], header.dim[3]};
  for (std::int64_t i = 0; i < shape.channels && i < most_channels; ++i)
    out.masks.push_back({.name = {}, .id = static_cast<std::uint32_t>(i), .code = {}});
  return out;
}

class PlainMasks final : public WholeMaskReader {
 public:
  PlainMasks(NiftiStream stream, ChannelAxis axis, const ChannelShape& shape)
      : stream_(std::move(stream)), axis_(axis), head_(head_of(stream_.header(), shape, axis)) {}

  const MaskHead& head() const override { return head_; }
  Result<LabelStack> read_all() override { return decode_labels(stream_, axis_); }

 private:
  NiftiStream stream_;
  ChannelAxis axis_;
  MaskHead head_;
};

// Where a label of a layer goes.
using Targets = std::vector<std::map<std::int32_t, std::vector<SegmentPlan::Target>>>;  // by layer and label

class SegmentMasks final : public WholeMaskReader {
 public:
  static Result<std::unique_ptr<MaskReader>> make(NiftiStream stream, ChannelAxis axis,
                                                  const ChannelShape& layers) {
    SegmentMasks out(std::move(stream), axis, layers);
    FIDUCIAL_TRY_DONE(out.plan(layers));
    return {std::make_unique<SegmentMasks>(std::move(out))};
  }

  const MaskHead& head() const override { return head_; }

  Result<LabelStack> read_all() override {
    FIDUCIAL_TRY(LabelStack stored, decode_labels(stream_, axis_));
    std::vector<std::vector<LabelRun>> runs(head_.masks.size());
    for (std::size_t layer = 0; layer < stored.channels.size(); ++layer) {
      for (const LabelRun& run : stored.channels[layer].runs()) {
        const auto found = targets_[layer].find(run.label);
        if (found == targets_[layer].end()) continue;
        for (const SegmentPlan::Target& target : found->second)
          runs[target.mask].push_back({run.row, run.begin, run.end, target.label});
      }
    }
    LabelStack out{stored.grid, {}, stored.values, std::move(stored.notes)};
    for (std::size_t mask = 0; mask < runs.size(); ++mask) {
      FIDUCIAL_TRY(LabelMap labels, labels_of_runs(std::move(runs[mask]), stored.grid, head_.masks[mask]));
      out.channels.push_back(std::move(labels));
    }
    return out;
  }

 private:
  SegmentMasks(NiftiStream stream, ChannelAxis axis, const ChannelShape& layers)
      : stream_(std::move(stream)), axis_(axis), head_(head_of(stream_.header(), layers, axis)) {}

  Outcome plan(const ChannelShape& layers) {
    const std::vector<SegmentEntry>& segments = stream_.segments();
    SegmentPlan plan = plan_of_segments(segments);
    targets_.resize(static_cast<std::size_t>(layers.channels));
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const SegmentEntry& segment = segments[i];
      if (segment.layer >= layers.channels) {
        return invalid_data("segment \"" + segment.name + "\" is in layer " + decimal(segment.layer) +
                            " of " + decimal(layers.channels));
      }
      targets_[static_cast<std::size_t>(segment.layer)][segment.label].push_back(plan.targets[i]);
    }
    head_.arrangement = plan.arrangement;
    head_.masks = std::move(plan.masks);
    const Extent& extent = head_.shape.extent;
    head_.shape.channels = static_cast<std::int64_t>(head_.masks.size());
    head_.dim = {head_.shape.channels, extent.x, extent.y, extent.z};
    head_.rank = 4;
    return done();
  }

  NiftiStream stream_;
  ChannelAxis axis_;
  MaskHead head_;
  Targets targets_;
};

}  // namespace

Result<std::unique_ptr<MaskReader>> open_volume_masks(MaskSource source) {
  FIDUCIAL_TRY(NiftiStream stream, NiftiStream::open(std::move(source.file.bytes), source.file.size));
  FIDUCIAL_TRY(const ChannelAxis axis, axis_of(stream));
  FIDUCIAL_TRY(const ChannelShape shape, channel_shape(stream.header(), axis));
  if (!stream.segments().empty()) return SegmentMasks::make(std::move(stream), axis, shape);
  return {std::make_unique<PlainMasks>(std::move(stream), axis, shape)};
}

}  // namespace fiducial
