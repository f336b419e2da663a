#include "fiducial/synth/smooth_noise.h"

#include <cmath>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(SmoothNoise, stays_within_one_and_is_continuous) {
  Random random(4);
  const SmoothNoise noise(random);
  double before = noise.at(-3, 1.5, 2.5);
  for (double x = -3; x < 3; x += 0.01) {
    const double value = noise.at(x, 1.5, 2.5);
    EXPECT_LE(std::abs(value), 1);
    EXPECT_LT(std::abs(value - before), 0.05);
    before = value;
  }
}

TEST(NoiseSlice, has_the_asked_spread_and_no_bias) {
  Random random(5);
  const auto noise = noise_slice({200, 200, 1}, 20, random);
  double sum = 0;
  double squares = 0;
  for (const std::int16_t value : noise) {
    sum += value;
    squares += static_cast<double>(value) * value;
  }
  const auto count = static_cast<double>(noise.size());
  EXPECT_NEAR(sum / count, 0, 0.5);
  EXPECT_NEAR(std::sqrt(squares / count), 20, 1);
}

TEST(BlurSlices, leaves_a_flat_slice_alone_and_softens_an_edge) {
  std::vector<std::int16_t> flat(64, -1000);
  blur_slices({8, 8, 1}, flat);
  EXPECT_EQ(flat, std::vector<std::int16_t>(64, -1000));
  std::vector<std::int16_t> edge{0, 0, 80, 80};
  blur_slices({4, 1, 1}, edge);
  EXPECT_EQ(edge, (std::vector<std::int16_t>{0, 10, 70, 80}));
}

}  // namespace
}  // namespace fiducial
