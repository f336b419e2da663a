#include "fiducial/export/submission_package.h"

#include <gtest/gtest.h>

#include "fiducial/archive/zip_reader.h"
#include "fiducial/base/sha256.h"
#include "fiducial/datasets/rexgroundingct/lint_example.h"

namespace fiducial {
namespace {

using rexgroundingct::LintExample;

class SubmissionPackage : public testing::Test {
 protected:
  SubmissionPackage() {
    EXPECT_TRUE(example_.lint().ok());  // writes the dataset file
    request_ = {.dataset = example_.folder() / "data",
                .predictions = example_.folder() / "predictions",
                .output = example_.folder() / "out.zip"};
  }

  Result<PackedSubmission> pack() {
    SilentProgress progress;
    return pack_submission(request_, Executor(2), progress);
  }
  bool written() const {
    return std::filesystem::exists(request_.output) ||
           std::filesystem::exists(manifest_path(request_.output));
  }

  LintExample example_;
  SubmissionRequest request_;
};

TEST_F(SubmissionPackage, holds_one_stored_file_a_case_by_name) {
  const Result<PackedSubmission> packed = pack();
  ASSERT_TRUE(packed.ok()) << packed.error().text();
  ASSERT_TRUE(packed->manifest.has_value());
  const Result<ZipReader> zip = ZipReader::open(request_.output);
  ASSERT_TRUE(zip.ok()) << zip.error().text();
  ASSERT_EQ(zip->entries().size(), 2U);
  EXPECT_EQ(zip->entries()[0].name, LintExample::first);
  EXPECT_EQ(zip->entries()[1].name, LintExample::second);
  EXPECT_EQ(zip->entries()[0].size, zip->entries()[0].compressed_size);
  EXPECT_EQ(zip->entries()[0].size, std::filesystem::file_size(example_.prediction_path(LintExample::first)));
}

TEST_F(SubmissionPackage, comes_with_the_hash_of_the_archive_and_of_every_file) {
  ASSERT_TRUE(pack().ok());
  const Result<Json> manifest = parse_json(*read_text_file(manifest_path(request_.output)));
  ASSERT_TRUE(manifest.ok());
  const std::string archive = *read_text_file(request_.output);
  EXPECT_EQ(*manifest->find("archive")->find("sha256")->as_string(), sha256(as_bytes(archive)).hex());
  const std::string file = *read_text_file(example_.prediction_path(LintExample::second));
  EXPECT_EQ(*(*manifest->find("files")->as_array())[1].find("sha256")->as_string(),
            sha256(as_bytes(file)).hex());
  EXPECT_EQ(*manifest->find("split")->as_string(), "test");
}

TEST_F(SubmissionPackage, is_the_same_from_a_folder_and_from_its_own_archive) {
  ASSERT_TRUE(pack().ok());
  const std::string first = *read_text_file(request_.output);
  request_.predictions = request_.output;
  request_.output = example_.folder() / "again.zip";
  const Result<PackedSubmission> again = pack();
  ASSERT_TRUE(again.ok()) << again.error().text();
  EXPECT_EQ(*read_text_file(request_.output), first);
}

TEST_F(SubmissionPackage, is_not_written_when_a_file_is_missing) {
  std::filesystem::remove(example_.prediction_path(LintExample::first));
  const Result<PackedSubmission> packed = pack();
  ASSERT_TRUE(packed.ok()) << packed.error().text();
  EXPECT_FALSE(packed->manifest.has_value());
  ASSERT_EQ(packed->report.problems.count(Severity::error), 1);
  EXPECT_EQ(packed->report.problems.all()[0].code, "prediction_missing");
  EXPECT_FALSE(written());
}

TEST_F(SubmissionPackage, needs_no_masks) {
  std::filesystem::remove_all(example_.folder() / "data/segmentations");
  const Result<PackedSubmission> packed = pack();
  ASSERT_TRUE(packed.ok()) << packed.error().text();
  EXPECT_TRUE(packed->manifest.has_value());
}

TEST_F(SubmissionPackage, replaces_nothing_unless_told_to) {
  ASSERT_TRUE(write_file(manifest_path(request_.output), "precious").ok());
  EXPECT_EQ(pack().error().code(), ErrorCode::bad_usage);
  EXPECT_EQ(*read_text_file(manifest_path(request_.output)), "precious");
  request_.overwrite = true;
  EXPECT_TRUE(pack().ok());
}

TEST_F(SubmissionPackage, refuses_a_split_that_is_not_there) {
  request_.split = "validation";
  EXPECT_EQ(pack().error().code(), ErrorCode::bad_usage);
  EXPECT_FALSE(written());
}

}  // namespace
}  // namespace fiducial
