// Our readers of NRRD and MetaImage against SimpleITK's: tests/reference/volume_formats.json, made by
// make_volume_format_reference.py beside it.

#include <gtest/gtest.h>

#include "fiducial/base/reference_values.h"
#include "fiducial/base/sha256.h"
#include "fiducial/image/nifti_example.h"

namespace fiducial {
namespace {

std::string hash_of_values(const NiftiImage& image) {
  return with_voxel_type(image.header().type, [&](auto zero) {
    using T = decltype(zero);
    std::vector<double> out;
    for (std::int64_t i = 0; i < image.header().voxel_count(); ++i) {
      out.push_back(static_cast<double>(load<T>(image.bytes(), static_cast<std::size_t>(i) * sizeof(T))));
    }
    return sha256(std::as_bytes(std::span(out))).hex();
  });
}

TEST(VolumeFormatReference, every_file_has_the_shape_place_and_values_that_simpleitk_reads) {
  const Json document = reference_values("volume_formats.json");
  ASSERT_GE(document.find("cases")->as_array()->size(), 50U);
  for (const Json& expected : *document.find("cases")->as_array()) {
    SCOPED_TRACE(*expected.find("name")->as_string());
    const auto image = read_bytes(base64_decoded(*expected.find("file")->as_string()));
    ASSERT_TRUE(image.ok()) << image.error().text();
    const NiftiHeader& header = image->header();
    std::vector<std::int64_t> shape;
    if (const auto channels = *expected.find("channels")->as_integer(); channels > 1)
      shape.push_back(channels);
    for (const Json& size : *expected.find("shape")->as_array()) shape.push_back(*size.as_integer());
    EXPECT_EQ(std::vector(header.dim.begin() + 1, header.dim.begin() + 1 + header.rank()), shape);
    EXPECT_TRUE(header.claims_place());
    const auto& rows = *expected.find("affine")->as_array();
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        EXPECT_NEAR(header.affine.m[i][j], *rows[i].as_array()->at(j).as_number(), 1e-9) << i << ", " << j;
      }
    }
    EXPECT_EQ(hash_of_values(*image), *expected.find("sha256")->as_string());
  }
}

}  // namespace
}  // namespace fiducial
