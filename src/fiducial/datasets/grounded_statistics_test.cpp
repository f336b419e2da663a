#include "fiducial/datasets/grounded_statistics.h"

#include <limits>

#include <gtest/gtest.h>

#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/datasets/rexgroundingct/lint_example.h"

namespace fiducial {
namespace {

Finding finding(std::string text, std::string category, std::int64_t entities, std::int64_t voxels) {
  Finding out{
      .text = std::move(text), .category = std::move(category), .entities = entities, .voxels = voxels};
  if (out.category == "9z") return out;  // of no ontology
  out.category_title = "title of " + out.category;
  out.focality = out.category.starts_with('2') ? Focality::focal : Focality::non_focal;
  return out;
}

GroundedCase scan(std::string name, std::vector<Finding> findings, std::string protocol = "protocol1") {
  const std::string patient = patient_of(name);
  return {.name = std::move(name),
          .patient = patient,
          .protocol = std::move(protocol),
          .findings = std::move(findings),
          .lists_findings = true};
}

Splits example() {
  return {
      {"train",
       {scan("train_1_a_1.nii.gz", {finding("A nodule.", "2d", 1, 10), finding("Emphysema.", "1c", 3, 5000)}),
        scan("train_1_b_1.nii.gz", {finding("A nodule.", "2d", 11, 100)}, "protocol2")}},
      {"test",
       {scan("train_1_c_1.nii.gz", {finding("A nodule.", "9z", 2, 0)}), scan("train_2_a_1.nii.gz", {})}}};
}

TEST(GroundedStatistics, count_scans_findings_patients_and_texts) {
  const GroundedStatistics out = statistics_of(example());
  ASSERT_EQ(out.splits.size(), 2U);
  EXPECT_EQ(out.splits[0].scans, 2);
  EXPECT_EQ(out.splits[0].findings, 3);
  EXPECT_EQ(out.splits[0].patients, 1);
  EXPECT_EQ(out.splits[0].unique_texts, 2);
  EXPECT_EQ(out.all.scans, 4);
  EXPECT_EQ(out.all.findings, 4);
  EXPECT_EQ(out.all.patients, 2);
  EXPECT_EQ(out.all.unique_texts, 2);
}

TEST(GroundedStatistics, count_categories_and_leave_unknown_ones_out_of_the_focal_share) {
  const GroundedStatistics out = statistics_of(example(), {{"1a", "of the ontology"}});
  EXPECT_EQ(out.all.categories, (std::map<std::string, std::int64_t>{{"1a", 0}, {"1c", 1}, {"2d", 2}}));
  EXPECT_EQ(out.category_titles.at("2d"), "title of 2d");
  EXPECT_EQ(out.all.uncategorized, 1);
  EXPECT_DOUBLE_EQ(out.all.focal_share(), 2.0 / 3);
}

TEST(GroundedStatistics, summarise_entities_of_findings) {
  const CountDistribution entities = statistics_of(example()).splits[0].entities;
  EXPECT_EQ(entities.total(), 15);
  EXPECT_EQ(entities.known(), 3);
  EXPECT_DOUBLE_EQ(entities.mean(), 5);
  EXPECT_EQ(entities.greatest(), 11);
  EXPECT_EQ(entities.at(3), 1);
  EXPECT_EQ(entities.above(3), 1);
}

TEST(GroundedStatistics, name_the_patients_two_splits_share) {
  const GroundedStatistics out = statistics_of(example());
  ASSERT_EQ(out.shared_patients.size(), 1U);
  EXPECT_EQ(out.shared_patients[0].a, "train");
  EXPECT_EQ(out.shared_patients[0].b, "test");
  EXPECT_EQ(out.shared_patients[0].patients, 1);
}

TEST(GroundedStatistics, bin_sizes_by_half_decades_and_leave_empty_findings_out) {
  const std::vector<SizeBin> bins = statistics_of(example()).all.sizes();
  ASSERT_EQ(bins.size(), 6U);  // 10 is 10^1, 100 is 10^2, 5000 lies between 10^3.5 and 10^4
  EXPECT_EQ(bins.front().half_decade, 2);
  EXPECT_EQ(bins.front().findings, 1);
  EXPECT_EQ(bins[2].findings, 1);
  EXPECT_EQ(bins.back().half_decade, 7);
}

TEST(GroundedStatistics, note_entity_counts_that_are_placeholders) {
  Splits splits{{"test", {}}};
  for (int i = 0; i < 20; ++i) splits[0].second.push_back(scan("x", {finding("A nodule.", "2d", 1, 5)}));
  const GroundedStatistics out = statistics_of(splits);
  ASSERT_EQ(out.notes.size(), 1U);
  EXPECT_EQ(out.notes[0].code, "entity_counts_placeholder");
  EXPECT_TRUE(statistics_of(example()).notes.empty());
}

TEST(GroundedStatistics, are_zero_for_an_empty_dataset) {
  const GroundedStatistics out = statistics_of({});
  EXPECT_EQ(out.all.findings, 0);
  EXPECT_EQ(out.all.focal_share(), 0);
  EXPECT_TRUE(out.all.sizes().empty());
}

Result<GroundedStatistics> counted(const rexgroundingct::LintExample& example) {
  FIDUCIAL_TRY_DONE(example.lint());  // writes the dataset file
  FIDUCIAL_TRY(const rexgroundingct::Dataset dataset,
               rexgroundingct::Dataset::open(example.folder() / "data"));
  SilentProgress progress;
  return statistics_of_masks(dataset, {}, Executor(2), progress);
}

TEST(CountDistribution, stays_at_the_largest_number_where_its_sum_is_larger) {
  CountDistribution counts;
  counts.add(std::numeric_limits<std::int64_t>::max());
  counts.add(17);
  EXPECT_EQ(counts.total(), std::numeric_limits<std::int64_t>::max());
}

TEST(MaskStatistics, count_entities_voxels_and_components_in_the_masks) {
  rexgroundingct::LintExample example;
  example.edit("", R"("entity_counts":{"0":1,"1":2})", R"("entity_counts":{"0":7,"1":7})");
  const Result<GroundedStatistics> out = counted(example);
  ASSERT_TRUE(out.ok()) << out.error().text();
  EXPECT_EQ(out->all.entities.total(), 4 * 3);
  EXPECT_EQ(out->all.voxels.total(), 4 * 8);
  EXPECT_EQ(out->all.components.total(), 4 * 3);
  EXPECT_TRUE(out->notes.empty());
}

TEST(MaskStatistics, do_not_know_the_counts_of_an_absent_mask) {
  const rexgroundingct::LintExample example;
  std::filesystem::remove(example.mask_path(rexgroundingct::LintExample::first));
  const Result<GroundedStatistics> out = counted(example);
  ASSERT_TRUE(out.ok()) << out.error().text();
  EXPECT_EQ(out->splits[1].entities.known(), 2);
  EXPECT_EQ(out->splits[1].findings, 4);
  ASSERT_EQ(out->notes.size(), 1U);
  EXPECT_EQ(out->notes[0].text, "1 of 2 masks of test are not there");
}

TEST(MaskStatistics, fail_on_a_mask_that_cannot_be_read) {
  const rexgroundingct::LintExample example;
  ASSERT_TRUE(write_file(example.mask_path(rexgroundingct::LintExample::first), "no mask").ok());
  const Result<GroundedStatistics> out = counted(example);
  ASSERT_FALSE(out.ok());
  EXPECT_EQ(out.error().place().path, example.mask_path(rexgroundingct::LintExample::first).string());
}

}  // namespace
}  // namespace fiducial
