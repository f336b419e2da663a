#include <gtest/gtest.h>

#include "fiducial/eval/outputs/write_scores.h"
#include "fiducial/tasks/finding_masks/mask_run.h"

namespace fiducial {
namespace {

// The rows of three cases: scored, missing, and refused by strict rules.
Table example_rows() {
  MaskPlan plan;
  EXPECT_TRUE(select_metrics(plan, {"iou", "dice_rexrank_filtered"}).ok());
  CaseScore good{.name = "a.nii.gz", .patient = "p1"};
  good.findings.push_back({.index = 0, .category = "2d", .strict = {Score(0.5)}, .official = {Score(0.75)}});
  good.findings.push_back(
      {.index = 1, .category = "", .strict = {Score::undefined("no voxel")}, .official = {Score(1)}});
  CaseScore missing{.name = "b.nii.gz",
                    .patient = "p2",
                    .status = CaseStatus::missing,
                    .official_status = CaseStatus::missing,
                    .reason = "no file",
                    .official_reason = "no file"};
  missing.findings.push_back({.index = 0, .category = "1c", .strict = {Score(0)}});
  CaseScore refused{
      .name = "c.nii.gz", .patient = "p3", .status = CaseStatus::failed, .reason = "probabilities"};
  refused.findings.push_back(
      {.index = 0, .category = "1c", .strict = {Score(0)}, .official = {Score(0.125)}});
  ScoreRun run;
  run.mode = ScoreMode::both;
  add_masks(run, plan, {good, missing, refused});
  Table out;
  EXPECT_TRUE(visit_rows(run, [&out](const Table& table) -> Outcome {
                out = table;
                return done();
              }).ok());
  return out;
}

template <typename Items>
const Items& column(const Table& table, const std::string& name) {
  return std::get<Items>(table.find(name)->values);
}

TEST(Rows, are_one_for_each_case_finding_and_metric_strict_first) {
  const Table table = example_rows();
  ASSERT_EQ(table.rows(), 8U);
  using Strings = Column::Strings;
  EXPECT_EQ(column<Strings>(table, "case"), (Strings{"a.nii.gz", "a.nii.gz", "b.nii.gz", "c.nii.gz",
                                                     "a.nii.gz", "a.nii.gz", "b.nii.gz", "c.nii.gz"}));
  EXPECT_EQ(column<Strings>(table, "patient"), (Strings{"p1", "p1", "p2", "p3", "p1", "p1", "p2", "p3"}));
  EXPECT_EQ(column<Column::Integers>(table, "finding"), (Column::Integers{0, 1, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(column<Strings>(table, "category"), (Strings{"2d", "", "1c", "1c", "2d", "", "1c", "1c"}));
  EXPECT_EQ(column<Strings>(table, "scorer"), (Strings{"strict", "strict", "strict", "strict", "official",
                                                       "official", "official", "official"}));
  EXPECT_EQ(column<Strings>(table, "metric")[3], "iou");
  EXPECT_EQ(column<Strings>(table, "metric")[4], "dice_rexrank_filtered");
  EXPECT_EQ(column<Column::Integers>(table, "version"), Column::Integers(8, 1));
}

TEST(Rows, hold_a_value_or_say_why_there_is_none) {
  const Table table = example_rows();
  using Strings = Column::Strings;
  EXPECT_EQ(column<Strings>(table, "status"),
            (Strings{"scored", "undefined", "missing", "failed", "scored", "scored", "missing", "scored"}));
  EXPECT_EQ(column<Column::Numbers>(table, "value"),
            (Column::Numbers{0.5, std::nullopt, 0, 0, 0.75, 1, std::nullopt, 0.125}));
  EXPECT_EQ(column<Strings>(table, "reason"), (Strings{std::nullopt, "no voxel", "no file", "probabilities",
                                                       std::nullopt, std::nullopt, "no file", std::nullopt}));
}

TEST(Rows, name_their_schema_and_columns) {
  const Table table = example_rows();
  std::vector<std::string> names;
  for (const Column& each : table.columns) names.push_back(each.name);
  EXPECT_EQ(names, (std::vector<std::string>{"case", "patient", "finding", "category", "scorer", "metric",
                                             "version", "status", "value", "reason", "weight",
                                             "group_category", "group_focality", "group_size_voxels",
                                             "group_entities", "group_protocol"}));
  ASSERT_EQ(table.metadata.size(), 2U);
  EXPECT_EQ(table.metadata[0], (std::pair<std::string, std::string>{"schema", "fiducial.rows/1"}));
  EXPECT_EQ(table.metadata[1].first, "measures");
}

}  // namespace
}  // namespace fiducial
