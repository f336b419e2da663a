#include "fiducial/image/volume_slice.h"

#include <gtest/gtest.h>

#include "fiducial/image/nifti_example.h"

namespace fiducial {
namespace {

// Voxel (x, y, z) holds x + 10 y + 100 z.
Bytes counting_volume(VoxelType type, double slope = 0, double intercept = 0) {
  NiftiHeader header = example_header({4, 3, 5}, type);
  header.slope = slope;
  header.intercept = intercept;
  std::vector<double> values;
  for (int z = 0; z < 5; ++z) {
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 4; ++x) values.push_back(x + 10 * y + 100 * z);
    }
  }
  return example_file(header, values);
}

Result<std::vector<VolumePlane>> planes_of(Bytes file, const std::vector<PlanePlace>& wanted) {
  FIDUCIAL_TRY(NiftiStream stream, open_bytes(std::move(file)));
  return read_volume_planes(stream, wanted);
}

TEST(VolumePlanes, are_read_across_every_axis_in_the_order_asked_for) {
  const auto planes = planes_of(counting_volume(VoxelType::int16), {{2, 3}, {0, 1}, {1, 2}});
  ASSERT_TRUE(planes.ok());
  ASSERT_EQ(planes->size(), 3U);
  const VolumePlane& axial = planes->at(0);
  EXPECT_EQ(axial.width * 10 + axial.height, 43);
  EXPECT_EQ(axial.values[4 * 2 + 3], 323);
  const VolumePlane& across_x = planes->at(1);
  EXPECT_EQ(across_x.width * 10 + across_x.height, 35);
  EXPECT_EQ(across_x.values[3 * 4 + 2], 421);
  const VolumePlane& across_y = planes->at(2);
  EXPECT_EQ(across_y.width * 10 + across_y.height, 45);
  EXPECT_EQ(across_y.values[4 * 1 + 3], 123);
}

TEST(VolumePlanes, are_scaled_once_by_slope_and_intercept) {
  const auto planes = planes_of(counting_volume(VoxelType::int16, 2, -1024), {{2, 1}});
  EXPECT_EQ(planes->at(0).values[0], 100 * 2 - 1024);
}

TEST(VolumePlanes, are_the_same_for_every_voxel_type_that_holds_the_values) {
  for (const VoxelType type : {VoxelType::int16, VoxelType::uint16, VoxelType::int32, VoxelType::uint32,
                               VoxelType::int64, VoxelType::float32, VoxelType::float64}) {
    EXPECT_EQ(planes_of(counting_volume(type), {{2, 2}})->at(0).values[5], 211) << to_string(type);
  }
}

TEST(VolumePlanes, need_nothing_behind_the_last_slice_that_is_wanted) {
  Bytes file = counting_volume(VoxelType::int16);
  const std::uint64_t size = file.size();
  file.resize(352 + 2 * 12 * 2);
  auto stream = NiftiStream::open(std::make_unique<OwnedStream>(std::move(file)), size);
  ASSERT_TRUE(stream.ok());
  const PlanePlace wanted[] = {{2, 1}};
  EXPECT_TRUE(read_volume_planes(*&stream.value(), wanted).ok());
}

TEST(VolumePlanes, refuse_a_place_outside_the_volume) {
  EXPECT_FALSE(planes_of(counting_volume(VoxelType::int16), {{2, 5}}).ok());
  EXPECT_FALSE(planes_of(counting_volume(VoxelType::int16), {{2, -1}}).ok());
  EXPECT_FALSE(planes_of(counting_volume(VoxelType::int16), {{3, 0}}).ok());
}

TEST(VolumePlanes, refuse_arrays_that_are_no_volume) {
  EXPECT_FALSE(planes_of(example_file(example_header({2, 2, 2, 2}), std::vector<double>(16)), {{2, 0}}).ok());
}

}  // namespace
}  // namespace fiducial
