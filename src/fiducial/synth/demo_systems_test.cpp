#include "fiducial/synth/demo_systems.h"

#include <gtest/gtest.h>

#include "fiducial/image/mask.h"
#include "fiducial/synth/dense_labels.h"

namespace fiducial {
namespace {

const Extent small_extent{96, 80, 52};

struct Scored {
  double good = 0;
  double weak = 0;
  double flipped = 0;
};

double dice(const Mask& a, const Mask& b) {
  const auto both = static_cast<double>(intersected(a, b).count());
  return 2 * both / static_cast<double>(a.count() + b.count());
}

TEST(DemoSystems, rank_good_over_weak_over_flipped) {
  Scored sum;
  double findings = 0;
  for (const DemoCasePlan& plan : plan_cases(1, {.train = 0, .val = 0, .test = 6})) {
    const DemoCase demo = make_case(1, plan, small_extent);
    const auto good = predicted(DemoSystem::good, 1, plan, demo);
    const auto weak = predicted(DemoSystem::weak, 1, plan, demo);
    const auto flipped = predicted(DemoSystem::flipped, 1, plan, demo);
    for (std::size_t i = 0; i < demo.findings.size(); ++i) {
      const Mask truth = labels_from_dense(good[i].grid(), demo.findings[i].entities).foreground();
      sum.good += dice(truth, good[i].foreground());
      sum.weak += dice(truth, weak[i].foreground());
      sum.flipped += dice(truth, flipped[i].foreground());
      findings += 1;
    }
  }
  EXPECT_GT(sum.good / findings, 0.6);
  EXPECT_GT(sum.weak / findings, 0.08);
  EXPECT_LT(sum.weak / findings, 0.45);
  EXPECT_LT(sum.flipped / findings, 0.05);
}

TEST(DemoSystems, reverse_x_and_y_exactly_in_the_flipped_one) {
  const auto plan = plan_cases(3, {}).back();
  const DemoCase demo = make_case(3, plan, small_extent);
  const auto good = predicted(DemoSystem::good, 3, plan, demo);
  const auto flipped = predicted(DemoSystem::flipped, 3, plan, demo);
  ASSERT_EQ(good.size(), flipped.size());
  for (std::size_t i = 0; i < good.size(); ++i) {
    const auto a = good[i].foreground().dense();
    const auto b = flipped[i].foreground().dense();
    for (std::int64_t z = 0; z < small_extent.z; ++z) {
      for (std::int64_t y = 0; y < small_extent.y; ++y) {
        for (std::int64_t x = 0; x < small_extent.x; ++x) {
          ASSERT_EQ(a[demo.chest.frame.index({x, y, z})],
                    b[demo.chest.frame.index({small_extent.x - 1 - x, small_extent.y - 1 - y, z})]);
        }
      }
    }
  }
}

TEST(DemoSystems, predict_one_mask_per_finding_on_the_identity_grid) {
  const auto plan = plan_cases(5, {}).back();
  const DemoCase demo = make_case(5, plan, small_extent);
  for (const DemoSystem system : all_demo_systems) {
    const auto channels = predicted(system, 5, plan, demo);
    ASSERT_EQ(channels.size(), demo.findings.size());
    for (const LabelMap& channel : channels) {
      EXPECT_EQ(channel.extent(), small_extent);
      EXPECT_TRUE(channel.grid().affine.is_identity());
    }
  }
}

}  // namespace
}  // namespace fiducial
