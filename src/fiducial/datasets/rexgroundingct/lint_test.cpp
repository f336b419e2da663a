#include "fiducial/datasets/rexgroundingct/lint.h"

#include <limits>

#include <gtest/gtest.h>

#include "fiducial/datasets/rexgroundingct/lint_entry.h"
#include "fiducial/datasets/rexgroundingct/lint_example.h"

namespace fiducial::rexgroundingct {
namespace {

using Lines = std::vector<std::string>;

const std::string first = LintExample::first;
const std::string first_mask = "segmentations/train_3_a_1.nii.gz";

// The findings after one change of the dataset file, in the first case of test.
Lines after_edit(const std::string& from, const std::string& to) {
  LintExample example;
  example.edit(first, from, to);
  return example.problems();
}

// The findings after the mask of the first case of test was replaced.
Lines after_mask(const NiftiHeader& header, const std::vector<double>& values) {
  LintExample example;
  LintExample::write(example.mask_path(first), header, values);
  return example.problems();
}

// The mask values with those of one channel changed.
template <typename Change>
std::vector<double> changed_channel(std::size_t channel, Change change) {
  std::vector<double> values = LintExample::mask_values();
  for (std::size_t i = channel; i < values.size(); i += 2) values[i] = change(values[i]);
  return values;
}

Lines after_volume(const NiftiHeader& header) {
  LintExample example;
  example.with_volumes();
  LintExample::write(example.volume_path(first), header,
                     std::vector<double>(static_cast<std::size_t>(header.voxel_count()), 0));
  return example.problems();
}

std::string volume_file() { return "dataset/train_fixed/train_3/train_3_a/" + first; }

TEST(Lint, finds_nothing_in_a_good_dataset) {
  LintExample example;
  example.with_volumes();
  example.with_predictions();
  EXPECT_EQ(example.problems(), Lines());
}

TEST(Lint, tells_a_prediction_whose_axes_are_turned) {
  LintExample example;
  example.with_predictions();
  const std::vector<double> values = LintExample::mask_values();
  std::vector<double> flipped(values.size());
  for (std::size_t z = 0; z < 4; ++z) {
    for (std::size_t i = 0; i < 60; ++i) flipped[60 * (3 - z) + i] = values[60 * z + i];
  }
  LintExample::write(example.prediction_path(first), LintExample::mask_header(), flipped);
  EXPECT_EQ(example.problems(), Lines({"warning prediction_turned " + first}));
}

TEST(Lint, tells_a_prediction_whose_findings_stand_in_another_order) {
  LintExample example;
  example.with_predictions();
  std::vector<double> values(240, 0), swapped(240, 0);
  for (const std::size_t voxel : {20U, 21U, 22U}) values[2 * voxel] = swapped[2 * voxel + 1] = 1;
  for (const std::size_t voxel : {90U, 91U, 92U}) values[2 * voxel + 1] = swapped[2 * voxel] = 1;
  for (const std::size_t voxel : {60U, 61U}) values[2 * voxel + 1] = swapped[2 * voxel] = 2;
  LintExample::write(example.mask_path(first), LintExample::mask_header(), values);
  LintExample::write(example.prediction_path(first), LintExample::mask_header(), swapped);
  EXPECT_EQ(example.problems(), Lines({"warning prediction_reordered " + first}));
}

TEST(Lint, gives_the_same_report_on_any_number_of_threads) {
  LintExample example;
  example.with_volumes();
  example.with_predictions();
  std::filesystem::remove(example.mask_path(first));
  std::filesystem::remove(example.volume_path(LintExample::second));
  example.edit("train_1_a_1.nii.gz", "\"0\":3", "\"0\":4");
  const std::string one = example.lint(1)->json().compact();
  EXPECT_EQ(example.lint(3)->json().compact(), one);
  EXPECT_EQ(example.lint(8)->json().compact(), one);
}

TEST(Lint, names_the_place_where_a_dataset_file_is_no_json) {
  LintExample example;
  example.set_text("{\"test\": [\n  {\"name\": }]}");
  const Lines found = example.problems();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with("error dataset_unreadable dataset.json at line 2")) << found[0];
}

TEST(Lint, refuses_a_dataset_file_without_splits) {
  LintExample example;
  example.set_text("{\"about\": \"x\"}");
  EXPECT_EQ(example.problems(), (Lines{"note dataset_member dataset.json at /about",
                                       "error dataset_unreadable dataset.json at /"}));
}

TEST(Lint, refuses_a_split_that_is_no_list) {
  LintExample example;
  example.set_text("{\"test\": 7}");
  EXPECT_EQ(example.problems(), (Lines{"error split_invalid dataset.json at /test"}));
}

TEST(Lint, fails_where_there_is_no_dataset) {
  SilentProgress progress;
  const TemporaryFolder folder;
  EXPECT_EQ(lint({.dataset = folder.path()}, Executor(1), progress).error().message(),
            "no dataset.json in the folder");
  EXPECT_EQ(lint({.dataset = folder / "x"}, Executor(1), progress).error().message(),
            "no such dataset folder");
}

TEST(Lint, fails_when_the_wanted_split_is_not_there) {
  LintExample example;
  example.request.split = "val";
  EXPECT_EQ(example.lint().error().code(), ErrorCode::bad_usage);
}

TEST(Lint, reads_only_the_wanted_split) {
  LintExample example;
  example.request.split = "test";
  std::filesystem::remove(example.mask_path("train_1_a_1.nii.gz"));
  EXPECT_EQ(example.problems(), Lines());
  EXPECT_EQ(example.lint()->cases(), 2);
}

TEST(LintEntry, goes_on_after_a_broken_entry) {
  LintExample example;
  example.edit(first, "\"shape\":[6,5,4]", "\"shape\":[6,5]");
  example.edit(LintExample::second, "\"findings\":{\"0\":\"A nodule.\"", "\"findings\":{\"0\":7");
  EXPECT_EQ(example.problems(), (Lines{"error entry_invalid dataset.json at /test/0/shape",
                                       "error entry_invalid dataset.json at /test/1/findings/0"}));
}

TEST(LintEntry, reports_one_wrong_field_by_its_own_code_and_place) {
  EXPECT_EQ(after_edit("\"findings\":{\"0\":\"A nodule.\",\"1\":\"Two opacities.\"},", ""),
            (Lines{"error findings_missing dataset.json at /test/0"}));
  EXPECT_EQ(after_edit("\"1\":\"Two", "\"2\":\"Two"),
            (Lines{"error findings_keys dataset.json at /test/0/findings"}));
  EXPECT_EQ(after_edit("\"0\":\"A nodule.\",\"1\":\"Two opacities.\"",
                       "\"1\":\"Two opacities.\",\"0\":\"A nodule.\""),
            (Lines{"warning findings_order dataset.json at /test/0/findings"}));
  EXPECT_EQ(after_edit("A nodule.", " \\n"),
            (Lines{"error finding_text_empty dataset.json at /test/0/findings/0"}));
  EXPECT_EQ(after_edit("Two opacities.", "A nodule."),
            (Lines{"warning finding_text_duplicate dataset.json at /test/0/findings/1"}));
  EXPECT_EQ(after_edit("\"2d\"", "\"3a\""),
            (Lines{"error category_unknown dataset.json at /test/0/categories/0"}));
  EXPECT_EQ(after_edit("\"0\":\"2d\",", ""),
            (Lines{"warning category_missing dataset.json at /test/0/categories/0"}));
  EXPECT_EQ(after_edit("\"categories\":{\"0\":\"2d\",\"1\":\"2c\"},", ""),
            (Lines{"warning category_missing dataset.json at /test/0"}));
  EXPECT_EQ(after_edit("protocol1", "protocol9"),
            (Lines{"error protocol_unknown dataset.json at /test/0/protocol"}));
  EXPECT_EQ(after_edit(",\"protocol\":\"protocol1\"", ""),
            (Lines{"warning field_missing dataset.json at /test/0/protocol"}));
  EXPECT_EQ(after_edit("\"shape\":[6,5,4],", ""),
            (Lines{"warning field_missing dataset.json at /test/0/shape"}));
  EXPECT_EQ(after_edit("\"0\":3,", ""), (Lines{"warning field_missing dataset.json at /test/0/pixels"}));
  EXPECT_EQ(after_edit("\"0\":1,", ""),
            (Lines{"warning field_missing dataset.json at /test/0/entity_counts"}));
  EXPECT_EQ(after_edit("{\"0\":3,", "{\"9\":1,\"0\":3,"),
            (Lines{"error entry_invalid dataset.json at /test/0/pixels/9"}));
}

TEST(LintEntry, accepts_the_published_scorers_form_without_a_word) {
  LintExample example;
  example.set_text("{\"test\":[{\"seg_path\":\"somewhere/" + first + "\"}]}");
  EXPECT_EQ(example.problems(), Lines());
}

TEST(LintEntry, knows_names_by_their_pattern) {
  EXPECT_TRUE(follows_name_pattern("train_12_a_1.nii.gz"));
  EXPECT_TRUE(follows_name_pattern("valid_1304_h_12.nii.gz"));
  for (const char* name : {"train_12_a_1.nii", "train_x_a_1.nii.gz", "train_12_1.nii.gz", "_12_a_1.nii.gz",
                           "train_12_a_1.nii.gz.nii.gz", "liver.nii.gz", ""}) {
    EXPECT_FALSE(follows_name_pattern(name)) << name;
  }
}

TEST(LintEntry, notes_a_name_without_the_pattern) {
  LintExample example;
  example.edit("", first, "liver.nii.gz");
  std::filesystem::rename(example.mask_path(first), example.mask_path("liver.nii.gz"));
  EXPECT_EQ(example.problems(), (Lines{"note name_pattern dataset.json at /test/0"}));
}

TEST(LintDocument, refuses_a_name_twice_in_a_split) {
  LintExample example;
  example.edit("", LintExample::second, first);
  EXPECT_EQ(example.problems(), (Lines{"error name_duplicate dataset.json at /test/1"}));
}

TEST(LintDocument, refuses_a_name_in_two_splits) {
  LintExample example;
  example.edit("", first, "train_1_a_1.nii.gz");
  EXPECT_EQ(example.problems(), (Lines{"error name_in_two_splits dataset.json at /test/0"}));
}

TEST(LintDocument, warns_of_a_patient_in_two_splits_and_lists_them) {
  LintExample example;
  example.edit("", first, "train_1_b_1.nii.gz");
  std::filesystem::rename(example.mask_path(first), example.mask_path("train_1_b_1.nii.gz"));
  EXPECT_EQ(example.problems(), (Lines{"warning patients_shared dataset.json at /test"}));
  EXPECT_EQ(example.lint()->problems.all()[0].message,
            "expected patients of one split only, found 1 also in \"train\": train_1");
}

TEST(LintMask, refuses_a_missing_mask) {
  LintExample example;
  std::filesystem::remove(example.mask_path(first));
  EXPECT_EQ(example.problems(), (Lines{"error mask_missing " + first_mask}));
}

TEST(LintMask, tells_once_that_a_split_has_no_masks_while_another_has) {
  LintExample example;
  for (const char* name : {LintExample::first, LintExample::second}) {
    std::filesystem::remove(example.mask_path(name));
  }
  EXPECT_EQ(example.problems(), (Lines{"warning split_without_masks dataset.json at /test"}));
}

TEST(LintMask, refuses_what_is_no_nifti_file) {
  LintExample example;
  ASSERT_TRUE(write_file(example.mask_path(first), "This is a text.").ok());
  EXPECT_EQ(example.problems().size(), 1U);
  EXPECT_TRUE(example.problems()[0].starts_with("error mask_unreadable " + first_mask));
}

TEST(LintMask, refuses_a_wrong_checksum) {
  LintExample example;
  Bytes bytes = gzip_compressed(example_file(LintExample::mask_header(), LintExample::mask_values()), 6);
  bytes[bytes.size() - 8] ^= std::byte{1};
  ASSERT_TRUE(write_file(example.mask_path(first), bytes).ok());
  const Lines found = example.problems();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with("error mask_unreadable " + first_mask + " at byte ")) << found[0];
}

TEST(LintMask, refuses_a_plain_file_that_is_named_gz) {
  LintExample example;
  const Bytes bytes = example_file(LintExample::mask_header(), LintExample::mask_values());
  ASSERT_TRUE(write_file(example.mask_path(first), bytes).ok());
  EXPECT_EQ(example.problems(), (Lines{"error mask_not_gzip " + first_mask + " at byte 0"}));
}

TEST(LintMask, compares_the_dataset_file_with_the_mask) {
  EXPECT_EQ(after_edit("[6,5,4]", "[5,6,4]"), (Lines{"error mask_shape dataset.json at /test/0/shape"}));
  EXPECT_EQ(after_edit("\"0\":3,", "\"0\":4,"),
            (Lines{"error mask_pixels dataset.json at /test/0/pixels/0"}));
  EXPECT_EQ(after_edit("\"1\":2}", "\"1\":3}"),
            (Lines{"error mask_entities dataset.json at /test/0/entity_counts/1"}));
}

TEST(LintMask, says_what_the_mask_has_and_what_the_dataset_file_says) {
  LintExample example;
  example.edit(first, "\"1\":5", "\"1\":7");
  EXPECT_EQ(example.lint()->problems.all()[0].message,
            "expected 5, the non-zero voxels of channel 1 in " + first_mask + ", found 7");
}

TEST(LintMask, refuses_another_number_of_channels) {
  std::vector<double> values(360, 1);
  EXPECT_EQ(after_mask(example_header({3, 6, 5, 4}), values), (Lines{"error mask_channels " + first_mask}));
}

TEST(LintMask, refuses_a_mask_without_a_channel_axis) {
  LintExample example;
  example.set_text("{\"test\":[{\"seg_path\":\"" + first + "\"}]}");
  LintExample::write(example.mask_path(first), example_header({6, 5, 4}), std::vector<double>(120, 1));
  EXPECT_EQ(example.problems(), (Lines{"error mask_axes " + first_mask}));
}

TEST(LintMask, warns_of_an_empty_channel) {
  LintExample example;
  example.edit(first, "\"0\":3,", "\"0\":0,");
  example.edit(first, "\"0\":1,", "\"0\":0,");
  LintExample::write(example.mask_path(first), LintExample::mask_header(),
                     changed_channel(0, [](double) { return 0.0; }));
  EXPECT_EQ(example.problems(), (Lines{"warning mask_channel_empty " + first_mask + " at channel 0"}));
}

TEST(LintMask, reports_ids_that_are_too_large_negative_or_fractions) {
  const NiftiHeader int16 = LintExample::mask_header(VoxelType::int16);
  EXPECT_EQ(after_mask(int16, changed_channel(1, [](double v) { return v == 2 ? 300.0 : v; })),
            (Lines{"warning mask_ids_over_255 " + first_mask + " at channel 1"}));
  EXPECT_EQ(after_mask(int16, changed_channel(1, [](double v) { return -v; })),
            (Lines{"error mask_ids_negative " + first_mask + " at channel 1"}));
  const NiftiHeader real = LintExample::mask_header(VoxelType::float32);
  EXPECT_EQ(after_mask(real, changed_channel(1, [](double v) { return v * 0.7; })),
            (Lines{"warning mask_type " + first_mask, "error mask_values " + first_mask}));
  EXPECT_EQ(after_mask(real, LintExample::mask_values()), (Lines{"warning mask_type " + first_mask}));
}

TEST(LintMask, notes_an_affine_other_than_the_identity) {
  NiftiHeader header = LintExample::mask_header();
  header.set_affine(Affine::scaling({0.75, 0.75, 1.5}));
  EXPECT_EQ(after_mask(header, LintExample::mask_values()), (Lines{"note mask_place " + first_mask}));
}

TEST(LintMask, notes_what_the_reader_found_odd) {
  LintExample example;
  Bytes bytes = example_file(LintExample::mask_header(), LintExample::mask_values());
  bytes.resize(bytes.size() + 7);
  ASSERT_TRUE(write_file(example.mask_path(first), gzip_compressed(bytes, 6)).ok());
  EXPECT_EQ(example.problems(), (Lines{"note mask_header " + first_mask}));
}

TEST(LintMask, notes_more_than_three_entities_in_train_only) {
  const auto five_entities = [](const char* name) {
    LintExample example;
    example.edit(name, "\"0\":3,", "\"0\":120,");
    example.edit(name, "\"0\":1,", "\"0\":5,");
    std::vector<double> values = LintExample::mask_values();
    for (std::size_t i = 0; i < values.size(); i += 2) values[i] = static_cast<double>(i / 2 % 5 + 1);
    LintExample::write(example.mask_path(name), LintExample::mask_header(), values);
    return example.problems();
  };
  EXPECT_EQ(five_entities("train_1_a_1.nii.gz"),
            (Lines{"note entities_over_guideline segmentations/train_1_a_1.nii.gz at channel 0"}));
  EXPECT_EQ(five_entities(LintExample::first), Lines());
}

TEST(LintMask, takes_one_entity_everywhere_in_test_for_a_placeholder) {
  LintExample example;
  example.edit(first, "\"1\":2}", "\"1\":1}");
  example.edit(LintExample::second, "\"1\":2}", "\"1\":1}");
  EXPECT_EQ(example.problems(), (Lines{"note entity_counts_placeholder dataset.json at /test"}));
}

TEST(LintVolume, refuses_a_missing_or_broken_volume) {
  LintExample example;
  example.with_volumes();
  std::filesystem::remove(example.volume_path(first));
  EXPECT_EQ(example.problems(), (Lines{"error volume_missing " + first}));
  ASSERT_TRUE(write_file(example.volume_path(first), "text").ok());
  const Lines found = example.problems();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with("error volume_unreadable " + volume_file())) << found[0];
}

TEST(LintVolume, refuses_voxels_other_than_the_masks) {
  NiftiHeader header = LintExample::volume_header();
  header.dim[3] = 5;
  EXPECT_EQ(after_volume(header), (Lines{"error volume_extent " + volume_file()}));
}

TEST(LintVolume, refuses_spacing_that_is_not_positive_and_a_singular_affine) {
  NiftiHeader header = LintExample::volume_header();
  header.pixdim[2] = 0;
  EXPECT_EQ(after_volume(header), (Lines{"error volume_spacing " + volume_file()}));
  header = LintExample::volume_header();
  header.set_affine({{{{-1, -1, 0, 0}, {0, 0, 0, 0}, {0, 0, 1, 0}}}});
  EXPECT_EQ(after_volume(header), (Lines{"error volume_singular " + volume_file()}));
}

TEST(LintVolume, notes_another_orientation_and_type) {
  NiftiHeader header = LintExample::volume_header();
  header.set_affine(Affine::scaling({0.75, 0.75, 1.5}));
  EXPECT_EQ(after_volume(header), (Lines{"note volume_orientation " + volume_file()}));
  header = LintExample::volume_header();
  header.type = VoxelType::int32;
  EXPECT_EQ(after_volume(header), (Lines{"note volume_type " + volume_file()}));
}

TEST(LintVolume, notes_a_qform_that_disagrees) {
  NiftiHeader header = LintExample::volume_header();
  header.qform_code = 1;
  EXPECT_EQ(after_volume(header), (Lines{"note volume_header " + volume_file()}));
}

TEST(LintVolume, knows_a_fixed_tree_when_it_is_the_folder_of_volumes) {
  LintExample example;
  example.request.volumes = example.volumes() / "dataset/train_fixed";
  NiftiHeader header = LintExample::volume_header();
  header.slope = 2;
  LintExample::write(example.volume_path(first), header, std::vector<double>(120, 0));
  EXPECT_EQ(example.problems(), (Lines{"warning volume_rescaled train_3/train_3_a/" + first}));
}

TEST(LintVolume, fails_when_there_is_no_folder_of_volumes) {
  LintExample example;
  example.request.volumes = example.folder() / "nowhere";
  EXPECT_EQ(example.lint().error().message(), "no such folder of volumes");
}

TEST(LintVolume, warns_of_scaling_in_a_fixed_tree_only) {
  NiftiHeader header = LintExample::volume_header();
  header.slope = 1;
  header.intercept = -1024;
  EXPECT_EQ(after_volume(header), (Lines{"warning volume_rescaled " + volume_file()}));
  LintExample example;
  example.with_volumes();
  LintExample::write(example.volumes() / first, header, std::vector<double>(120, 0));
  EXPECT_EQ(example.problems(), Lines());
}

}  // namespace
}  // namespace fiducial::rexgroundingct
