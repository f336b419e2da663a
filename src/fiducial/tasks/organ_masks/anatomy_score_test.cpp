#include "fiducial/tasks/organ_masks/anatomy_score.h"

#include <gtest/gtest.h>

#include "fiducial/base/temporary_folder.h"
#include "fiducial/image/label_encoder.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {
namespace {

const Grid organ_grid{{10, 6, 5}, Affine::scaling({2, 2, 3}, {-10, -20, 30})};

void write_organs(const Path& path, const Grid& grid, std::vector<LabelRun> runs) {
  std::filesystem::create_directories(path.parent_path());
  const std::array<LabelMap, 1> one{LabelMap(grid, std::move(runs))};
  ASSERT_TRUE(write_nifti(path, *encode_labels(one, ChannelAxis::none)).ok());
}

AnatomyScores organ_scores_of(const TemporaryFolder& folder) {
  SilentProgress progress;
  Result<AnatomyScores> scores =
      score_anatomy_masks({.reference = folder / "truth", .predictions = folder / "masks"}, progress);
  EXPECT_TRUE(scores.ok()) << scores.error().text();
  return std::move(scores).value();
}

const AnatomyRow& row_of_structure(const AnatomyScores& scores, const std::string& structure) {
  for (const AnatomyRow& row : scores.rows) {
    if (row.structure == structure) return row;
  }
  ADD_FAILURE() << "no row of " << structure;
  return scores.rows.front();
}

// heart: equal; liver: half; spleen: none predicted; stomach: predicted without a reference; aorta: both
// empty.
void write_organ_example(const TemporaryFolder& folder) {
  const Path truth = folder / "truth/valid_anatomy_mask/seg_v1";
  write_organs(truth / "heart.nii.gz", organ_grid, {{7, 2, 6, 1}});
  write_organs(truth / "liver.nii.gz", organ_grid, {{8, 0, 4, 1}});
  write_organs(truth / "spleen.nii.gz", organ_grid, {{9, 0, 4, 1}});
  write_organs(truth / "stomach.nii.gz", organ_grid, {});
  write_organs(truth / "aorta.nii.gz", organ_grid, {});
}

TEST(AnatomyScores, follow_the_contract_of_absent_structures) {
  TemporaryFolder folder;
  write_organ_example(folder);
  write_organs(folder / "masks/v1.nii.gz", organ_grid, {{7, 2, 6, 51}, {8, 2, 6, 5}, {10, 0, 2, 6}});
  const AnatomyScores scores = organ_scores_of(folder);
  EXPECT_EQ(row_of_structure(scores, "heart").dice, Score(1.0));
  EXPECT_EQ(row_of_structure(scores, "heart").nsd, Score(1.0));
  EXPECT_EQ(row_of_structure(scores, "heart").hd95, Score(0.0));
  EXPECT_EQ(row_of_structure(scores, "liver").dice, Score(0.5));
  EXPECT_EQ(row_of_structure(scores, "spleen").dice, Score(0.0));
  EXPECT_FALSE(row_of_structure(scores, "spleen").hd95.defined());
  EXPECT_EQ(row_of_structure(scores, "stomach").dice, Score(0.0));
  EXPECT_FALSE(row_of_structure(scores, "aorta").dice.defined());
  EXPECT_EQ(scores.macro.dice.n, 4);
  EXPECT_DOUBLE_EQ(scores.macro.dice.mean, 1.5 / 4);
  EXPECT_EQ(scores.macro.references, 3);
  EXPECT_EQ(scores.macro.false_alarms, 1);
  EXPECT_DOUBLE_EQ(scores.regions.at("abdomen").dice.mean, 0.5 / 3);
  EXPECT_DOUBLE_EQ(scores.regions.at("heart").dice.mean, 1.0);
  EXPECT_EQ(*scores.json().find("macro")->find("dice")->find("n")->as_integer(), 4);
}

TEST(AnatomyScores, give_lost_grids_back_and_refuse_other_ones) {
  TemporaryFolder folder;
  write_organ_example(folder);
  write_organs(folder / "masks/seg_v1/heart.nii.gz", {organ_grid.extent, Affine::identity()}, {{7, 2, 6, 1}});
  write_organs(folder / "masks/seg_v1/liver.nii.gz", {{9, 6, 5}, Affine::identity()}, {{8, 0, 4, 1}});
  const AnatomyScores scores = organ_scores_of(folder);
  EXPECT_EQ(row_of_structure(scores, "heart").dice, Score(1.0));
  EXPECT_EQ(row_of_structure(scores, "liver").prediction, MaskStatus::other_grid);
  EXPECT_EQ(row_of_structure(scores, "liver").dice, Score(0.0));
  EXPECT_EQ(scores.macro.refused, 1);
  EXPECT_EQ(scores.macro.missing, 1);
  EXPECT_NE(scores.csv().find("v1,liver,present,other_grid,0,0,,"), std::string::npos) << scores.csv();
}

TEST(AnatomyScores, have_no_millimetres_where_nobody_knows_them) {
  TemporaryFolder folder;
  const Grid lost{organ_grid.extent, Affine::identity()};
  write_organs(folder / "truth/seg_v1/heart.nii.gz", lost, {{7, 2, 6, 1}});
  write_organs(folder / "masks/seg_v1/heart.nii.gz", lost, {{7, 3, 6, 1}});
  EXPECT_EQ(organ_scores_of(folder).rows.front().nsd.reason(), "no spacing");
  SilentProgress progress;
  const auto spaced = score_anatomy_masks(
      {.reference = folder / "truth", .predictions = folder / "masks", .spacing_mm = Vec3{1, 1, 3}},
      progress);
  EXPECT_EQ(spaced->rows.front().nsd, Score(1.0));
}

TEST(AnatomyScores, count_volumes_without_masks) {
  TemporaryFolder folder;
  write_organ_example(folder);
  std::filesystem::create_directories(folder / "masks");
  const AnatomyScores scores = organ_scores_of(folder);
  EXPECT_EQ(scores.volumes_without_prediction, 1);
  EXPECT_DOUBLE_EQ(scores.macro.dice.mean, 0);
  EXPECT_EQ(scores.submitted.dice.n, 0);
}

}  // namespace
}  // namespace fiducial
