#include "fiducial/dicom/hounsfield_volume.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

template <typename T>
Bytes bytes_of(std::initializer_list<T> values) {
  Bytes out(values.size() * sizeof(T));
  std::memcpy(out.data(), std::data(values), out.size());
  return out;
}

StoredSlice slice(const Bytes& bytes, int size, int bits, bool is_signed) {
  return {.bytes_per_value = size, .bits_stored = bits, .is_signed = is_signed, .bytes = bytes};
}

template <typename T>
std::vector<T> values(const NiftiImage& image) {
  std::vector<T> out(image.bytes().size() / sizeof(T));
  std::memcpy(out.data(), image.bytes().data(), image.bytes().size());
  return out;
}

const Grid row_of_three{{3, 1, 1}, Affine::identity()};

TEST(HounsfieldVolume, takes_no_memory_before_a_slice_was_decoded) {
  EXPECT_NO_THROW(HounsfieldVolume({60'000, 60'000, 1'000}));
}

TEST(HounsfieldVolume, applies_slope_and_intercept) {
  const Bytes raw = bytes_of<std::uint16_t>({0, 1024, 4095});
  HounsfieldVolume volume({3, 1, 1});
  volume.put(0, slice(raw, 2, 12, false), 2, -1024);
  EXPECT_EQ(values<std::int16_t>(std::move(volume).image(row_of_three)),
            (std::vector<std::int16_t>{-1024, 1024, 7166}));
}

TEST(HounsfieldVolume, extends_the_sign_and_drops_bits_above_those_stored) {
  const Bytes raw = bytes_of<std::uint16_t>({0x0FFF, 0xF7FF, 0x5800});
  HounsfieldVolume volume({3, 1, 1});
  volume.put(0, slice(raw, 2, 12, true), 1, 0);
  EXPECT_EQ(values<std::int16_t>(std::move(volume).image(row_of_three)),
            (std::vector<std::int16_t>{-1, 2047, -2048}));
}

TEST(HounsfieldVolume, reads_one_and_four_bytes_a_value) {
  HounsfieldVolume small({3, 1, 1});
  small.put(0, slice(bytes_of<std::int8_t>({-128, -1, 127}), 1, 8, true), 1, 0);
  EXPECT_EQ(values<std::int16_t>(std::move(small).image(row_of_three)),
            (std::vector<std::int16_t>{-128, -1, 127}));
  HounsfieldVolume large({3, 1, 1});
  large.put(0, slice(bytes_of<std::int32_t>({-70000, 0, 70000}), 4, 32, true), 1, 0);
  EXPECT_EQ(values<float>(std::move(large).image(row_of_three)), (std::vector<float>{-70000, 0, 70000}));
}

TEST(HounsfieldVolume, becomes_real_at_the_first_value_that_is_not_whole) {
  const Bytes raw = bytes_of<std::uint16_t>({0, 1, 2});
  HounsfieldVolume volume({3, 1, 2});
  volume.put(1, slice(raw, 2, 16, false), 1, -5);
  volume.put(0, slice(raw, 2, 16, false), 0.5, 0);
  const NiftiImage image = std::move(volume).image({{3, 1, 2}, Affine::identity()});
  EXPECT_EQ(image.header().type, VoxelType::float32);
  EXPECT_EQ(values<float>(image), (std::vector<float>{0, 0.5, 1, -5, -4, -3}));
}

}  // namespace
}  // namespace fiducial
