#include "fiducial/metrics/radcliq.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(Radcliq, version_1_gives_the_published_composite) {
  EXPECT_NEAR(radcliq_v1({1, 1, 1, 1}), -1.440690, 5e-7);
  EXPECT_NEAR(radcliq_v1({0, 0, 0, 0}), 2.450143, 5e-7);
  EXPECT_NEAR(radcliq_v1({0.5, 0.5, 0.5, 0.5}), 0.504726, 5e-7);
  EXPECT_NEAR(radcliq_v1({0.25, 0.4, 0.6, 0.1}), 0.881638, 5e-7);
}

TEST(Radcliq, version_0_is_its_expanded_form) {
  for (const RadcliqComponents of :
       {RadcliqComponents{0, 0, 0, 0}, {1, 1, 1, 1}, {0.25, 0.4, 0.6, 0.1}, {0.9, 0.2, 0.3, 0.7}}) {
    const double expanded = 5.516161 - 1.589034 * of.radgraph - 3.009830 * of.bertscore - 1.873372 * of.semb +
                            0.713942 * of.bleu2;
    EXPECT_NEAR(radcliq_v0(of), expanded, 3e-6);
  }
}

TEST(Radcliq, is_lower_for_the_better_text) {
  EXPECT_LT(radcliq_v1({1, 1, 1, 1}), radcliq_v1({0.5, 0.5, 0.5, 0.5}));
  EXPECT_LT(radcliq_v0({1, 1, 1, 1}), radcliq_v0({0.5, 0.5, 0.5, 0.5}));
}

}  // namespace
}  // namespace fiducial
