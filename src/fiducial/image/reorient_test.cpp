#include "fiducial/image/reorient.h"

#include <gtest/gtest.h>

#include "fiducial/image/nifti_example.h"

namespace fiducial {
namespace {

OrientationCode code(std::string_view text) { return OrientationCode::parse(text).value(); }

NiftiImage random_image(const std::vector<std::int64_t>& shape, VoxelType type, std::uint64_t seed) {
  NiftiHeader header = example_header(shape, type);
  header.set_affine({{{{0.9, 0.1, -0.2, 10}, {-0.1, 1.9, 0.1, 20}, {0.2, 0.1, 2.9, 30}}}});
  NiftiImage image = NiftiImage::make(header);
  Random random(seed);
  for (std::byte& byte : image.bytes()) byte = static_cast<std::byte>(random.below(256));
  return image;
}

std::string_view voxel(const NiftiImage& image, std::array<std::int64_t, 3> at, std::int64_t volume) {
  const Extent extent = image.header().extent();
  const std::int64_t index = ((volume * extent.z + at[2]) * extent.y + at[1]) * extent.x + at[0];
  const auto size = static_cast<std::size_t>(size_bytes(image.header().type));
  return as_text(image.bytes().subspan(static_cast<std::size_t>(index) * size, size));
}

TEST(Reoriented, moves_every_voxel_of_every_type_to_its_place) {
  for (const VoxelType type : {VoxelType::uint8, VoxelType::int16, VoxelType::rgb24, VoxelType::float32,
                               VoxelType::float64, VoxelType::complex128, VoxelType::complex256}) {
    const NiftiImage image = random_image({3, 4, 5, 2}, type, 1);
    for (const Reorientation& how : Reorientation::all()) {
      const NiftiImage turned = reoriented(image, how);
      const Extent extent = turned.header().extent();
      ASSERT_EQ(extent, how.apply(image.header().extent()));
      for (std::int64_t i = 0; i < extent.count() * 2; ++i) {
        const std::array<std::int64_t, 3> at{i % extent.x, i / extent.x % extent.y,
                                             i / extent.x / extent.y % extent.z};
        const auto from = how.source_voxel(image.header().extent(), at);
        ASSERT_EQ(voxel(turned, at, i / extent.count()), voxel(image, from, i / extent.count()))
            << how.name();
      }
    }
  }
}

TEST(Reoriented, is_undone_by_the_inverse) {
  const NiftiImage image = random_image({3, 4, 5}, VoxelType::int16, 2);
  for (const Reorientation& how : Reorientation::all()) {
    const NiftiImage again = reoriented(reoriented(image, how), how.inverse());
    EXPECT_EQ(as_text(again.bytes()), as_text(image.bytes()));
    EXPECT_TRUE(same_grid(again.header().grid(), image.header().grid(), 1e-9));
  }
}

TEST(Reoriented, reaches_the_code_that_was_asked_for) {
  const NiftiImage image = random_image({3, 4, 5}, VoxelType::uint8, 3);
  for (const char* text : {"RAS", "LPS", "PIR", "SAL"}) {
    EXPECT_EQ(OrientationCode::of(reoriented(image, code(text)).value().header().affine).text(), text);
  }
}

TEST(Reoriented, gives_a_flat_image_three_axes) {
  const NiftiImage image = random_image({3, 4}, VoxelType::uint8, 4);
  const NiftiImage turned = reoriented(image, code("SRA")).value();
  EXPECT_EQ(turned.header().shape_text(), "1 x 3 x 4");
}

TEST(Reoriented, carries_the_kind_of_space_along) {
  NiftiImage image = random_image({3, 4, 5}, VoxelType::uint8, 5);
  image.header().sform_code = 2;
  EXPECT_EQ(reoriented(image, code("LPS")).value().header().sform_code, 2);
  image.header().sform_code = 0;
  image.header().qform_code = 3;
  EXPECT_EQ(reoriented(image, code("LPS")).value().header().sform_code, 3);
}

TEST(Reoriented, refuses_a_singular_affine) {
  NiftiImage image = random_image({3, 4, 5}, VoxelType::uint8, 6);
  image.header().set_affine(Affine::scaling({1, 0, 1}));
  EXPECT_EQ(reoriented(image, code("RAS")).error().message(),
            "the affine is singular, so the axes have no direction");
}

TEST(DataPack, six_orientations_of_one_head_are_equal_as_ras) {
  std::optional<NiftiImage> first;
  for (const char* name : {"RAS", "LPS", "ARI", "LSA", "PIR", "RIP"}) {
    const std::string file = "nifti/niivue/" + std::string(name) + ".nii.gz";
    const auto path = data_pack_file(file);
    if (!path) GTEST_SKIP() << "data pack without " << file;
    const NiftiImage image = read_nifti(*path).value();
    EXPECT_EQ(OrientationCode::of(image.header().affine).text(), name);
    NiftiImage turned = reoriented(image, code("RAS")).value();
    if (!first) {
      first.emplace(std::move(turned));
      continue;
    }
    EXPECT_TRUE(as_text(turned.bytes()) == as_text(first->bytes())) << name;
    EXPECT_TRUE(same_grid(turned.header().grid(), first->header().grid(), 1e-3)) << name;
  }
}

}  // namespace
}  // namespace fiducial
