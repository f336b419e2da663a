#include "fiducial/tasks/finding_masks/conformance_differences.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

Json file_of(const char* summary, const char* cases) {
  return parse_json(std::string(R"({"summary": )") + summary + R"(, "cases": )" + cases + "}").value();
}

std::vector<std::string> differences(const Json& ours, const Json& theirs) {
  const ScorerComparison found = compare_scorer_files(ours, theirs).value();
  std::vector<std::string> out;
  for (const ScorerDifference& one : found.differences) out.push_back(one.text());
  return out;
}

using Lines = std::vector<std::string>;

TEST(ScorerFiles, are_equal_when_means_differ_in_their_last_bits) {
  EXPECT_EQ(differences(file_of(R"({"mean_x": 0.30000000000000004, "n": 1})", "[]"),
                        file_of(R"({"mean_x": 0.3, "n": 1.0})", "[]")),
            Lines{});
}

TEST(ScorerFiles, differ_in_the_last_bit_of_a_score) {
  EXPECT_EQ(differences(file_of("{}", R"([{"file": "a", "global_dice": 0.30000000000000004}])"),
                        file_of("{}", R"([{"file": "a", "global_dice": 0.3}])")),
            Lines{"/cases/a/global_dice: ours 0.30000000000000004, theirs 0.3"});
}

TEST(ScorerFiles, name_what_only_one_of_them_has) {
  EXPECT_EQ(differences(file_of(R"({"a": 1})", R"([{"file": "x"}])"), file_of(R"({"b": 2})", "[]")),
            (Lines{"/summary/b: ours nothing, theirs 2", "/summary/a: ours 1, theirs nothing",
                   "/cases/x: ours {\"file\":\"x\"}, theirs nothing"}));
}

TEST(ScorerFiles, may_list_cases_and_equal_matches_in_any_order) {
  const char* ours =
      R"([{"file": "a", "matched_instances": [{"gt_id": 1, "dice": 0.5}, {"gt_id": 9, "dice": 0.5}],
                          "unmatched_pred": [1, 2]}, {"file": "b"}])";
  const char* theirs = R"([{"file": "b"}, {"file": "a", "matched_instances": [{"gt_id": 9, "dice": 0.5},
                            {"gt_id": 1, "dice": 0.5}], "unmatched_pred": [2, 1]}])";
  EXPECT_EQ(differences(file_of("{}", ours), file_of("{}", theirs)), Lines{});
}

TEST(ScorerFiles, tell_a_flag_from_a_number) {
  EXPECT_EQ(differences(file_of(R"({"hit": true})", "[]"), file_of(R"({"hit": 1})", "[]")),
            Lines{"/summary/hit: ours true, theirs 1"});
}

TEST(ScorerFiles, count_values_and_cases) {
  const Json file = file_of(R"({"a": 1, "b": [1, 2]})", R"([{"file": "x"}])");
  const ScorerComparison found = compare_scorer_files(file, file).value();
  EXPECT_EQ(found.values, 4);
  EXPECT_EQ(found.cases, 1);
}

TEST(ScorerFiles, are_refused_in_another_form) {
  const Json good = file_of("{}", "[]");
  for (const char* text : {"[]", "{}", R"({"summary": {}})", R"({"summary": {}, "cases": [1]})",
                           R"({"summary": {}, "cases": [{"file": "a"}, {"file": "a"}]})"}) {
    EXPECT_FALSE(compare_scorer_files(good, parse_json(text).value()).ok()) << text;
  }
}

}  // namespace
}  // namespace fiducial
