#include "fiducial/synth/chest_painter.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "fiducial/synth/lung_tree.h"

namespace fiducial {
namespace {

ChestVolume healthy_chest(std::uint64_t seed) {
  Random random(seed);
  const ChestAnatomy anatomy = make_chest_anatomy(random);
  const ChestFrame frame{
      .extent = {96, 80, 52}, .spacing_mm = {3.6, 3.6, 5.0}, .body_scale = anatomy.body_scale};
  ChestVolume chest = paint_chest(anatomy, frame, random);
  paint_lung_trees(chest, random);
  return chest;
}

double mean_hu(const ChestVolume& chest, Organ organ) {
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < chest.hu.size(); ++i) {
    if (chest.organs[i] != static_cast<std::uint8_t>(organ)) continue;
    sum += chest.hu[i];
    count += 1;
  }
  return sum / count;
}

TEST(ChestPainter, fills_the_lungs_with_air_and_the_heart_with_blood) {
  const ChestVolume chest = healthy_chest(1);
  for (int lobe = 10; lobe <= 14; ++lobe) {
    const double hu = mean_hu(chest, static_cast<Organ>(lobe));
    EXPECT_GT(hu, -900) << lobe;
    EXPECT_LT(hu, -750) << lobe;
  }
  EXPECT_NEAR(mean_hu(chest, Organ::heart), 42, 8);
  EXPECT_NEAR(mean_hu(chest, Organ::liver), 58, 8);
  EXPECT_LT(mean_hu(chest, Organ::trachea), -900);
  EXPECT_GT(mean_hu(chest, Organ::sternum), 200);
}

TEST(ChestPainter, paints_named_organs_only_and_all_that_matter) {
  std::set<int> named;
  for (const OrganName& organ : organ_names()) named.insert(organ.id);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    std::map<int, int> count;
    for (const std::uint8_t organ : healthy_chest(seed).organs) ++count[organ];
    for (const auto& [organ, voxels] : count) EXPECT_TRUE(organ == 0 || named.contains(organ)) << organ;
    for (const int organ : {10, 11, 12, 13, 14, 15, 16, 37, 51, 52, 97, 109, 116}) {
      EXPECT_GT(count[organ], 5) << organ;
    }
  }
}

TEST(ChestPainter, keeps_organs_inside_the_body_and_air_outside) {
  const ChestVolume chest = healthy_chest(2);
  const Extent& extent = chest.frame.extent;
  for (std::int64_t z = 0; z < extent.z; ++z) {
    for (std::int64_t x = 0; x < extent.x; ++x) {
      for (const std::int64_t y : {std::int64_t{0}, extent.y - 1}) {
        const std::size_t index = chest.frame.index({x, y, z});
        EXPECT_EQ(chest.hu[index], -1000);
        EXPECT_EQ(chest.organs[index], 0);
      }
    }
  }
}

TEST(ChestPainter, puts_left_organs_on_the_patients_left) {
  const ChestVolume chest = healthy_chest(3);
  const Affine affine = chest.frame.affine();
  for (std::int64_t x = 0; x < chest.frame.extent.x; ++x) {
    const bool world_left = affine.apply({static_cast<double>(x), 0, 0})[0] < 0;
    for (std::int64_t y = 0; y < chest.frame.extent.y; ++y) {
      for (std::int64_t z = 0; z < chest.frame.extent.z; ++z) {
        const std::uint8_t organ = chest.organs[chest.frame.index({x, y, z})];
        const bool rib = organ >= 92 && organ <= 115;
        if (!is_lobe(organ) && !rib) continue;
        EXPECT_EQ(rib ? organ <= 103 : is_left_lobe(organ), world_left);
      }
    }
  }
}

TEST(ScannerEffects, leave_the_air_around_the_patient_flat) {
  ChestVolume chest = healthy_chest(4);
  Random random(1);
  const std::vector<std::int16_t> before = chest.hu;
  add_scanner_effects(chest, {.noise_hu = 20, .breathing = 0.4}, random);
  EXPECT_EQ(chest.hu[0], -1000);
  EXPECT_NE(chest.hu, before);
}

}  // namespace
}  // namespace fiducial
