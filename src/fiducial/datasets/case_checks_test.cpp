#include "fiducial/datasets/case_checks.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

constexpr LintRule torn{"mask_torn", Severity::error, "masks are whole"};

CheckedFiles found_in(const std::string& name, int times) {
  CheckedFiles out;
  for (int i = 0; i < times; ++i) out.problems.add(torn, {name, ""}, "expected 1, found 2", i + 1);
  out.submitted = SubmittedFile{name, 7, sha256({})};
  return out;
}

Result<CheckedFiles> asked(CaseChecks& checks, std::int64_t index, const std::string& name) {
  return checks.check({index, name, {}}, [&name] { return found_in(name, 2); });
}

TEST(CaseChecks, parts_together_know_what_was_found_in_every_case) {
  CaseChecks first = CaseChecks::part({"a"});
  CaseChecks second = CaseChecks::part({"b"});
  for (CaseChecks* part : {&first, &second}) {
    ASSERT_TRUE(asked(*part, 0, "a").ok());
    ASSERT_TRUE(asked(*part, 1, "b").ok());
  }
  CaseChecks all = CaseChecks::known({second.kept(), first.kept()});
  const Result<CheckedFiles> found = asked(all, 1, "b");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->problems.all(), found_in("b", 2).problems.all());
  EXPECT_EQ(found->submitted->digest, sha256({}));
}

TEST(CaseChecks, refuse_a_case_that_no_part_has_checked) {
  CaseChecks all = CaseChecks::known({});
  const Result<CheckedFiles> found = asked(all, 0, "a");
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code(), ErrorCode::integrity);
}

TEST(CaseChecks, list_cases_in_the_order_of_the_check) {
  CaseChecks listing = CaseChecks::listing();
  ASSERT_TRUE(asked(listing, 1, "b").ok());
  ASSERT_TRUE(asked(listing, 0, "a").ok());
  ASSERT_EQ(listing.listed().size(), 2U);
  EXPECT_EQ(listing.listed()[0].name, "a");
}

TEST(LintProblems, are_read_as_they_were_written_with_those_that_were_not_kept) {
  LintProblems many;
  for (int i = 0; i < 10'005; ++i) many.add(torn, {"a", ""}, "x");
  const Result<LintProblems> read = LintProblems::parse(many.json());
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->all(), many.all());
  EXPECT_EQ(read->count(torn), 10'005);
}

}  // namespace
}  // namespace fiducial
