#include "fiducial/datasets/kept_report.h"

#include <gtest/gtest.h>

#include "fiducial/base/sha256.h"
#include "fiducial/datasets/shared_rules.h"

namespace fiducial {
namespace {

LintReport full_report() {
  LintReport out{.benchmark = "b", .dataset_file = "test.jsonl", .splits = {{"train", 3}, {"test", 2}}};
  for (int i = 0; i < 3; ++i) out.problems.add(shared_rules::split_empty, {"f", "/x"}, "expected cases", 2);
  out.submission =
      SubmissionFacts{.split = "test", .kind = "zip", .files = {{"a", 7, sha256({})}, {"b", 1, {}}}};
  out.submission->answers =
      AnswerCounts{.lines = 5, .unchanged = 4, .bare = 3, .labelled = 2, .with_steps = 1};
  out.audit = LintAudit{Json::object({{"share", 0.1}}), "one line\n"};
  return out;
}

TEST(KeptReport, is_read_as_the_report_that_was_kept) {
  const LintReport report = full_report();
  const Result<LintReport> read = parse_kept_report(parse_json(kept_report(report).compact()).value());
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(read->json().pretty(), report.json().pretty());
  EXPECT_EQ(lint_table(*read), lint_table(report));
}

TEST(KeptReport, of_a_dataset_alone_has_no_submission) {
  const LintReport report{.benchmark = "b", .dataset_file = "f"};
  const Result<LintReport> read = parse_kept_report(kept_report(report));
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_FALSE(read->submission || read->audit);
}

TEST(KeptReport, that_lacks_a_part_is_refused) {
  Json kept = kept_report(full_report());
  EXPECT_FALSE(parse_kept_report(kept.set("splits", Json::array({1}))).ok());
  EXPECT_FALSE(parse_kept_report(Json::object({})).ok());
  EXPECT_FALSE(parse_kept_file(Json::object({{"name", "a"}, {"bytes", -1}})).ok());
  EXPECT_FALSE(parse_kept_file(Json::object({{"name", "a"}, {"bytes", 1}, {"sha256", "no"}})).ok());
}

}  // namespace
}  // namespace fiducial
