#include "fiducial/synth/lookalikes.h"

#include <gtest/gtest.h>

#include "fiducial/synth/chest_painter.h"
#include "fiducial/synth/organ_labels.h"

namespace fiducial {
namespace {

TEST(Lookalikes, change_densities_of_the_lungs_and_no_label) {
  Random random(5);
  const ChestAnatomy anatomy = make_chest_anatomy(random);
  ChestVolume chest = paint_chest(
      anatomy, {.extent = {96, 80, 52}, .spacing_mm = {3.6, 3.6, 5.0}, .body_scale = anatomy.body_scale},
      random);
  const ChestVolume before = chest;
  paint_lookalikes(chest, anatomy, random);
  EXPECT_EQ(chest.organs, before.organs);
  std::int64_t like_ground_glass = 0, like_nodules = 0;
  for (std::size_t i = 0; i < chest.hu.size(); ++i) {
    if (chest.hu[i] == before.hu[i]) continue;
    ASSERT_TRUE(is_lobe(chest.organs[i]));
    if (chest.hu[i] > -720 && chest.hu[i] < -400) ++like_ground_glass;
    if (chest.hu[i] > -200) ++like_nodules;
  }
  EXPECT_GT(like_ground_glass, 200);
  EXPECT_GT(like_nodules, 20);
}

}  // namespace
}  // namespace fiducial
