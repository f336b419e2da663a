#include "fiducial/synth/findings_painter.h"

#include <gtest/gtest.h>

#include "fiducial/synth/chest_painter.h"
#include "fiducial/synth/finding_facts.h"

namespace fiducial {
namespace {

// A chest that findings can be painted into.
class FindingsPainterTest : public testing::Test {
 protected:
  FindingsPainterTest()
      : anatomy_(make_chest_anatomy(random_)),
        chest_(paint_chest(
            anatomy_,
            {.extent = {96, 80, 52}, .spacing_mm = {3.6, 3.6, 5.0}, .body_scale = anatomy_.body_scale},
            random_)),
        trees_(paint_lung_trees(chest_, random_)),
        painter_(chest_, anatomy_, trees_, random_) {}

  double mean_hu(const PaintedFinding& finding) const {
    double sum = 0;
    double count = 0;
    for (std::size_t i = 0; i < finding.entities.size(); ++i) {
      if (finding.entities[i] == 0) continue;
      sum += chest_.hu[i];
      count += 1;
    }
    return sum / count;
  }

  Random random_{11};
  ChestAnatomy anatomy_;
  ChestVolume chest_;
  LungTrees trees_;
  FindingsPainter painter_;
};

constexpr std::array<FindingKind, 7> all_kinds{FindingKind::bronchial_wall_thickening,
                                               FindingKind::emphysema,
                                               FindingKind::linear_atelectasis,
                                               FindingKind::consolidation,
                                               FindingKind::ground_glass,
                                               FindingKind::nodules,
                                               FindingKind::pleural_effusion};

TEST_F(FindingsPainterTest, keeps_every_kind_of_finding_in_the_lungs_on_its_side) {
  for (const FindingKind kind : all_kinds) {
    for (const Side side : {Side::left, Side::right}) {
      PaintedFinding finding = painter_.paint({kind, side, 1});
      for (std::size_t i = 0; i < finding.entities.size(); ++i) {
        if (finding.entities[i] == 0) continue;
        ASSERT_TRUE(is_lobe(chest_.organs[i])) << category_code(kind);
        ASSERT_EQ(is_left_lobe(chest_.organs[i]), side == Side::left) << category_code(kind);
      }
      const FindingFacts facts = measured(finding, chest_);
      ASSERT_EQ(facts.entities.size(), 1U) << category_code(kind);
      EXPECT_EQ(facts.left(), side == Side::left);
    }
  }
}

TEST_F(FindingsPainterTest, gives_each_entity_of_a_finding_an_id) {
  PaintedFinding finding = painter_.paint({FindingKind::nodules, Side::both, 4});
  const FindingFacts facts = measured(finding, chest_);
  ASSERT_EQ(facts.entities.size(), 4U);
  EXPECT_FALSE(facts.entities[0].left());
  EXPECT_TRUE(facts.entities[1].left());
}

TEST_F(FindingsPainterTest, paints_plausible_densities) {
  EXPECT_NEAR(mean_hu(painter_.paint({FindingKind::pleural_effusion, Side::left, 1})), 12, 2);
  EXPECT_NEAR(mean_hu(painter_.paint({FindingKind::nodules, Side::right, 2})), -80, 120);
  EXPECT_LT(mean_hu(painter_.paint({FindingKind::emphysema, Side::left, 1})), -930);
  const double haze = mean_hu(painter_.paint({FindingKind::ground_glass, Side::right, 1}));
  EXPECT_GT(haze, -720);
  EXPECT_LT(haze, -400);
}

TEST_F(FindingsPainterTest, lets_densities_fade_beyond_the_mask) {
  const std::vector<std::int16_t> before = chest_.hu;
  const PaintedFinding finding = painter_.paint({FindingKind::ground_glass, Side::left, 1});
  std::int64_t fading = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (finding.entities[i] == 0 && chest_.hu[i] > before[i]) ++fading;
  }
  EXPECT_GT(fading, 20);
}

TEST_F(FindingsPainterTest, leaves_lung_without_air_beside_fluid_and_outside_its_mask) {
  const PaintedFinding finding = painter_.paint({FindingKind::pleural_effusion, Side::right, 1});
  std::int64_t airless = 0;
  for (std::size_t i = 0; i < finding.entities.size(); ++i) {
    const bool lung = is_lobe(chest_.organs[i]) && !is_left_lobe(chest_.organs[i]);
    if (lung && finding.entities[i] == 0 && chest_.hu[i] > -100 && chest_.hu[i] < 40) ++airless;
  }
  EXPECT_GT(airless, 50);
}

TEST_F(FindingsPainterTest, lets_an_effusion_sink_to_the_back) {
  const PaintedFinding finding = painter_.paint({FindingKind::pleural_effusion, Side::right, 1});
  for (std::int64_t y = 0; y < chest_.frame.extent.y / 2; ++y) {
    for (std::int64_t x = 0; x < chest_.frame.extent.x; ++x) {
      EXPECT_EQ(finding.entities[chest_.frame.index({x, y, 6})], 0);
    }
  }
}

TEST(FindingFacts, measures_diameter_and_thickness_in_millimetres) {
  ChestVolume chest{.frame = {.extent = {10, 10, 2}, .spacing_mm = {2, 3, 5}}};
  chest.organs.assign(200, 14);
  PaintedFinding finding{.kind = FindingKind::nodules, .entities = std::vector<std::uint8_t>(200, 0)};
  for (std::size_t x = 2; x < 6; ++x) finding.entities[x + 30] = 2;  // four voxels along x
  finding.entities[2 + 40] = 2;
  const FindingFacts facts = measured(finding, chest);
  ASSERT_EQ(facts.entities.size(), 1U);
  EXPECT_EQ(facts.entities[0].voxels, 5);
  EXPECT_EQ(facts.entities[0].lobe, 14);
  EXPECT_EQ(facts.entities[0].diameter_mm, 9);  // sqrt(6^2 + 3^2) between centres, plus one voxel
  EXPECT_EQ(facts.entities[0].thickness_mm, 6);
  EXPECT_EQ(finding.entities[32], 1) << "ids are renumbered from one";
}

}  // namespace
}  // namespace fiducial
