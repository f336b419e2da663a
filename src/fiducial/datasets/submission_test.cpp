#include "fiducial/datasets/submission.h"

#include <limits>

#include <gtest/gtest.h>

#include "fiducial/datasets/rexgroundingct/lint_example.h"

namespace fiducial {
namespace {

using Lines = std::vector<std::string>;
using rexgroundingct::LintExample;

const std::string first = LintExample::first;

Lines after_prediction(const NiftiHeader& header, const std::vector<double>& values,
                       bool with_volumes = false) {
  LintExample example;
  example.with_predictions();
  if (with_volumes) example.with_volumes();
  LintExample::write(example.prediction_path(first), header, values);
  return example.problems();
}

Lines after_bytes(ByteView bytes) {
  LintExample example;
  example.with_predictions();
  FIDUCIAL_ASSERT(write_file(example.prediction_path(first), bytes).ok());
  return example.problems();
}

Bytes good_bytes() {
  return gzip_compressed(example_file(LintExample::mask_header(), LintExample::mask_values()), 6);
}

std::string message_after_shape(const std::vector<std::int64_t>& shape) {
  LintExample example;
  example.with_predictions();
  LintExample::write(example.prediction_path(first), example_header(shape), std::vector<double>(240, 1));
  const Result<LintReport> report = example.lint();
  if (report->problems.all().size() != 1 || report->problems.all()[0].code != "prediction_shape") return "?";
  return report->problems.all()[0].message;
}

TEST(Submission, lists_size_and_hash_of_every_file) {
  LintExample example;
  example.with_predictions();
  const Result<LintReport> report = example.lint();
  ASSERT_TRUE(report.ok() && report->submission);
  ASSERT_EQ(report->submission->files.size(), 2U);
  EXPECT_EQ(report->submission->files[0].name, first);
  EXPECT_EQ(report->submission->files[0].bytes, good_bytes().size());
  EXPECT_EQ(report->submission->files[0].digest, sha256(good_bytes()));
}

TEST(Submission, refuses_a_missing_and_an_extra_file) {
  LintExample example;
  example.with_predictions();
  std::filesystem::rename(example.prediction_path(first), example.prediction_path("other.nii.gz"));
  EXPECT_EQ(example.problems(),
            (Lines{"error prediction_missing " + first, "error prediction_extra other.nii.gz"}));
}

TEST(Submission, warns_of_files_of_another_split_in_a_folder) {
  LintExample example;
  example.with_predictions();
  std::filesystem::copy(example.prediction_path(first), example.prediction_path("train_1_a_1.nii.gz"));
  EXPECT_EQ(example.problems(), (Lines{"warning prediction_of_other_split train_1_a_1.nii.gz"}));
}

TEST(Submission, is_checked_without_masks_by_what_the_dataset_file_says) {
  LintExample example;
  example.with_predictions();
  for (const char* name : {LintExample::first, LintExample::second}) {
    std::filesystem::remove(example.mask_path(name));
  }
  LintExample::write(example.prediction_path(first), example_header({1, 6, 5, 4}),
                     std::vector<double>(120, 1));
  EXPECT_EQ(example.problems(),
            (Lines{"warning split_without_masks dataset.json at /test", "error prediction_shape " + first}));
}

TEST(Submission, fails_when_there_is_no_such_folder) {
  LintExample example;
  example.request.predictions = example.folder() / "nowhere";
  EXPECT_EQ(example.lint().error().message(), "no such folder or archive");
}

TEST(Submission, refuses_what_is_no_archive_with_the_readers_reason) {
  LintExample example;
  example.request.predictions = example.folder() / "x.zip";
  ASSERT_TRUE(write_file(example.folder() / "x.zip", "no archive at all, but long enough to look at").ok());
  const Lines found = example.problems();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with("error submission_refused x.zip")) << found[0];
}

TEST(Submission, refuses_a_truncated_file_a_wrong_checksum_and_a_text) {
  Bytes truncated = good_bytes();
  truncated.resize(truncated.size() * 2 / 3);
  Bytes changed = good_bytes();
  changed[changed.size() - 8] ^= std::byte{1};
  for (const Bytes& bytes : {truncated, changed, Bytes(100, std::byte{'x'}), Bytes{}}) {
    const Lines found = after_bytes(bytes);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(found[0].starts_with("error prediction_unreadable " + first)) << found[0];
  }
}

TEST(Submission, refuses_a_plain_file_that_is_named_gz) {
  EXPECT_EQ(after_bytes(example_file(LintExample::mask_header(), LintExample::mask_values())),
            (Lines{"error prediction_not_gzip " + first + " at byte 0"}));
}

TEST(Submission, tells_what_a_wrong_shape_looks_like) {
  const std::string found = "expected 2 findings of 6 x 5 x 4 voxels, found an array of shape ";
  EXPECT_EQ(message_after_shape({6, 5, 4, 2}), found + "6 x 5 x 4 x 2; the channel axis is last: (H,W,D,F)");
  EXPECT_EQ(message_after_shape({4, 5, 6, 2}), found + "4 x 5 x 6 x 2; all axes are reversed: (D,W,H,F)");
  EXPECT_EQ(message_after_shape({2, 4, 5, 6}),
            found + "2 x 4 x 5 x 6; the spatial axes are reversed: (F,D,W,H)");
  EXPECT_EQ(message_after_shape({2, 5, 6, 4}), found + "2 x 5 x 6 x 4; the spatial axes are permuted");
}

TEST(Submission, refuses_three_axes_even_for_one_finding) {
  LintExample example;
  example.with_predictions();
  example.set_text("{\"test\":[{\"seg_path\":\"" + first + "\"}]}");
  std::filesystem::remove(example.prediction_path(LintExample::second));
  LintExample::write(example.mask_path(first), example_header({1, 6, 5, 4}), std::vector<double>(120, 1));
  LintExample::write(example.prediction_path(first), example_header({6, 5, 4}), std::vector<double>(120, 1));
  EXPECT_EQ(example.problems(), (Lines{"error prediction_shape " + first}));
}

TEST(Submission, refuses_probabilities_and_warns_of_whole_numbers_stored_as_floats) {
  const NiftiHeader real = LintExample::mask_header(VoxelType::float32);
  std::vector<double> values = LintExample::mask_values();
  EXPECT_EQ(after_prediction(real, values), (Lines{"warning prediction_type " + first}));
  for (double& value : values) value *= 0.7;
  EXPECT_EQ(after_prediction(real, values), (Lines{"error prediction_probabilities " + first}));
  values[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(after_prediction(real, values), (Lines{"error prediction_not_finite " + first}));
}

TEST(Submission, warns_of_values_that_the_published_scorer_wraps) {
  const NiftiHeader header = LintExample::mask_header(VoxelType::int16);
  std::vector<double> values = LintExample::mask_values();
  values[0] = 256;
  EXPECT_EQ(after_prediction(header, values), (Lines{"warning prediction_values_wrap " + first}));
  values[0] = -1;
  EXPECT_EQ(after_prediction(header, values), (Lines{"warning prediction_values_wrap " + first}));
}

TEST(Submission, warns_of_every_empty_channel) {
  EXPECT_EQ(after_prediction(LintExample::mask_header(), std::vector<double>(240, 0)),
            (Lines{"warning prediction_channel_empty " + first + " at channel 0",
                   "warning prediction_channel_empty " + first + " at channel 1"}));
}

TEST(Submission, holds_an_affine_against_the_volume_where_there_is_one) {
  NiftiHeader header = LintExample::mask_header();
  header.set_affine(LintExample::volume_header().affine);
  EXPECT_EQ(after_prediction(header, LintExample::mask_values(), true), Lines());
  EXPECT_EQ(after_prediction(header, LintExample::mask_values()),
            (Lines{"note prediction_place_unchecked " + first}));
  header.set_affine(Affine::scaling({0.75, 0.75, 1.5}));
  EXPECT_EQ(after_prediction(header, LintExample::mask_values(), true),
            (Lines{"error prediction_place " + first}));
}

}  // namespace
}  // namespace fiducial
