// Our reader against what nibabel reads: tests/reference/nifti.json, made by make_nifti_reference.py beside
// it.

#include <gtest/gtest.h>

#include "fiducial/base/reference_values.h"
#include "fiducial/base/sha256.h"
#include "fiducial/geometry/orientation.h"
#include "fiducial/image/nifti_example.h"

namespace fiducial {
namespace {

std::vector<double> scaled_values(const NiftiImage& image) {
  const NiftiHeader& header = image.header();
  return with_voxel_type(header.type, [&](auto zero) {
    using T = decltype(zero);
    std::vector<double> out;
    for (std::int64_t i = 0; i < header.voxel_count(); ++i) {
      const auto raw = static_cast<double>(load<T>(image.bytes(), static_cast<std::size_t>(i) * sizeof(T)));
      out.push_back(header.scales() ? raw * header.slope + header.intercept : raw);
    }
    return out;
  });
}

std::vector<std::int64_t> integers(const Json& array) {
  std::vector<std::int64_t> out;
  for (const Json& item : *array.as_array()) out.push_back(*item.as_integer());
  return out;
}

void expect_affine(const Affine& affine, const Json& rows) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_NEAR(affine.m[i][j], *rows.as_array()->at(i).as_array()->at(j).as_number(), 1e-9)
          << i << ", " << j;
    }
  }
}

TEST(NiftiReference, every_file_has_the_shape_affine_codes_and_scaled_values_nibabel_reads) {
  const Json document = reference_values("nifti.json");
  ASSERT_GE(document.find("cases")->as_array()->size(), 90U);
  for (const Json& expected : *document.find("cases")->as_array()) {
    SCOPED_TRACE(*expected.find("name")->as_string());
    const auto image = read_bytes(base64_decoded(*expected.find("file")->as_string()));
    ASSERT_TRUE(image.ok()) << image.error().text();
    const NiftiHeader& header = image->header();
    const auto shape = integers(*expected.find("shape"));
    EXPECT_EQ(std::vector(header.dim.begin() + 1, header.dim.begin() + 1 + header.rank()), shape);
    expect_affine(header.affine, *expected.find("affine"));
    EXPECT_EQ(OrientationCode::of(header.affine).text(), *expected.find("axcodes")->as_string());
    const std::vector<double> values = scaled_values(*image);
    EXPECT_EQ(sha256(std::as_bytes(std::span(values))).hex(), *expected.find("sha256")->as_string());
  }
}

}  // namespace
}  // namespace fiducial
