#include <array>
#include <map>
#include <optional>
#include <utility>

#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/dicom/segmentation.h"
#include "fiducial/dicom/uid.h"

namespace fiducial {

namespace {

constexpr std::string_view binary_class = "1.2.840.10008.5.1.4.1.1.66.4";
constexpr std::string_view label_map_class = "1.2.840.10008.5.1.4.1.1.66.7";
constexpr std::size_t most_label_text = 64;  // of kind LO
constexpr std::int64_t most_pixel_bytes = std::int64_t{1} << 31;

// A frame: which segment (of planes of bits), and which slice.
struct SegmentFrame {
  std::size_t segment = 0;
  std::int64_t z = 0;
};

DicomDataSet code_item(const CodedName& code) {
  DicomDataSet out;
  out.set(0x00080100, "SH", code.value);
  out.set(0x00080102, "SH", code.scheme);
  out.set(0x00080104, "LO", code.meaning.substr(0, most_label_text));
  return out;
}

// What is not coded is a structure of which nothing more is said.
const CodedName uncoded_category{"SCT", "123037004", "Anatomical Structure"};
const CodedName uncoded_type{"SCT", "123037004", "Anatomical Structure"};

DicomDataSet segment_item(const SegmentEntry& segment, std::size_t index, const std::string& algorithm) {
  DicomDataSet out;
  out.set_items(0x00620003, {code_item(segment.category.empty() ? uncoded_category : segment.category)});
  out.set16(0x00620004, {static_cast<std::uint16_t>(index + 1)});
  out.set(0x00620005, "LO", segment.name.substr(0, most_label_text));
  out.set(0x00620008, "CS", "AUTOMATIC");
  out.set(0x00620009, "LO", algorithm.substr(0, most_label_text));
  DicomDataSet type = code_item(segment.type.empty() ? uncoded_type : segment.type);
  if (!segment.side.empty()) type.set_items(0x00620011, {code_item(segment.side)});
  out.set_items(0x0062000F, {std::move(type)});
  return out;
}

void set_attribute_tag(DicomDataSet& out, DicomTag tag, DicomTag value) {
  std::string bytes;
  for (const unsigned part : {value >> 16U, value & 0xFFFFU}) {
    bytes += static_cast<char>(part & 0xFFU);
    bytes += static_cast<char>(part >> 8U);
  }
  out.put({tag, "AT", std::move(bytes), {}});
}

DicomDataSet dimension_item(DicomTag pointer, DicomTag group, const std::string& uid,
                            const std::string& label) {
  DicomDataSet out;
  out.set(0x00209164, "UI", uid);
  set_attribute_tag(out, 0x00209165, pointer);
  set_attribute_tag(out, 0x00209167, group);
  out.set(0x00209421, "LO", label);
  return out;
}

DicomDataSet reference_item(const SegmentedSeries::Slice& slice) {
  DicomDataSet out;
  out.set(0x00081150, "UI", slice.media_class);
  out.set(0x00081155, "UI", slice.instance);
  return out;
}

class SegmentationMaker {
 public:
  SegmentationMaker(const SegmentedSeries& series, const SegmentationContent& content)
      : series_(series), content_(content), is_map_(content.kind == SegmentationKind::label_map) {}

  Result<DicomFile> make() {
    FIDUCIAL_TRY_DONE(check());
    choose_frames();
    const Extent& extent = series_.grid.extent;
    if (static_cast<std::int64_t>(frames_.size()) * extent.x * extent.y / (is_map_ ? 1 : 8) >
        most_pixel_bytes)
      return invalid_data(
          "more than 2 GiB of pixels, which no DICOM file holds; write fewer segments a file");
    out_.pixels = is_map_ ? label_planes() : bit_planes();
    out_.pixels_kind = is_map_ && bytes_per_label() == 2 ? "OW" : "OB";
    hash_inputs();
    copy_patient();
    add_series();
    add_image();
    add_segments();
    add_dimensions();
    add_shared_groups();
    add_frames();
    return std::move(out_);
  }

 private:
  Outcome check() const {
    if (content_.segments.empty()) return bad_usage("a DICOM segmentation needs at least one segment");
    if (content_.segments.size() > 65535) return bad_usage("more than 65535 segments");
    if (!is_map_) return done();
    std::optional<Mask> taken;
    for (std::size_t i = 0; i < content_.masks.size(); ++i) {
      if (taken && !intersected(*taken, content_.masks[i]).empty()) {
        return bad_usage(
            "\"" + content_.segments[i].name +
            "\" shares voxels with segments before it, which a label map cannot hold; write planes "
            "of bits (--segmentation binary)");
      }
      taken = taken ? united(*taken, content_.masks[i]) : content_.masks[i];
    }
    return done();
  }

  std::int64_t slice_of(const MaskRun& run) const { return run.row / series_.grid.extent.y; }

  // Slices with a voxel, segment by segment or of all; a file has one frame at least.
  void choose_frames() {
    for (std::size_t i = 0; i < content_.masks.size(); ++i) {
      for (const MaskRun& run : content_.masks[i].runs()) {
        const std::int64_t z = slice_of(run);
        const std::size_t owner = is_map_ ? 0 : i;
        if (!place_of_frame_.contains({owner, z})) place_of_frame_[{owner, z}] = 0;
      }
    }
    if (place_of_frame_.empty()) place_of_frame_[{0, 0}] = 0;
    for (auto& [key, place] : place_of_frame_) {
      place = frames_.size();
      frames_.push_back({key.first, key.second});
    }
  }

  // Calls put(voxel of all frames, label) for every voxel.
  template <typename Put>
  void for_voxels(const Put& put) const {
    const Extent& extent = series_.grid.extent;
    for (std::size_t i = 0; i < content_.masks.size(); ++i) {
      for (const MaskRun& run : content_.masks[i].runs()) {
        const std::size_t frame = place_of_frame_.at({is_map_ ? 0 : i, slice_of(run)});
        const std::size_t row =
            frame * static_cast<std::size_t>(extent.y) + static_cast<std::size_t>(run.row % extent.y);
        for (auto x = run.begin; x < run.end; ++x)
          put(row * static_cast<std::size_t>(extent.x) + static_cast<std::size_t>(x), i + 1);
      }
    }
  }

  std::size_t voxels_of_frames() const {
    return frames_.size() * static_cast<std::size_t>(series_.grid.extent.x * series_.grid.extent.y);
  }

  // Bits of all frames one after the other, the lowest bit of a byte first.
  std::string bit_planes() const {
    std::string out((voxels_of_frames() + 15) / 16 * 2, '\0');
    for_voxels([&](std::size_t voxel, std::size_t) {
      out[voxel / 8] = static_cast<char>(static_cast<unsigned char>(out[voxel / 8]) | 1U << (voxel % 8));
    });
    return out;
  }

  std::size_t bytes_per_label() const { return content_.segments.size() > 255 ? 2 : 1; }

  std::string label_planes() const {
    const std::size_t width = bytes_per_label();
    std::string out((voxels_of_frames() * width + 1) / 2 * 2, '\0');
    for_voxels([&](std::size_t voxel, std::size_t label) {
      for (std::size_t i = 0; i < width; ++i)
        out[voxel * width + i] = static_cast<char>(label >> (8 * i) & 0xFFU);
    });
    return out;
  }

  void hash_inputs() {
    Sha256 hash;
    hash.update(as_bytes(is_map_ ? "label map " : "binary "));
    for (const SegmentedSeries::Slice& slice : series_.slices) hash.update(as_bytes(slice.instance + "\n"));
    for (const SegmentEntry& segment : content_.segments) hash.update(as_bytes(segment.name + "\n"));
    hash.update(as_bytes(content_.description + "\n" + content_.algorithm + "\n"));
    for (const SegmentFrame& frame : frames_)
      hash.update(as_bytes(decimal(frame.segment) + " " + decimal(frame.z) + "\n"));
    hash.update(as_bytes(*out_.pixels));
    hash_ = hash.digest().hex();
  }
  std::string uid(const std::string& role) const { return uid_of(hash_ + " " + role); }

  void copy_patient() {
    DicomDataSet& data = out_.data;
    for (const DicomTag tag : {0x00080005U, 0x00080020U, 0x00080030U, 0x00080050U, 0x00080090U, 0x00081030U,
                               0x00100010U, 0x00100020U, 0x00100030U, 0x00100040U, 0x00120062U, 0x00120063U,
                               0x00120064U, 0x0020000DU, 0x00200010U, 0x00200052U, 0x00201040U}) {
      if (const DicomElement* element = series_.first.find(tag)) data.put(*element);
    }
    // Those that a file must have, if only empty.
    constexpr std::array<std::pair<DicomTag, std::string_view>, 10> required{{{0x00080020, "DA"},
                                                                              {0x00080030, "TM"},
                                                                              {0x00080050, "SH"},
                                                                              {0x00080090, "PN"},
                                                                              {0x00100010, "PN"},
                                                                              {0x00100020, "LO"},
                                                                              {0x00100030, "DA"},
                                                                              {0x00100040, "CS"},
                                                                              {0x00200010, "SH"},
                                                                              {0x00201040, "LO"}}};
    for (const auto& [tag, kind] : required) {
      if (data.find(tag) == nullptr) data.set(tag, kind, "");
    }
  }

  std::string date_of_series() const {
    for (const DicomTag tag : {0x00080023U, 0x00080022U, 0x00080021U, 0x00080020U}) {
      if (std::string date = series_.first.text(tag); !date.empty()) return date;
    }
    return "19000101";
  }

  void add_series() {
    DicomDataSet& data = out_.data;
    data.set(0x00080016, "UI", is_map_ ? label_map_class : binary_class);
    data.set(0x00080018, "UI", uid("instance"));
    data.set(0x00080023, "DA", date_of_series());
    data.set(0x00080033, "TM", "000000");
    data.set(0x00080060, "CS", "SEG");
    data.set(0x00080070, "LO", "Fiducial");
    data.set(0x0008103E, "LO", content_.description.substr(0, most_label_text));
    data.set(0x00081090, "LO", "fiducial");
    data.set(0x00181000, "LO", "0");
    data.set(0x00181020, "LO", "1");
    data.set(0x0020000E, "UI", uid("series"));
    data.set(0x00200011, "IS", "100");
    data.set(0x00200013, "IS", "1");
    std::vector<DicomDataSet> instances;
    for (const SegmentedSeries::Slice& slice : series_.slices) instances.push_back(reference_item(slice));
    DicomDataSet referenced;
    referenced.set_items(0x0008114A, std::move(instances));
    referenced.set(0x0020000E, "UI", series_.first.text(0x0020000E));
    data.set_items(0x00081115, {std::move(referenced)});
  }

  void add_image() {
    DicomDataSet& data = out_.data;
    const auto bits = static_cast<std::uint16_t>(is_map_ ? 8 * bytes_per_label() : 1);
    data.set(0x00080008, "CS", "DERIVED\\PRIMARY");
    data.set16(0x00280002, {1});
    data.set(0x00280004, "CS", "MONOCHROME2");
    data.set(0x00280008, "IS", decimal(frames_.size()));
    data.set16(0x00280010, {static_cast<std::uint16_t>(series_.grid.extent.y)});
    data.set16(0x00280011, {static_cast<std::uint16_t>(series_.grid.extent.x)});
    data.set16(0x00280100, {bits});
    data.set16(0x00280101, {bits});
    data.set16(0x00280102, {static_cast<std::uint16_t>(bits - 1)});
    data.set16(0x00280103, {0});
    if (is_map_) data.set16(0x00280120, {0});
    data.set(0x00282110, "CS", "00");
    data.set(0x00700080, "CS", "SEGMENTATION");
    data.set(0x00700081, "LO", content_.description.substr(0, most_label_text));
    data.set(0x00700084, "PN", "");
  }

  void add_segments() {
    DicomDataSet& data = out_.data;
    data.set(0x00620001, "CS", is_map_ ? "LABELMAP" : "BINARY");
    data.set(0x00620013, "CS", is_map_ ? "NO" : "UNDEFINED");
    std::vector<DicomDataSet> items;
    for (std::size_t i = 0; i < content_.segments.size(); ++i)
      items.push_back(segment_item(content_.segments[i], i, content_.algorithm));
    data.set_items(0x00620002, std::move(items));
  }

  void add_dimensions() {
    DicomDataSet& data = out_.data;
    const std::string organization = uid("dimensions");
    DicomDataSet item;
    item.set(0x00209164, "UI", organization);
    data.set_items(0x00209221, {std::move(item)});
    std::vector<DicomDataSet> indices;
    if (!is_map_)
      indices.push_back(dimension_item(0x0062000B, 0x0062000A, organization, "Referenced Segment Number"));
    indices.push_back(dimension_item(0x00200032, 0x00209113, organization, "Image Position Patient"));
    data.set_items(0x00209222, std::move(indices));
  }

  void add_shared_groups() {
    DicomDataSet orientation;
    orientation.set(0x00200037, "DS", series_.first.text(0x00200037));
    const std::string step = fixed(series_.grid.affine.spacing_mm()[2], 6);
    DicomDataSet measures;
    measures.set(0x00180050, "DS",
                 series_.first.text(0x00180050).empty() ? step : series_.first.text(0x00180050));
    measures.set(0x00180088, "DS", step);
    measures.set(0x00280030, "DS", series_.first.text(0x00280030));
    DicomDataSet shared;
    shared.set_items(0x00209116, {std::move(orientation)});
    shared.set_items(0x00289110, {std::move(measures)});
    out_.data.set_items(0x52009229, {std::move(shared)});
  }

  DicomDataSet derivation_of(const SegmentFrame& frame) const {
    DicomDataSet source = reference_item(series_.slices[static_cast<std::size_t>(frame.z)]);
    source.set(0x0028135A, "CS", "YES");
    source.set_items(0x0040A170,
                     {code_item({"DCM", "121322", "Source image for image processing operation"})});
    DicomDataSet out;
    out.set_items(0x00082112, {std::move(source)});
    out.set_items(0x00089215, {code_item({"DCM", "113076", "Segmentation"})});
    return out;
  }

  void add_frames() {
    std::map<std::int64_t, std::uint32_t> position_index;
    for (const SegmentFrame& frame : frames_) position_index[frame.z] = 0;
    std::uint32_t next = 0;
    for (auto& [z, index] : position_index) index = ++next;
    std::vector<DicomDataSet> items;
    items.reserve(frames_.size());
    for (const SegmentFrame& frame : frames_) {
      const auto segment = static_cast<std::uint16_t>(frame.segment + 1);
      DicomDataSet content;
      if (is_map_) {
        content.set32(0x00209157, {position_index[frame.z]});
      } else {
        content.set32(0x00209157, {segment, position_index[frame.z]});
      }
      DicomDataSet position;
      position.set(0x00200032, "DS", series_.slices[static_cast<std::size_t>(frame.z)].position);
      DicomDataSet item;
      item.set_items(0x00089124, {derivation_of(frame)});
      item.set_items(0x00209111, {std::move(content)});
      item.set_items(0x00209113, {std::move(position)});
      if (!is_map_) {
        DicomDataSet identification;
        identification.set16(0x0062000B, {segment});
        item.set_items(0x0062000A, {std::move(identification)});
      }
      items.push_back(std::move(item));
    }
    out_.data.set_items(0x52009230, std::move(items));
  }

  const SegmentedSeries& series_;
  const SegmentationContent& content_;
  bool is_map_;
  DicomFile out_;
  std::map<std::pair<std::size_t, std::int64_t>, std::size_t> place_of_frame_;
  std::vector<SegmentFrame> frames_;
  std::string hash_;
};

}  // namespace

bool is_segmentation(const DicomDataSet& data) {
  const std::string kind = data.text(0x00080016);
  return kind == binary_class || kind == label_map_class;
}

Result<DicomFile> make_segmentation(const SegmentedSeries& series, const SegmentationContent& content) {
  return SegmentationMaker(series, content).make();
}

}  // namespace fiducial
