#include "fiducial/geometry/orientation.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

using Voxel = std::array<std::int64_t, 3>;

const Grid oblique{{4, 5, 6}, {{{{0.9, 0.1, -0.2, 10}, {-0.1, 1.9, 0.1, 20}, {0.2, 0.1, 2.9, 30}}}}};

std::vector<std::string> every_code() {
  std::vector<std::string> out;
  std::string axes = "012";
  do {
    for (unsigned flips = 0; flips < 8; ++flips) {
      std::string code;
      for (unsigned i = 0; i < 3; ++i) {
        code += std::string((flips >> i & 1U) != 0 ? "LPI" : "RAS")[static_cast<std::size_t>(axes[i] - '0')];
      }
      out.push_back(code);
    }
  } while (std::next_permutation(axes.begin(), axes.end()));
  return out;
}

OrientationCode code(std::string_view text) { return OrientationCode::parse(text).value(); }

TEST(Reorientation, has_forty_eight_members_with_names_of_their_own) {
  std::set<std::string> names;
  for (const Reorientation& how : Reorientation::all()) names.insert(how.name());
  EXPECT_EQ(Reorientation::all().size(), 48U);
  EXPECT_EQ(names.size(), 48U);
}

TEST(Reorientation, lists_the_identity_first_and_pure_flips_before_permutations) {
  const auto& all = Reorientation::all();
  EXPECT_TRUE(all[0].is_identity());
  for (std::size_t i = 0; i < 48; ++i) EXPECT_EQ((all[i].source == std::array<int, 3>{0, 1, 2}), i < 8);
}

TEST(Reorientation, is_named_in_words) {
  EXPECT_EQ((Reorientation{}.name()), "none");
  EXPECT_EQ((Reorientation{{0, 1, 2}, {true, false, false}}.name()), "flip x");
  EXPECT_EQ((Reorientation{{0, 1, 2}, {true, true, true}}.name()), "flip x and y and z");
  EXPECT_EQ((Reorientation{{2, 1, 0}, {false, false, false}}.name()), "swap x and z");
  EXPECT_EQ((Reorientation{{2, 0, 1}, {false, true, false}}.name()), "axes zxy, flip y");
}

TEST(Reorientation, moves_every_voxel_back_by_its_inverse) {
  for (const Reorientation& how : Reorientation::all()) {
    EXPECT_EQ(how.inverse().inverse(), how);
    const Extent turned = how.apply(oblique.extent);
    EXPECT_EQ(how.inverse().apply(turned), oblique.extent);
    for (std::int64_t z = 0; z < turned.z; ++z) {
      for (std::int64_t y = 0; y < turned.y; ++y) {
        for (std::int64_t x = 0; x < turned.x; ++x) {
          const Voxel from = how.source_voxel(oblique.extent, {x, y, z});
          ASSERT_EQ(how.inverse().source_voxel(turned, from), (Voxel{x, y, z})) << how.name();
        }
      }
    }
  }
}

TEST(Reorientation, reads_the_named_source_axes) {
  const Reorientation how{{2, 0, 1}, {false, true, false}};
  EXPECT_EQ(how.apply(Extent{4, 5, 6}), (Extent{6, 4, 5}));
  EXPECT_EQ(how.source_voxel({4, 5, 6}, {1, 2, 3}), (Voxel{4 - 1 - 2, 3, 1}));
}

TEST(Reorientation, keeps_every_voxel_at_its_place_in_the_patient) {
  for (const Reorientation& how : Reorientation::all()) {
    const Grid turned = how.apply(oblique);
    for (const Voxel voxel : {Voxel{0, 0, 0}, Voxel{1, 2, 3}, Voxel{3, 3, 3}}) {
      const Voxel from = how.source_voxel(oblique.extent, voxel);
      const Vec3 a = turned.affine.apply(
          {static_cast<double>(voxel[0]), static_cast<double>(voxel[1]), static_cast<double>(voxel[2])});
      const Vec3 b = oblique.affine.apply(
          {static_cast<double>(from[0]), static_cast<double>(from[1]), static_cast<double>(from[2])});
      for (std::size_t i = 0; i < 3; ++i) ASSERT_NEAR(a[i], b[i], 1e-12) << how.name();
    }
  }
}

TEST(Reorientation, gives_the_grid_back_by_its_inverse) {
  for (const Reorientation& how : Reorientation::all()) {
    EXPECT_TRUE(same_grid(how.inverse().apply(how.apply(oblique)), oblique, 1e-12)) << how.name();
  }
}

TEST(Reorientation, writes_no_negative_zeros) {
  for (const Reorientation& how : Reorientation::all()) {
    for (const auto& row : how.apply(Grid{{4, 5, 6}, {}}).affine.m) {
      for (const double value : row) EXPECT_TRUE(value != 0 || !std::signbit(value)) << how.name();
    }
  }
}

TEST(OrientationCode, reads_and_writes_all_forty_eight) {
  for (const std::string& text : every_code()) EXPECT_EQ(code(text).text(), text);
}

TEST(OrientationCode, refuses_what_names_no_three_axes) {
  for (const char* text : {"", "RA", "RASX", "RRS", "RLS", "ras", "RAX", "XYZ"}) {
    const auto result = OrientationCode::parse(text);
    ASSERT_FALSE(result.ok()) << text;
    EXPECT_EQ(result.error().code(), ErrorCode::bad_usage);
    EXPECT_EQ(result.error().message(),
              "'" + std::string(text) + "' is no orientation: three letters, one each of R/L, A/P, S/I");
  }
}

TEST(OrientationCode, follows_the_directions_of_an_affine) {
  EXPECT_EQ(OrientationCode::of(Affine::identity()).text(), "RAS");
  EXPECT_EQ(OrientationCode::of(Affine::scaling({-1, -2, 3})).text(), "LPS");
  EXPECT_EQ(OrientationCode::of({{{{0, 0, -3, 0}, {1, 0, 0, 0}, {0, -2, 0, 0}}}}).text(), "AIL");
  EXPECT_EQ(OrientationCode::of(oblique.affine).text(), "RAS");
}

TEST(OrientationCode, does_not_let_long_voxel_edges_decide) {
  EXPECT_EQ(OrientationCode::of({{{{0.9, 4, 0, 0}, {-0.1, 10, 0, 0}, {0, 0, 1, 0}}}}).text(), "RAS");
}

TEST(Reorient, leads_from_every_code_to_every_other) {
  for (const std::string& from : every_code()) {
    for (const std::string& to : every_code()) {
      const Grid start = reorientation(code("RAS"), code(from)).apply(Grid{{4, 5, 6}, {}});
      ASSERT_EQ(OrientationCode::of(start.affine).text(), from);
      const Reorientation how = reorientation(code(from), code(to));
      ASSERT_EQ(OrientationCode::of(how.apply(start).affine).text(), to);
      ASSERT_EQ(how.inverse(), reorientation(code(to), code(from)));
      ASSERT_EQ(how.is_identity(), from == to);
    }
  }
}

}  // namespace
}  // namespace fiducial
