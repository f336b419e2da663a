#include "fiducial/spatial/orientation_probe.h"

#include <gtest/gtest.h>

#include "fiducial/metrics/dice_formula.h"
#include "fiducial/metrics/finding_example.h"

namespace fiducial {
namespace {

using Channels = std::vector<LabelMap>;

bool inside(const LabelMap& map, const Drawing::Voxel& voxel) {
  const auto row = static_cast<std::int32_t>(voxel[1] + map.extent().y * voxel[2]);
  for (const LabelRun& run : map.runs()) {
    if (run.row == row && run.begin <= voxel[0] && voxel[0] < run.end) return true;
  }
  return false;
}

template <typename Visit>
void for_each_voxel(const Extent& extent, Visit visit) {
  for (std::int64_t z = 0; z < extent.z; ++z) {
    for (std::int64_t y = 0; y < extent.y; ++y) {
      for (std::int64_t x = 0; x < extent.x; ++x) visit(Drawing::Voxel{x, y, z});
    }
  }
}

LabelMap noise(Random& random, const Extent& extent, double density) {
  Drawing drawing(extent);
  for_each_voxel(extent, [&](const Drawing::Voxel& voxel) {
    if (random.uniform() < density) drawing.at(voxel) = 1;
  });
  return drawing.map();
}

LabelMap rearranged(const LabelMap& map, const Reorientation& how) {
  Drawing drawing(how.apply(map.extent()));
  for_each_voxel(how.apply(map.extent()), [&](const Drawing::Voxel& voxel) {
    if (inside(map, how.source_voxel(map.extent(), voxel))) drawing.at(voxel) = 1;
  });
  return drawing.map();
}

double dice(const LabelMap& a, const LabelMap& b) {
  return exact_dice(*overlap(a.foreground(), b.foreground()));
}

// The map without every third voxel, so that no rearrangement fits perfectly.
LabelMap thinned(const LabelMap& map) {
  Drawing drawing(map.extent());
  int count = 0;
  for_each_voxel(map.extent(), [&](const Drawing::Voxel& voxel) {
    if (inside(map, voxel) && count++ % 3 != 0) drawing.at(voxel) = 1;
  });
  return drawing.map();
}

// The first of the 48 leaves everything as it is; a good prediction is tested below.
class OrientationProbeOf48 : public testing::TestWithParam<int> {
 protected:
  Reorientation applied() const { return Reorientation::all()[static_cast<std::size_t>(GetParam())]; }

  void expect_named(const Extent& extent) const {
    Random random(11, "asymmetric");
    const LabelMap reference = noise(random, extent, 0.1);
    const LabelMap prediction = rearranged(thinned(reference), applied());
    const auto verdict = probe_orientation(Channels{reference}, Channels{prediction});
    ASSERT_TRUE(verdict) << applied().name();
    EXPECT_EQ(verdict->transform.name(), applied().inverse().name());
    EXPECT_EQ(verdict->dice_transformed, dice(reference, thinned(reference)));
    const bool same_shape = prediction.extent() == extent;
    EXPECT_EQ(verdict->dice_as_is, same_shape ? dice(reference, prediction) : 0);
  }
};

TEST_P(OrientationProbeOf48, names_what_undoes_it_in_a_cube) { expect_named({11, 11, 11}); }

TEST_P(OrientationProbeOf48, names_what_undoes_it_where_shapes_tell_axes_apart) { expect_named({13, 11, 9}); }

INSTANTIATE_TEST_SUITE_P(Each, OrientationProbeOf48, testing::Range(1, 48));

TEST(OrientationProbe, is_silent_for_a_good_prediction) {
  Random random(12, "good");
  const LabelMap reference = noise(random, {11, 11, 11}, 0.1);
  EXPECT_FALSE(probe_orientation(Channels{reference}, Channels{reference}));
  EXPECT_FALSE(probe_orientation(Channels{reference}, Channels{thinned(reference)}));
}

TEST(OrientationProbe, is_silent_for_noise) {
  Random random(13, "noise");
  for (int round = 0; round < 20; ++round) {
    const LabelMap reference = noise(random, {24, 20, 16}, 0.05);
    const LabelMap prediction = noise(random, {24, 20, 16}, 0.05);
    EXPECT_FALSE(probe_orientation(Channels{reference}, Channels{prediction})) << "round " << round;
  }
}

TEST(OrientationProbe, is_silent_when_a_side_is_empty) {
  Random random(14, "empty");
  const LabelMap full = noise(random, {8, 8, 8}, 0.2);
  const LabelMap empty(Grid{{8, 8, 8}, {}});
  EXPECT_FALSE(probe_orientation(Channels{full}, Channels{empty}));
  EXPECT_FALSE(probe_orientation(Channels{empty}, Channels{full}));
  EXPECT_FALSE(probe_orientation(Channels{empty}, Channels{empty}));
}

TEST(OrientationProbe, is_silent_without_corresponding_channels) {
  Random random(15, "channels");
  const LabelMap one = noise(random, {8, 8, 8}, 0.2);
  EXPECT_FALSE(probe_orientation(Channels{}, Channels{}));
  EXPECT_FALSE(probe_orientation(Channels{one, one}, Channels{one}));
}

TEST(OrientationProbe, counts_findings_that_are_empty_on_one_side_as_zero) {
  Random random(16, "two findings");
  const Extent extent{11, 11, 11};
  const LabelMap first = noise(random, extent, 0.1);
  const LabelMap second = noise(random, extent, 0.1);
  const LabelMap empty(Grid{extent, {}});
  const Reorientation flip{.source = {0, 1, 2}, .reversed = {true, false, false}};
  const auto verdict =
      probe_orientation(Channels{first, second, empty}, Channels{rearranged(first, flip), empty, empty});
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->transform.name(), "flip x");
  EXPECT_EQ(verdict->dice_transformed, 0.5);
}

TEST(OrientationProbe, is_exact_where_it_compares_candidates_by_a_sample) {
  const Extent extent{100, 40, 30};
  const LabelMap reference = Drawing(extent).box({3, 2, 1}, {45, 38, 29}).map();
  const Reorientation flip{.source = {0, 1, 2}, .reversed = {true, false, false}};
  const LabelMap shifted = Drawing(extent).box({4, 2, 1}, {45, 38, 29}).map();
  const auto verdict = probe_orientation(Channels{reference}, Channels{rearranged(shifted, flip)});
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->transform.name(), "flip x");
  EXPECT_EQ(verdict->dice_transformed, dice(reference, shifted));
}

}  // namespace
}  // namespace fiducial
