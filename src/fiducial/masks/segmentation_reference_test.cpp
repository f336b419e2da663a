// DICOM segmentations of highdicom and dcmqi and contours of rt-utils, as we read them, against the masks
// they were made of: tests/reference/segmentations.json, made by make_segmentation_reference.py beside it.

#include <gtest/gtest.h>

#include "fiducial/base/base64.h"
#include "fiducial/base/inflate.h"
#include "fiducial/base/reference_values.h"
#include "fiducial/dicom/contours.h"
#include "fiducial/masks/mask_format.h"
#include "fiducial/masks/masks_on_grid.h"

namespace fiducial {
namespace {

std::vector<std::int64_t> integers_of(const Json& list) {
  std::vector<std::int64_t> out;
  for (const Json& each : *list.as_array()) out.push_back(*each.as_integer());
  return out;
}

Bytes file_of(const Json& expected) {
  const Bytes packed = base64_decoded(*expected.find("zlib")->as_string());
  return zlib_inflated(packed, static_cast<std::size_t>(*expected.find("bytes")->as_integer())).value();
}

Grid grid_of(const Json& expected) {
  const auto size = integers_of(*expected.find("size"));
  Grid out{{size[0], size[1], size[2]}, {}};
  const auto& rows = *expected.find("affine")->as_array();
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) out.affine.m[i][j] = *rows[i].as_array()->at(j).as_number();
  }
  return out;
}

std::vector<std::int64_t> voxels_of(const Mask& mask) {
  std::vector<std::int64_t> out;
  for (const MaskRun& run : mask.runs()) {
    for (auto x = run.begin; x < run.end; ++x) out.push_back(run.row * mask.extent().x + x);
  }
  return out;
}

void expect_masks(const Json& expected, const std::vector<std::string>& names,
                  const std::vector<Mask>& masks) {
  const auto& segments = *expected.find("segments")->as_array();
  ASSERT_EQ(names.size(), segments.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(names[i], *segments[i].as_string());
    EXPECT_EQ(voxels_of(masks[i]), integers_of(expected.find("masks")->as_array()->at(i)));
  }
}

void expect_contours(const Json& expected, const DicomFile& file) {
  SegmentedSeries series{.grid = grid_of(expected), .first = {}, .slices = {}};
  series.first.set(0x00200052, "UI", *expected.find("frame_of_reference")->as_string());
  const auto set = read_structure_set(file, series);
  ASSERT_TRUE(set.ok()) << set.error().text();
  std::vector<std::string> names;
  for (const SegmentEntry& segment : set->segments) names.push_back(segment.name);
  expect_masks(expected, names, set->masks);
  series.first.set(0x00200052, "UI", "1.2.3");
  const auto elsewhere = read_structure_set(file, series);
  ASSERT_FALSE(elsewhere.ok());
  EXPECT_NE(elsewhere.error().text().find("contours of another examination"), std::string::npos);
}

TEST(SegmentationReference, masks_of_other_software_are_those_they_were_made_of) {
  const Json document = reference_values("segmentations.json");
  ASSERT_EQ(document.find("cases")->as_array()->size(), 10U);
  for (const Json& expected : *document.find("cases")->as_array()) {
    SCOPED_TRACE(*expected.find("name")->as_string());
    const Bytes bytes = file_of(expected);
    const auto file = parse_dicom(bytes);
    ASSERT_TRUE(file.ok()) << file.error().text();
    if (is_structure_set(file->data)) {
      expect_contours(expected, *file);
      continue;
    }
    const auto reader =
        open_masks({.file = {std::make_unique<MemoryStream>(bytes), bytes.size()}, .places = nullptr});
    ASSERT_TRUE(reader.ok()) << reader.error().text();
    const auto masks = read_collection(**reader);
    ASSERT_TRUE(masks.ok()) << masks.error().text();
    const auto placed = masks_on_grid(*masks, grid_of(expected));
    ASSERT_TRUE(placed.ok()) << placed.error().text();
    std::vector<std::string> names;
    std::vector<Mask> found;
    for (const MaskCollection::Member& member : placed->masks) {
      names.push_back(member.about.name);
      found.push_back(member.labels.foreground());
    }
    expect_masks(expected, names, found);
  }
}

}  // namespace
}  // namespace fiducial
