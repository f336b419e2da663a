#include "fiducial/masks/volume_masks.h"

#include <algorithm>
#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {

namespace {

constexpr std::string_view finding_word = "finding ";
constexpr std::string_view entity_word = " entity ";
constexpr std::int64_t most_channels = 65536;  // as decode_labels has it
constexpr std::int64_t most_finding = 4096;

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

// A segment as part of a finding: which, and which label it has there.
struct FindingPart {
  std::int64_t finding = 0;
  std::int32_t entity = 1;
};

std::optional<FindingPart> finding_part(std::string_view name) {
  if (!name.starts_with(finding_word)) return std::nullopt;
  name.remove_prefix(finding_word.size());
  const std::size_t end = name.find(entity_word);
  const auto finding = parse_integer(name.substr(0, end));
  if (!finding || *finding < 0 || *finding >= most_finding) return std::nullopt;
  if (end == std::string_view::npos) return FindingPart{*finding, 1};
  const auto entity = parse_integer(name.substr(end + entity_word.size()));
  if (!entity || *entity < 1 || *entity > most_channels) return std::nullopt;
  return FindingPart{*finding, static_cast<std::int32_t>(*entity)};
}

// Where a label of a layer goes: which mask, and as what label.
struct Target {
  std::size_t mask = 0;
  std::int32_t label = 1;
};
using Targets = std::vector<std::map<std::int32_t, std::vector<Target>>>;  // by layer and label

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
        for (const Target& target : found->second)
          runs[target.mask].push_back({run.row, run.begin, run.end, target.label});
      }
    }
    LabelStack out{stored.grid, {}, stored.values, std::move(stored.notes)};
    for (std::size_t mask = 0; mask < runs.size(); ++mask) {
      FIDUCIAL_TRY(LabelMap labels, merged(std::move(runs[mask]), stored.grid, mask));
      out.channels.push_back(std::move(labels));
    }
    return out;
  }

 private:
  SegmentMasks(NiftiStream stream, ChannelAxis axis, const ChannelShape& layers)
      : stream_(std::move(stream)), axis_(axis), head_(head_of(stream_.header(), layers, axis)) {}

  Outcome plan(const ChannelShape& layers) {
    const std::vector<SegmentEntry>& segments = stream_.segments();
    targets_.resize(static_cast<std::size_t>(layers.channels));
    const bool findings = std::all_of(segments.begin(), segments.end(), [](const SegmentEntry& segment) {
      return finding_part(segment.name).has_value();
    });
    std::int64_t count = findings ? 0 : static_cast<std::int64_t>(segments.size());
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const SegmentEntry& segment = segments[i];
      if (segment.layer >= layers.channels) {
        return invalid_data("segment \"" + segment.name + "\" is in layer " + decimal(segment.layer) +
                            " of " + decimal(layers.channels));
      }
      const FindingPart part =
          findings ? *finding_part(segment.name) : FindingPart{static_cast<std::int64_t>(i), 1};
      if (findings) count = std::max(count, part.finding + 1);
      targets_[static_cast<std::size_t>(segment.layer)][segment.label].push_back(
          {static_cast<std::size_t>(part.finding), part.entity});
    }
    list_masks(findings, static_cast<std::size_t>(count));
    return done();
  }

  void list_masks(bool findings, std::size_t count) {
    const auto& segments = stream_.segments();
    head_.arrangement = findings ? MaskArrangement::findings : MaskArrangement::structures;
    head_.shape.channels = static_cast<std::int64_t>(count);
    head_.dim = {head_.shape.channels, head_.shape.extent.x, head_.shape.extent.y, head_.shape.extent.z};
    head_.rank = 4;
    head_.masks.clear();
    for (std::size_t i = 0; i < count; ++i) {
      ListedMask mask{.name = {}, .id = static_cast<std::uint32_t>(i), .code = {}};
      if (!findings) {
        mask.name = segments[i].name;
        mask.id = static_cast<std::uint32_t>(segments[i].label);
        if (!segments[i].type.empty())
          mask.code = MaskCode{segments[i].type.scheme, segments[i].type.value, segments[i].type.meaning};
      }
      head_.masks.push_back(std::move(mask));
    }
  }

  // Runs of several layers in order; entities of one finding must not overlap.
  Result<LabelMap> merged(std::vector<LabelRun> runs, const Grid& grid, std::size_t mask) const {
    std::sort(runs.begin(), runs.end(), [](const LabelRun& a, const LabelRun& b) {
      return std::pair(a.row, a.begin) < std::pair(b.row, b.begin);
    });
    for (std::size_t i = 1; i < runs.size(); ++i) {
      if (runs[i - 1].row == runs[i].row && runs[i].begin < runs[i - 1].end) {
        return invalid_data("two segments of finding " + decimal(mask) + " overlap");
      }
    }
    return LabelMap(grid, std::move(runs)).relabelled([](std::int32_t label) { return label; });
  }

  NiftiStream stream_;
  ChannelAxis axis_;
  MaskHead head_;
  Targets targets_;
};

}  // namespace

std::string finding_segment_name(std::size_t finding, std::int32_t entity, bool has_entities) {
  std::string out = std::string(finding_word) + decimal(finding);
  if (has_entities) out += std::string(entity_word) + decimal(entity);
  return out;
}

Result<std::unique_ptr<MaskReader>> open_volume_masks(MaskSource source) {
  FIDUCIAL_TRY(NiftiStream stream, NiftiStream::open(std::move(source.file.bytes), source.file.size));
  FIDUCIAL_TRY(const ChannelAxis axis, axis_of(stream));
  FIDUCIAL_TRY(const ChannelShape shape, channel_shape(stream.header(), axis));
  if (!stream.segments().empty()) return SegmentMasks::make(std::move(stream), axis, shape);
  return {std::make_unique<PlainMasks>(std::move(stream), axis, shape)};
}

}  // namespace fiducial
