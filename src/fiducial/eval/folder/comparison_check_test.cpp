#include <gtest/gtest.h>

#include "fiducial/eval/folder/comparison.h"

namespace fiducial {
namespace {

Json metric(const char* id, int version) {
  return Json::object({{"id", id}, {"version", version}, {"scorer", "strict"}});
}

ScoreFolder folder(const char* name) {
  ScoreFolder out;
  out.path = name;
  out.plan =
      Json::object({{"benchmark", "rexgroundingct"},
                    {"split", "test"},
                    {"system", name},
                    {"seed", 1},
                    {"strict", Json::object({{"min_voxels", 10}})},
                    {"official", Json::object({{"min_voxels", 10}})},
                    {"metrics", Json::array({metric("dice", 1), metric("hit10", 1)})},
                    {"dataset", Json::object({{"file", "dataset.json"}, {"sha256", "aa"}})},
                    {"files", Json::array({Json::object({{"case", "c"}, {"reference_sha256", "ff"}})})}});
  out.summary =
      Json::object({{"mode", "strict"}, {"metrics", Json::object({})}, {"groups", Json::object({})}});
  return out;
}

std::string refusal(const ScoreFolder& other) {
  const Outcome found = check_comparable({folder("a"), other}, Scorer::strict);
  if (found.ok()) return "";
  EXPECT_EQ(found.error().code(), ErrorCode::invalid_data);
  return found.error().message();
}

TEST(Comparable, accepts_another_system_seed_and_set_of_official_rules) {
  ScoreFolder other = folder("b");
  other.plan.set("seed", 2).set("official", Json::object({{"min_voxels", 1}}));
  EXPECT_EQ(refusal(other), "");
}

TEST(Comparable, names_another_dataset) {
  ScoreFolder other = folder("b");
  other.plan.set("dataset", Json::object({{"file", "dataset.json"}, {"sha256", "bb"}}));
  EXPECT_EQ(refusal(other), "cannot be compared with a: b: dataset hash is bb, not aa");
}

TEST(Comparable, names_another_benchmark_before_its_hash) {
  ScoreFolder other = folder("b");
  other.plan.set("dataset", Json::object({{"file", "dataset.json"}, {"sha256", "bb"}}));
  other.plan.set("benchmark", "radgenome");
  EXPECT_EQ(refusal(other), "cannot be compared with a: b: benchmark is radgenome, not rexgroundingct");
}

TEST(Comparable, names_another_split) {
  ScoreFolder other = folder("b");
  other.plan.set("split", "val");
  EXPECT_EQ(refusal(other), "cannot be compared with a: b: split is val, not test");
}

TEST(Comparable, names_another_parameter) {
  ScoreFolder other = folder("b");
  other.plan.set("strict", Json::object({{"min_voxels", 3}}));
  EXPECT_EQ(refusal(other),
            "cannot be compared with a: b: strict is {\"min_voxels\":3}, not {\"min_voxels\":10}");
}

TEST(Comparable, names_a_parameter_that_only_one_plan_has) {
  ScoreFolder other = folder("b");
  other.plan.set("tolerance_mm", 2);
  EXPECT_EQ(refusal(other), "cannot be compared with a: b: tolerance_mm is 2, not nothing");
}

TEST(Comparable, names_another_version_of_a_metric) {
  ScoreFolder other = folder("b");
  other.plan.set("metrics", Json::array({metric("dice", 1), metric("hit10", 2)}));
  EXPECT_EQ(refusal(other),
            "cannot be compared with a: b: strict metric hit10 version 2, not hit10 version 1");
}

TEST(Comparable, names_a_changed_reference_mask) {
  ScoreFolder other = folder("b");
  other.plan.set("files", Json::array({Json::object({{"case", "c"}, {"reference_sha256", "ee"}})}));
  EXPECT_EQ(refusal(other), "cannot be compared with a: b: another reference mask of c");
}

TEST(Comparable, names_a_folder_that_was_not_scored_by_these_rules) {
  const Outcome found = check_comparable({folder("a"), folder("b")}, Scorer::official);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().message(),
            "cannot be compared with a: a: has no official scores; b: has no official scores");
}

}  // namespace
}  // namespace fiducial
