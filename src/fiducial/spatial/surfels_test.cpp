#include "fiducial/spatial/surfels.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fiducial/base/reference_values.h"
#include "fiducial/spatial/surface_example.h"

namespace fiducial {
namespace {

std::uint64_t inside(const PointLattice& voxels, std::int64_t x, std::int64_t y, std::int64_t z) {
  if (!voxels.has_row(y, z) || x < 0 || x >= voxels.extent().x) return 0;
  return voxels.row(y, z)[x / 64] >> (x % 64) & 1;
}

std::uint8_t obvious_code(const PointLattice& voxels, std::int64_t x, std::int64_t y, std::int64_t z) {
  std::uint64_t code = 0;
  for (const std::int64_t dx : {1, 0}) {
    for (const std::int64_t dy : {1, 0}) {
      for (const std::int64_t dz : {1, 0}) code = code << 1 | inside(voxels, x - dx, y - dy, z - dz);
    }
  }
  return static_cast<std::uint8_t>(code);
}

TEST(Surfels, are_the_corners_with_voxels_inside_and_outside_around_them) {
  Random random(41, "surfels");
  for (const Extent& extent : {Extent{128, 5, 4}, Extent{63, 3, 3}, Extent{7, 6, 5}}) {
    for (const double density : {0.1, 0.5, 0.95, 1.0}) {
      const PointLattice voxels = random_lattice(random, extent, density);
      const Surfels found = surfels(voxels);
      std::vector<std::uint8_t> expected;
      for (std::int64_t z = 0; z <= extent.z; ++z) {
        for (std::int64_t y = 0; y <= extent.y; ++y) {
          for (std::int64_t x = 0; x <= extent.x; ++x) {
            const std::uint8_t code = obvious_code(voxels, x, y, z);
            const bool on_surface = code != 0 && code != 255;
            ASSERT_EQ(inside(found.corners, x, y, z) == 1, on_surface);
            if (on_surface) expected.push_back(code);
          }
        }
      }
      EXPECT_EQ(found.codes, expected);
    }
  }
}

TEST(SurfelAreas, equal_those_of_surface_distance_for_every_code) {
  const Json document = reference_values("surface.json");
  for (const Json& recorded : *document.find("areas")->as_array()) {
    const auto& spacing = *recorded.find("spacing_mm")->as_array();
    const auto areas =
        surfel_areas_mm2({*spacing[0].as_number(), *spacing[1].as_number(), *spacing[2].as_number()});
    const auto& expected = *recorded.find("areas")->as_array();
    ASSERT_EQ(expected.size(), areas.size());
    for (std::size_t code = 0; code < areas.size(); ++code) {
      EXPECT_NEAR(areas[code], *expected[code].as_number(), 1e-14) << "code " << code;
    }
  }
}

TEST(SurfelAreas, of_a_code_and_its_complement_agree) {
  const auto areas = surfel_areas_mm2({0.7, 0.8, 1.9});
  for (std::size_t code = 0; code < 256; ++code) EXPECT_EQ(areas[code], areas[255 - code]) << code;
}

TEST(SurfelAreas, of_a_flat_wall_are_a_face_of_the_cell) {
  const auto areas = surfel_areas_mm2({2, 3, 5});
  EXPECT_DOUBLE_EQ(areas[0b00001111], 15);
  EXPECT_DOUBLE_EQ(areas[0b00110011], 10);
  EXPECT_DOUBLE_EQ(areas[0b01010101], 6);
}

TEST(Contour, has_straight_diagonal_and_double_diagonal_lengths) {
  const auto lengths = surfel_areas_mm2({2, 3, 1});
  const double diagonal = 0.5 * std::sqrt(4.0 + 9.0);
  const auto length = [&](std::vector<ExampleBox> boxes) {
    const Mask mask = mask_of({6, 6, 1}, boxes);
    double sum = 0;
    for (const std::uint8_t code : contour(lattice_of(mask, whole(mask))).codes) sum += lengths[code];
    return sum;
  };
  EXPECT_DOUBLE_EQ(length({{{2, 2, 0}, {1, 1, 1}}}), 4 * diagonal);
  EXPECT_DOUBLE_EQ(length({{{2, 2, 0}, {2, 1, 1}}}), 4 * diagonal + 2 * 2);
  EXPECT_DOUBLE_EQ(length({{{2, 2, 0}, {1, 2, 1}}}), 4 * diagonal + 2 * 3);
  EXPECT_DOUBLE_EQ(length({{{2, 2, 0}, {1, 1, 1}}, {{3, 3, 0}, {1, 1, 1}}}), 8 * diagonal);
}

}  // namespace
}  // namespace fiducial
