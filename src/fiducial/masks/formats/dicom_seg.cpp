#include <algorithm>

#include "fiducial/dicom/segmentation.h"
#include "fiducial/masks/mask_format.h"
#include "fiducial/masks/segment_plan.h"

namespace fiducial {

MaskFormat dicom_seg_mask_format();

namespace {

constexpr std::uint64_t most_file_bytes = std::uint64_t{4} << 30;

class DicomMasks final : public WholeMaskReader {
 public:
  explicit DicomMasks(SegmentationImage image)
      : image_(std::move(image)), plan_(plan_of_segments(image_.segments)) {
    const Extent& extent = image_.grid.extent;
    const auto count = static_cast<std::int64_t>(plan_.masks.size());
    head_ = {.arrangement = plan_.arrangement,
             .shape = {count, extent},
             .masks = plan_.masks,
             .rank = 4,
             .dim = {count, extent.x, extent.y, extent.z},
             .shape_text = ChannelShape{count, extent}.text(),
             .type = VoxelType::uint8,
             .affine = image_.grid.affine,
             .claims_place = true,
             .covers_part = true};
  }

  const MaskHead& head() const override { return head_; }

  Result<LabelStack> read_all() override {
    std::vector<std::vector<LabelRun>> runs(head_.masks.size());
    for (std::size_t segment = 0; segment < image_.runs.size(); ++segment) {
      const SegmentPlan::Target& target = plan_.targets[segment];
      for (const MaskRun& run : image_.runs[segment])
        runs[target.mask].push_back({run.row, run.begin, run.end, target.label});
    }
    LabelStack out{image_.grid, {}, {}, {}};
    for (std::size_t mask = 0; mask < runs.size(); ++mask) {
      FIDUCIAL_TRY(LabelMap labels, labels_of_runs(std::move(runs[mask]), image_.grid, head_.masks[mask]));
      out.values.foreground += labels.count();
      for (const std::int32_t label : labels.labels())
        out.values.greatest = std::max(out.values.greatest, label);
      out.channels.push_back(std::move(labels));
    }
    return out;
  }

 private:
  SegmentationImage image_;
  SegmentPlan plan_;
  MaskHead head_;
};

Result<std::unique_ptr<MaskReader>> open_dicom_masks(MaskSource source) {
  FIDUCIAL_TRY(const auto places, anywhere(std::move(source), most_file_bytes));
  if (places->size() > most_file_bytes) return invalid_data("a DICOM file of more than 4 GiB");
  Bytes bytes(static_cast<std::size_t>(places->size()));
  FIDUCIAL_TRY(const std::size_t got, places->read_at(0, bytes));
  bytes.resize(got);
  FIDUCIAL_TRY(const DicomFile file, parse_dicom(bytes));
  FIDUCIAL_TRY(SegmentationImage image, read_segmentation(file));
  return {std::make_unique<DicomMasks>(std::move(image))};
}

}  // namespace

MaskFormat dicom_seg_mask_format() {
  return {.id = "dicom-seg",
          .title = "DICOM segmentation",
          .endings = {".seg.dcm"},
          .begins = begins_as_dicom,
          .open = open_dicom_masks};
}

}  // namespace fiducial
