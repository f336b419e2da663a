#include "fiducial/datasets/lint_report.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

constexpr LintRule broken{"mask_broken", Severity::error, "masks are whole"};
constexpr LintRule odd{"mask_odd", Severity::note, "masks are usual"};

LintReport example_report() {
  LintReport report{
      .benchmark = "example", .dataset_file = "dataset.json", .splits = {{"test", 2}, {"val", 1}}};
  report.problems.add(odd, {"a.nii.gz", ""}, "expected this, found that");
  report.problems.add(broken, LintPlace::channel("b.nii.gz", 3), "expected 1, found 2");
  return report;
}

TEST(LintTable, groups_errors_before_notes_and_ends_in_a_summary) {
  EXPECT_EQ(lint_table(example_report()),
            "error mask_broken (1)\n"
            "  b.nii.gz, channel 3: expected 1, found 2\n"
            "\n"
            "note mask_odd (1)\n"
            "  a.nii.gz: expected this, found that\n"
            "\n"
            "example: 3 cases checked: 1 error, 0 warnings, 1 note\n");
}

TEST(LintTable, shows_ten_findings_of_a_code_and_counts_the_rest) {
  LintReport report{.benchmark = "example"};
  for (int i = 0; i < 13; ++i) report.problems.add(broken, {"a.nii.gz", ""}, "x");
  const std::string table = lint_table(report);
  EXPECT_NE(table.find("error mask_broken (13)\n"), std::string::npos);
  EXPECT_NE(table.find("  and 3 more; --json lists all\n"), std::string::npos);
}

TEST(LintReport, keeps_the_order_of_findings_in_json_and_counts_them) {
  EXPECT_EQ(
      example_report().json().compact(),
      R"({"schema":"fiducial.check/1","benchmark":"example","dataset_file":"dataset.json",)"
      R"("splits":{"test":2,"val":1},"findings":[)"
      R"({"code":"mask_odd","severity":"note","file":"a.nii.gz","place":"","message":"expected this, found that"},)"
      R"({"code":"mask_broken","severity":"error","file":"b.nii.gz","place":"channel 3",)"
      R"("message":"expected 1, found 2"}],"counts":{"errors":1,"warnings":0,"notes":1,"cases":3}})");
}

TEST(LintReport, lists_submitted_files_with_their_total_size) {
  LintReport report{.benchmark = "example"};
  report.submission = SubmissionFacts{.split = "test", .kind = "zip"};
  report.submission->files = {{"a.nii.gz", 10, Digest{}}, {"b.nii.gz", 5, std::nullopt}};
  const Json json = report.json();
  const Json* submission = json.find("submission");
  ASSERT_NE(submission, nullptr);
  EXPECT_EQ(*submission->find("bytes")->as_integer(), 15);
  EXPECT_EQ(*submission->find("kind")->as_string(), "zip");
  EXPECT_EQ(submission->find("files")->as_array()->at(0).find("sha256")->as_string()->size(), 64U);
  EXPECT_TRUE(submission->find("files")->as_array()->at(1).find("sha256")->is_null());
}

TEST(LintPlace, names_pointer_or_byte_of_an_error_without_its_path) {
  const Error at_byte(ErrorCode::invalid_data, "x", Place{.path = "/tmp/a", .byte = 40});
  const Error at_pointer(ErrorCode::invalid_data, "x", Place{.path = "/tmp/a", .pointer = "/test/0"});
  EXPECT_EQ(LintPlace::of("a", at_byte).place, "byte 40");
  EXPECT_EQ(LintPlace::of("a", at_pointer).place, "/test/0");
}

TEST(LintProblems, leaves_out_that_a_mask_has_no_orientation) {
  LintProblems problems;
  problems.add_notes(odd, "a", {{"no_orientation", "x"}, {"trailing_bytes", "y"}});
  ASSERT_EQ(problems.all().size(), 1U);
  EXPECT_EQ(problems.all()[0].message, "y");
}

TEST(LintProblems, counts_all_and_keeps_ten_thousand_of_a_rule) {
  LintProblems problems;
  for (int i = 0; i < 10'001; ++i) problems.add(broken, {"a", ""}, "again");
  problems.add(odd, {"a", ""}, "once");
  LintProblems more = problems;
  more.append(problems);
  EXPECT_EQ(problems.all().size(), 10'001U);
  EXPECT_EQ(problems.count(broken), 10'001);
  EXPECT_EQ(more.all().size(), 10'002U);
  EXPECT_EQ(more.count(broken), 20'002);
  EXPECT_EQ(more.count(broken.severity) + more.count(odd.severity), 20'004);
  EXPECT_EQ(more.remove(broken), 20'002);
  EXPECT_EQ(more.count(broken), 0);
}

TEST(LintProblems, removes_every_problem_of_a_rule) {
  LintProblems problems = example_report().problems;
  EXPECT_EQ(problems.remove(odd), 1);
  EXPECT_EQ(problems.count(odd), 0);
  EXPECT_EQ(problems.count(broken), 1);
}

}  // namespace
}  // namespace fiducial
