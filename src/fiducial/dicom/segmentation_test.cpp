#include "fiducial/dicom/segmentation.h"

#include <gtest/gtest.h>

#include "fiducial/dicom/contours.h"
#include "fiducial/dicom/deidentify.h"

namespace fiducial {
namespace {

// Slices of 10 x 3 voxels, 2 mm apart.
SegmentedSeries example_series(std::int64_t slices = 4) {
  SegmentedSeries out{.grid = {{10, 3, slices}, {}}, .first = {}, .slices = {}};
  out.grid.affine.m = {{{-0.5, 0, 0, 5}, {0, -0.7, 0, 6}, {0, 0, 2, -7}}};
  DicomDataSet& first = out.first;
  first.set(0x00100010, "PN", "Phantom^Small");
  first.set(0x00100020, "LO", "P1");
  first.set(0x0020000D, "UI", "1.2.3.1");
  first.set(0x0020000E, "UI", "1.2.3.2");
  first.set(0x00200052, "UI", "1.2.3.3");
  first.set(0x00200037, "DS", "1\\0\\0\\0\\1\\0");
  first.set(0x00280030, "DS", "0.7\\0.5");
  for (std::int64_t z = 0; z < slices; ++z) {
    out.slices.push_back({"1.2.840.10008.5.1.4.1.1.2", "1.2.3.4." + std::to_string(z + 1),
                          "-5\\-6\\" + std::to_string(2 * z - 7)});
  }
  return out;
}

std::vector<SegmentEntry> two_segments() {
  SegmentEntry lung{.name = "left lung", .label = 1};
  lung.category = {"SCT", "123037004", "Anatomical Structure"};
  lung.type = {"SCT", "39607008", "Lung"};
  lung.side = {"SCT", "7771000", "Left"};
  SegmentEntry heart{.name = "heart", .label = 2};
  heart.category = lung.category;
  heart.type = {"SCT", "80891009", "Heart"};
  return {lung, heart};
}

std::vector<Mask> masks_of(const Grid& grid, bool overlap) {
  return {Mask::from_sorted_runs(grid, {{0, 1, 4}, {1, 0, 10}, {11, 9, 10}}),
          Mask::from_sorted_runs(grid, {{overlap ? 1 : 2, 2, 5}, {11, 0, 3}})};
}

Result<DicomFile> reread(const DicomFile& file) { return parse_dicom(dicom_bytes(file)); }

class SegmentationKinds : public testing::TestWithParam<SegmentationKind> {};
INSTANTIATE_TEST_SUITE_P(all, SegmentationKinds,
                         testing::Values(SegmentationKind::binary, SegmentationKind::label_map));

TEST_P(SegmentationKinds, come_back_with_voxels_names_and_codes) {
  const SegmentedSeries series = example_series();
  const auto segments = two_segments();
  const auto masks = masks_of(series.grid, GetParam() == SegmentationKind::binary);
  const auto made = make_segmentation(series, {.segments = segments, .masks = masks, .kind = GetParam()});
  ASSERT_TRUE(made.ok()) << made.error().text();
  const auto file = reread(*made);
  ASSERT_TRUE(file.ok()) << file.error().text();
  const auto image = read_segmentation(*file);
  ASSERT_TRUE(image.ok()) << image.error().text();
  EXPECT_TRUE(same_grid(image->grid, series.grid));
  EXPECT_EQ(image->frame_of_reference, "1.2.3.3");
  ASSERT_EQ(image->segments.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(image->segments[i].name, segments[i].name);
    EXPECT_EQ(image->segments[i].type, segments[i].type);
    EXPECT_EQ(image->segments[i].side, segments[i].side);
    EXPECT_EQ(Mask::from_sorted_runs(series.grid, image->runs[i]), masks[i]);
  }
}

TEST(Segmentation, leaves_slices_without_a_voxel_out_and_names_those_it_is_of) {
  const SegmentedSeries series = example_series();
  const auto segments = two_segments();
  const auto made = make_segmentation(series, {.segments = segments, .masks = masks_of(series.grid, true)});
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->data.text(0x00280008), "4");  // two slices of each segment
  const auto& references = made->data.first_item(0x00081115)->items(0x0008114A);
  ASSERT_EQ(references.size(), 4U);
  EXPECT_EQ(references[2].text(0x00081155), "1.2.3.4.3");
  const DicomDataSet* source = made->data.items(0x52009230)[1].first_item(0x00089124)->first_item(0x00082112);
  EXPECT_EQ(source->text(0x00081155), "1.2.3.4.4");
}

TEST(Segmentation, is_the_same_for_the_same_masks_and_another_for_others) {
  const SegmentedSeries series = example_series();
  const auto segments = two_segments();
  const auto bytes = [&](bool overlap) {
    return dicom_bytes(
        make_segmentation(series, {.segments = segments, .masks = masks_of(series.grid, overlap)}).value());
  };
  EXPECT_EQ(bytes(true), bytes(true));
  EXPECT_NE(bytes(true), bytes(false));
}

TEST(Segmentation, refuses_a_label_map_of_segments_that_overlap) {
  const SegmentedSeries series = example_series();
  const auto made = make_segmentation(series, {.segments = two_segments(),
                                               .masks = masks_of(series.grid, true),
                                               .kind = SegmentationKind::label_map});
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message().find("\"heart\" shares voxels"), std::string::npos);
}

std::string error_after(void (*spoil)(DicomFile&)) {
  const SegmentedSeries series = example_series();
  const auto segments = two_segments();
  DicomFile file =
      make_segmentation(series, {.segments = segments, .masks = masks_of(series.grid, true)}).value();
  spoil(file);
  const auto image = read_segmentation(file);
  return image.ok() ? "read" : image.error().text();
}

TEST(Segmentation, refuses_files_that_lie) {
  EXPECT_EQ(error_after([](DicomFile&) {}), "read");
  EXPECT_EQ(error_after([](DicomFile& file) { file.data.set(0x00080018, "UI", ""); }),
            "SOP Instance UID is empty: the file has no identity, and was not written by a DICOM system");
  EXPECT_EQ(error_after([](DicomFile& file) { file.data.set(0x00280008, "IS", "4000"); }),
            "NumberOfFrames is 4000, but 4 frames are described");
  EXPECT_EQ(error_after([](DicomFile& file) { file.data.set16(0x00280010, {60000}); }),
            "truncated: 300000 bytes of pixel data expected, 16 found");
  EXPECT_EQ(error_after([](DicomFile& file) { file.data.set(0x00620001, "CS", "FRACTIONAL"); }),
            "segmentation of type \"FRACTIONAL\"; expected BINARY or LABELMAP");
  EXPECT_EQ(error_after([](DicomFile& file) { file.pixels->resize(3); }),
            "truncated: 15 bytes of pixel data expected, 3 found");
}

TEST(DicomParser, refuses_every_file_that_is_cut_off) {
  const SegmentedSeries series = example_series();
  const auto segments = two_segments();
  const Bytes whole = dicom_bytes(
      make_segmentation(series, {.segments = segments, .masks = masks_of(series.grid, true)}).value());
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    const auto file = parse_dicom(ByteView(whole).first(size));
    EXPECT_FALSE(file.ok() && read_segmentation(*file).ok()) << size;
  }
}

TEST(Contours, fill_what_they_enclose_with_their_edge_and_leave_holes) {
  const Extent extent{8, 8, 1};
  const SlicePolygon outer{{1, 1}, {6, 1}, {6, 6}, {1, 6}};
  const SlicePolygon inner{{2.5, 2.5}, {4.5, 2.5}, {4.5, 4.5}, {2.5, 4.5}};
  std::int64_t count = 0;
  for (const MaskRun& run : filled_polygons({outer, inner}, extent, 0)) count += run.end - run.begin;
  EXPECT_EQ(count, 36 - 4);
  EXPECT_EQ(filled_polygons({{{3, 2}}}, extent, 0), (std::vector<MaskRun>{{2, 3, 4}}));
}

TEST(Deidentify, leaves_nothing_of_the_patient_and_keeps_the_segmentation) {
  const SegmentedSeries series = example_series();
  const auto segments = two_segments();
  DicomFile file =
      make_segmentation(series, {.segments = segments, .masks = masks_of(series.grid, true)}).value();
  file.data.set(0x00101040, "LO", "12 Main Street");
  file.data.set(0x00091001, "LO", "Small, private");
  file.data.set(0x00081040, "LO", "Ward of Dr Small");
  const DeidentifyReport report = deidentify(file.data);
  EXPECT_EQ(report.at({0x00100010, DicomAction::emptied}), 1U);
  EXPECT_EQ(report.at({0x00101040, DicomAction::removed}), 1U);
  EXPECT_EQ(report.at({0x00091001, DicomAction::removed}), 1U);
  const Bytes bytes = dicom_bytes(file);
  for (const std::string_view word : {"Phantom", "P1 ", "Main", "private", "Ward", "1.2.3."})
    EXPECT_EQ(as_text(bytes).find(word), std::string_view::npos) << word;
  EXPECT_EQ(file.data.text(0x00120062), "YES");
  const auto again = reread(file);
  ASSERT_TRUE(again.ok()) << again.error().text();
  const auto image = read_segmentation(*again);
  ASSERT_TRUE(image.ok()) << image.error().text();
  EXPECT_EQ(image->segments[0].name, "left lung");
}

TEST(Deidentify, gives_equal_uids_equal_substitutes) {
  DicomDataSet a;
  DicomDataSet b;
  a.set(0x0020000D, "UI", "1.2.3");
  b.set(0x0020000E, "UI", "1.2.3");
  deidentify(a);
  deidentify(b);
  EXPECT_EQ(a.text(0x0020000D), b.text(0x0020000E));
  EXPECT_TRUE(a.text(0x0020000D).starts_with("2.25."));
}

}  // namespace
}  // namespace fiducial
