#include "fiducial/server/library.h"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "fiducial/base/temporary_folder.h"
#include "fiducial/image/nifti_example.h"
#include "fiducial/server/paging.h"

namespace fiducial {
namespace {

TEST(MaskPlace, lies_inside_the_mask_on_its_largest_slice) {
  const Grid grid{.extent = {9, 9, 3}, .affine = {}};
  // A ring on slice 1, whose middle is not in it, and a voxel on slice 2.
  std::vector<LabelRun> runs;
  for (std::int32_t y = 2; y <= 6; ++y) {
    if (y == 2 || y == 6) {
      runs.push_back({9 + y, 2, 7, 1});
    } else {
      runs.push_back({9 + y, 2, 3, 1});
      runs.push_back({9 + y, 6, 7, 1});
    }
  }
  runs.push_back({18, 0, 1, 1});
  const auto place = place_of(LabelMap(grid, runs)).value();
  EXPECT_EQ(place.largest_slice, 1);
  EXPECT_EQ(place.voxels, 17);
  EXPECT_EQ(place.voxel, (std::array<std::int64_t, 3>{4, 2, 1}));
  EXPECT_FALSE(place_of(LabelMap(grid)).has_value());
}

// A NIfTI file of 4 x 4 x z voxels, each with the value of its slice.
Path volume_file(const TemporaryFolder& folder, const std::string& name, std::int64_t z) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < 16 * z; ++i) values.push_back(static_cast<double>(i / 16));
  NiftiImage image = NiftiImage::make(example_header({4, 4, z}, VoxelType::int16));
  const Bytes bytes = voxel_bytes_of(values, VoxelType::int16);
  std::ranges::copy(bytes, image.bytes().begin());
  const Path path = folder.path() / name;
  EXPECT_TRUE(write_nifti(path, image).ok());
  return path;
}

TEST(VolumeStore, gives_slices_of_a_volume_and_keeps_what_its_budget_holds) {
  const TemporaryFolder folder;
  VolumeStore store(2500);
  const Path a = volume_file(folder, "a.nii.gz", 40);
  const Path b = volume_file(folder, "b.nii.gz", 50);
  const auto first = store.open(a).value();
  EXPECT_EQ(first->slices(39, 40).value().front(), 39);
  EXPECT_EQ(store.open(a).value(), first);
  EXPECT_EQ(store.open(b).value()->slices(0, 50)->size(), 800U);
  EXPECT_NE(store.open(a).value(), first);
}

TEST(VolumeStore, refuses_a_volume_over_its_budget_and_one_that_is_cut_short) {
  const TemporaryFolder folder;
  const Path path = volume_file(folder, "a.nii", 40);
  EXPECT_EQ(VolumeStore(1000).open(path).error().code(), ErrorCode::unavailable);
  const Path cut = volume_file(folder, "b.nii.gz", 2000);
  std::filesystem::resize_file(cut, std::filesystem::file_size(cut) / 2);
  VolumeStore store(1'000'000);
  const auto opened = store.open(cut);
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(opened.value()->slices(1999, 2000).error().code(), ErrorCode::invalid_data);
}

TEST(DocumentStore, makes_a_document_once) {
  DocumentStore store;
  std::atomic<int> made{0};
  const auto make = [&made]() -> Result<Json> { return Json(std::int64_t{++made}); };
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { EXPECT_TRUE(store.kept_or_made("a", make).ok()); });
  threads.clear();
  EXPECT_EQ(made, 1);
  EXPECT_TRUE(store.kept_or_made("b", make).ok());
  EXPECT_EQ(made, 2);
}

TEST(FoundPaths, refuses_what_is_not_there_and_what_has_nothing_to_show) {
  const TemporaryFolder folder;
  EXPECT_FALSE(find_paths({folder.path() / "nowhere"}).ok());
  EXPECT_FALSE(find_paths({folder.path()}).ok());
}

}  // namespace
}  // namespace fiducial
