#include <algorithm>
#include <cmath>
#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/base/printable.h"
#include "fiducial/dicom/directions.h"
#include "fiducial/dicom/run_length.h"
#include "fiducial/dicom/segmentation.h"

namespace fiducial {

namespace {

constexpr double frame_tolerance_mm = 0.01;
constexpr std::int64_t most_segment_frames = 4'000'000;
constexpr std::int64_t most_segment_slices = 65536;
constexpr std::size_t most_segments = 65535;

CodedName code_of_item(const DicomDataSet* item) {
  if (item == nullptr) return {};
  return {item->text(0x00080102), item->text(0x00080100), item->text(0x00080104)};
}

// The item of a group that a frame has for itself, or that all frames share.
const DicomDataSet* group_of(const DicomDataSet& frame, const DicomDataSet* shared, DicomTag group) {
  if (const DicomDataSet* own = frame.first_item(group)) return own;
  return shared == nullptr ? nullptr : shared->first_item(group);
}

struct FramePlace {
  Vec3 position{};
  std::int64_t z = 0;
  std::size_t segment = 0;  // the index of its segment; of planes of labels none
};

class SegmentationReader {
 public:
  explicit SegmentationReader(const DicomFile& file) : file_(file), data_(file.data) {}

  Result<SegmentationImage> read() {
    FIDUCIAL_TRY_DONE(read_kind());
    FIDUCIAL_TRY_DONE(read_sizes());
    FIDUCIAL_TRY_DONE(read_segments());
    FIDUCIAL_TRY_DONE(read_frames());
    FIDUCIAL_TRY_DONE(place_frames());
    FIDUCIAL_TRY_DONE(is_map_ ? read_labels() : read_bits());
    out_.frame_of_reference = data_.text(0x00200052);
    return std::move(out_);
  }

 private:
  Outcome read_kind() {
    if (!is_segmentation(data_)) {
      return invalid_data("SOP class \"" + printable(data_.text(0x00080016)) + "\"; expected a segmentation");
    }
    if (data_.text(0x00080018).empty()) {
      return invalid_data(
          "SOP Instance UID is empty: the file has no identity, and was not written by a DICOM "
          "system");
    }
    const std::string kind = data_.text(0x00620001);
    is_map_ = kind == "LABELMAP";
    if (is_map_ || kind == "BINARY") return done();
    return invalid_data("segmentation of type \"" + printable(kind) + "\"; expected BINARY or LABELMAP");
  }

  Outcome read_sizes() {
    rows_ = data_.number16(0x00280010).value_or(0);
    columns_ = data_.number16(0x00280011).value_or(0);
    frames_ = data_.integer_text(0x00280008).value_or(0);
    bits_ = data_.number16(0x00280100).value_or(0);
    if (rows_ == 0 || columns_ == 0 || frames_ < 1 || frames_ > most_segment_frames) {
      return invalid_data("Rows, Columns or NumberOfFrames are missing or out of range");
    }
    if (is_map_ ? bits_ != 8 && bits_ != 16 : bits_ != 1) {
      return invalid_data("BitsAllocated is " + decimal(bits_) + "; expected " + (is_map_ ? "8 or 16" : "1"));
    }
    if (static_cast<std::int64_t>(data_.items(0x52009230).size()) != frames_) {
      return invalid_data("NumberOfFrames is " + decimal(frames_) + ", but " +
                          decimal(data_.items(0x52009230).size()) + " frames are described");
    }
    if (!file_.pixels) return check_fragments();
    const std::int64_t needed = (frames_ * rows_ * columns_ * bits_ + 7) / 8;
    if (static_cast<std::int64_t>(file_.pixels->size()) >= needed) return done();
    return invalid_data("truncated: " + decimal(needed) + " bytes of pixel data expected, " +
                        decimal(file_.pixels->size()) + " found");
  }

  Outcome check_fragments() const {
    if (file_.transfer_syntax != rle_lossless || !is_map_) {
      return invalid_data("pixels in transfer syntax " + printable(file_.transfer_syntax) +
                          " are not read; expected no compression, deflate, or RLE of labels");
    }
    if (static_cast<std::int64_t>(file_.fragments.size()) == frames_ + 1) return done();
    return invalid_data(decimal(file_.fragments.size()) + " fragments of pixels for " + decimal(frames_) +
                        " frames");
  }

  Outcome read_segments() {
    const auto& items = data_.items(0x00620002);
    if (items.empty() || items.size() > most_segments) {
      return invalid_data(decimal(items.size()) + " segments; expected 1 to 65535");
    }
    for (const DicomDataSet& item : items) {
      const auto number = item.number16(0x00620004);
      if (!number) return invalid_data("a segment without a number");
      SegmentEntry segment;
      segment.name = item.text(0x00620005);
      segment.label = *number;
      segment.category = code_of_item(item.first_item(0x00620003));
      const DicomDataSet* type = item.first_item(0x0062000F);
      segment.type = code_of_item(type);
      if (type != nullptr) segment.side = code_of_item(type->first_item(0x00620011));
      if (is_map_ && *number == 0) continue;  // the background
      if (!by_number_.emplace(*number, out_.segments.size()).second) {
        return invalid_data("two segments have the number " + decimal(*number));
      }
      out_.segments.push_back(std::move(segment));
    }
    out_.runs.resize(out_.segments.size());
    return done();
  }

  Outcome read_orientation(const DicomDataSet& frame, const DicomDataSet* shared) {
    const DicomDataSet* orientation = group_of(frame, shared, 0x00209116);
    const DicomDataSet* measures = group_of(frame, shared, 0x00289110);
    if (orientation == nullptr || measures == nullptr) {
      return invalid_data("frames without orientation or pixel spacing");
    }
    FIDUCIAL_TRY(const auto directions, orientation->numbers(0x00200037, 6));
    FIDUCIAL_TRY(const auto spacing, measures->numbers(0x00280030, 2));
    const Vec3 along_row{directions[0], directions[1], directions[2]};
    const Vec3 along_column{directions[3], directions[4], directions[5]};
    const bool fits = std::abs(dot(along_row, along_row) - 1) < 1e-3 &&
                      std::abs(dot(along_column, along_column) - 1) < 1e-3 &&
                      std::abs(dot(along_row, along_column)) < 1e-3 && spacing[0] > 0 && spacing[1] > 0;
    if (!fits) return invalid_data("orientation or pixel spacing of a frame is none of an image");
    const std::vector<double> plane{directions[0], directions[1], directions[2], directions[3],
                                    directions[4], directions[5], spacing[0],    spacing[1]};
    if (plane_.empty()) {
      plane_ = plane;
      for (const DicomTag tag : {0x00180088U, 0x00180050U}) {
        const auto stated = measures->numbers(tag, 1);
        if (stated_step_ <= 0 && stated.ok()) stated_step_ = stated->front();
      }
    }
    for (std::size_t i = 0; i < plane.size(); ++i) {
      if (std::abs(plane[i] - plane_[i]) > 1e-4) return invalid_data("frames lie at an angle to each other");
    }
    return done();
  }

  Outcome read_frames() {
    const DicomDataSet* shared = data_.first_item(0x52009229);
    for (const DicomDataSet& frame : data_.items(0x52009230)) {
      FIDUCIAL_TRY_DONE(read_orientation(frame, shared));
      const DicomDataSet* position = group_of(frame, shared, 0x00209113);
      if (position == nullptr) return invalid_data("a frame without a position");
      FIDUCIAL_TRY(const auto numbers, position->numbers(0x00200032, 3));
      FramePlace place{.position = {numbers[0], numbers[1], numbers[2]}};
      if (!is_map_) {
        const DicomDataSet* owner = group_of(frame, shared, 0x0062000A);
        const auto number = owner == nullptr ? std::nullopt : owner->number16(0x0062000B);
        const auto found = number ? by_number_.find(*number) : by_number_.end();
        if (found == by_number_.end()) return invalid_data("a frame of a segment that is not listed");
        place.segment = found->second;
      }
      places_.push_back(place);
    }
    return done();
  }

  // The slices that there are, along the normal of their planes; the least distance is the step between them.
  Outcome place_frames() {
    const Vec3 along_row{plane_[0], plane_[1], plane_[2]};
    const Vec3 along_column{plane_[3], plane_[4], plane_[5]};
    const Vec3 normal = cross(along_row, along_column);
    std::vector<const FramePlace*> sorted;
    for (const FramePlace& place : places_) sorted.push_back(&place);
    std::sort(sorted.begin(), sorted.end(), [&](const FramePlace* a, const FramePlace* b) {
      return dot(a->position, normal) < dot(b->position, normal);
    });
    const Vec3 first = sorted.front()->position;
    const Vec3 whole = minus(sorted.back()->position, first);
    double least = 0;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      const double gap = dot(minus(sorted[i]->position, sorted[i - 1]->position), normal);
      if (gap > frame_tolerance_mm && (least == 0 || gap < least)) least = gap;
    }
    // A gap in the frames may hide slices; what the file says is believed where it fits.
    const double height = dot(whole, normal);
    double step = least > 0 ? least : std::max(stated_step_, 0.0);
    if (stated_step_ > frame_tolerance_mm && stated_step_ < step - frame_tolerance_mm) step = stated_step_;
    if (step <= 0) step = 1;
    const std::int64_t steps = std::llround(height / step);
    if (steps >= most_segment_slices) return invalid_data("frames are spread over more than 65535 slices");
    const double share = steps > 0 ? 1.0 / static_cast<double>(steps) : 0;
    Vec3 between{normal[0] * step, normal[1] * step, normal[2] * step};
    if (steps > 0) between = {whole[0] * share, whole[1] * share, whole[2] * share};
    for (FramePlace& place : places_) {
      const Vec3 from_first = minus(place.position, first);
      place.z = std::llround(dot(from_first, normal) / dot(between, normal));
      const auto z = static_cast<double>(place.z);
      const Vec3 off = minus(from_first, {between[0] * z, between[1] * z, between[2] * z});
      if (std::sqrt(dot(off, off)) > 5 * frame_tolerance_mm) {
        return invalid_data("frames are not evenly spaced along one line: one lies " +
                            fixed(std::sqrt(dot(off, off)), 3) + " mm off");
      }
    }
    out_.grid.extent = {columns_, rows_, steps + 1};
    for (std::size_t row = 0; row < 3; ++row) {
      const double sign = row < 2 ? -1 : 1;
      out_.grid.affine.m[row] = {sign * along_row[row] * plane_[7] + 0.0,
                                 sign * along_column[row] * plane_[6] + 0.0, sign * between[row] + 0.0,
                                 sign * first[row] + 0.0};
    }
    return check_mask_extent(out_.grid.extent);
  }

  std::size_t frame_voxels() const { return static_cast<std::size_t>(rows_ * columns_); }

  void add_run(std::size_t segment, std::int64_t z, std::size_t voxel, std::size_t count) {
    const auto width = static_cast<std::size_t>(columns_);
    const auto row = static_cast<std::int32_t>(z * rows_ + static_cast<std::int64_t>(voxel / width));
    const auto begin = static_cast<std::int32_t>(voxel % width);
    out_.runs[segment].push_back({row, begin, begin + static_cast<std::int32_t>(count)});
  }

  // Calls label_at(voxel) for every voxel of a frame and adds the runs of equal ones.
  template <typename LabelAt>
  Outcome add_frame(const FramePlace& place, const LabelAt& label_at) {
    const auto width = static_cast<std::size_t>(columns_);
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows_); ++row) {
      for (std::size_t x = 0; x < width;) {
        const std::size_t voxel = row * width + x;
        const std::uint32_t label = label_at(voxel);
        std::size_t count = 1;
        while (x + count < width && label_at(voxel + count) == label) ++count;
        if (label != 0) {
          const auto found = by_number_.find(static_cast<std::uint16_t>(label));
          if (found == by_number_.end())
            return invalid_data("a voxel has the label " + decimal(label) + ", which is no segment");
          add_run(found->second, place.z, voxel, count);
        }
        x += count;
      }
    }
    return done();
  }

  // Most bytes of a plane are zero, and are passed over whole.
  Outcome read_bits() {
    const std::string& pixels = *file_.pixels;
    const auto is_set = [&](std::size_t at) {
      return (static_cast<unsigned char>(pixels[at / 8]) >> (at % 8) & 1U) != 0;
    };
    const auto width = static_cast<std::size_t>(columns_);
    for (std::size_t frame = 0; frame < places_.size(); ++frame) {
      const std::size_t first = frame * frame_voxels();
      for (std::size_t row = first; row < first + frame_voxels(); row += width) {
        for (std::size_t at = row; at < row + width;) {
          if (at % 8 == 0 && pixels[at / 8] == 0 && at + 8 <= row + width) {
            at += 8;
            continue;
          }
          std::size_t end = at;
          while (end < row + width && is_set(end)) ++end;
          if (end > at) add_run(places_[frame].segment, places_[frame].z, at - first, end - at);
          at = end + 1;
        }
      }
    }
    return done();
  }

  Outcome read_labels() {
    const std::size_t width = bits_ / 8U;
    const std::size_t frame_bytes = frame_voxels() * width;
    for (std::size_t frame = 0; frame < places_.size(); ++frame) {
      std::string unpacked;
      std::string_view plane;
      if (file_.pixels) {
        plane = std::string_view(*file_.pixels).substr(frame * frame_bytes, frame_bytes);
      } else {
        FIDUCIAL_TRY(unpacked, run_length_decoded(file_.fragments[frame + 1], frame_voxels(), width));
        plane = unpacked;
      }
      FIDUCIAL_TRY_DONE(add_frame(places_[frame], [&](std::size_t voxel) -> std::uint32_t {
        const auto low = static_cast<unsigned char>(plane[voxel * width]);
        return width == 1
                   ? low
                   : low | static_cast<std::uint32_t>(static_cast<unsigned char>(plane[voxel * 2 + 1])) << 8U;
      }));
    }
    return done();
  }

  const DicomFile& file_;
  const DicomDataSet& data_;
  SegmentationImage out_;
  bool is_map_ = false;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::int64_t frames_ = 0;
  std::uint16_t bits_ = 0;
  std::map<std::uint16_t, std::size_t> by_number_;
  std::vector<double> plane_;  // directions of rows and columns, then spacings
  double stated_step_ = 0;
  std::vector<FramePlace> places_;
};

}  // namespace

Result<SegmentationImage> read_segmentation(const DicomFile& file) { return SegmentationReader(file).read(); }

}  // namespace fiducial
