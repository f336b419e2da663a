#include "fiducial/wire/runs_container.h"

#include <gtest/gtest.h>

#include "fiducial/base/random.h"

namespace fiducial::wire {
namespace {

// A label map drawn voxel by voxel, and its voxels.
struct Drawn {
  LabelMap labels;
  std::vector<std::int32_t> voxels;
};

Drawn drawn(Random& random, const Extent& extent) {
  std::vector<std::int32_t> voxels(static_cast<std::size_t>(extent.count()));
  const std::uint64_t density = 1 + random.below(20);
  for (auto& voxel : voxels) {
    if (random.below(20) < density) voxel = static_cast<std::int32_t>(1 + random.below(3));
  }
  std::vector<LabelRun> runs;
  for (std::int64_t row = 0; row < extent.rows(); ++row) {
    for (std::int64_t x = 0; x < extent.x; ++x) {
      const std::int32_t label = voxels[static_cast<std::size_t>(row * extent.x + x)];
      const auto at = static_cast<std::int32_t>(x);
      if (label == 0) continue;
      if (!runs.empty() && runs.back().row == row && runs.back().end == at && runs.back().label == label) {
        ++runs.back().end;
      } else {
        runs.push_back({static_cast<std::int32_t>(row), at, at + 1, label});
      }
    }
  }
  return {LabelMap({.extent = extent, .affine = {}}, std::move(runs)), std::move(voxels)};
}

TEST(RunsContainer, gives_back_what_went_in) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Extent extent{random.between(1, 40), random.between(1, 12), random.between(1, 6)};
    const Drawn a = drawn(random, extent);
    const Drawn b = drawn(random, extent);
    const NumberedMask masks[] = {{7, &a.labels}, {0, &b.labels}};
    const ReadRuns with = decode_runs(encode_runs(extent, masks, true).value()).value();
    ASSERT_EQ(with.extent, extent);
    ASSERT_TRUE(with.has_entities);
    ASSERT_EQ(with.masks[0].id, 7U);
    ASSERT_EQ(with.masks[0].labels, a.labels) << seed;
    ASSERT_EQ(with.masks[1].labels, b.labels) << seed;
    const ReadRuns without = decode_runs(encode_runs(extent, masks, false).value()).value();
    ASSERT_EQ(without.masks[0].labels.foreground(), a.labels.foreground()) << seed;
  }
}

TEST(RunsContainer, holds_an_empty_mask_and_no_mask) {
  const Extent extent{3, 4, 5};
  const LabelMap nothing({.extent = extent, .affine = {}});
  const NumberedMask masks[] = {{3, &nothing}};
  EXPECT_TRUE(decode_runs(encode_runs(extent, masks, true).value())->masks[0].labels.empty());
  EXPECT_TRUE(decode_runs(encode_runs(extent, {}, false).value())->masks.empty());
}

TEST(RunsContainer, has_the_bytes_that_are_documented) {
  const Extent extent{10, 2, 1};
  const LabelMap labels({.extent = extent, .affine = {}}, {{0, 2, 5, 1}, {1, 0, 1, 300}});
  const NumberedMask masks[] = {{5, &labels}};
  const Bytes bytes = encode_runs(extent, masks, true).value();
  const std::vector<int> expected = {'F', 'R', 'U', 'N', 1, 1,    0, 0, 10, 0, 0, 0,
                                     2,   0,   0,   0,   1, 0,    0, 0,               //
                                     1,   0,   0,   0,                                //
                                     5,   0,   0,   0,   7, 0,    0, 0, 2,  0, 0, 0,  //
                                     0,   0,   5,   0,   0, 0,    2, 0, 0,  0, 1, 0,  //
                                     2,   3,   1,   5,   1, 0xAC, 2};
  std::vector<int> found;
  for (const std::byte byte : bytes) found.push_back(static_cast<int>(byte));
  EXPECT_EQ(found, expected);
}

TEST(RunsContainer, refuses_every_container_that_is_cut_short) {
  Random random(1);
  const Extent extent{20, 5, 3};
  const Drawn a = drawn(random, extent);
  const NumberedMask masks[] = {{0, &a.labels}};
  const Bytes bytes = encode_runs(extent, masks, true).value();
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode_runs(ByteView(bytes).first(size)).ok()) << size;
  Bytes longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(decode_runs(longer).ok());
}

// A container of 10 x 2 x 1 voxels with one mask of the given payload.
Bytes container(const std::vector<int>& payload, int runs, std::array<int, 6> box = {0, 10, 0, 1, 0, 1}) {
  std::vector<int> bytes = {'F', 'R', 'U', 'N', 1, 0, 0, 0, 10, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  for (const int value : {0, static_cast<int>(payload.size()), runs})
    bytes.insert(bytes.end(), {value, 0, 0, 0});
  for (const int side : box) bytes.insert(bytes.end(), {side, 0});
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  Bytes out;
  for (const int value : bytes) out.push_back(static_cast<std::byte>(value));
  return out;
}

std::string refusal(const Bytes& bytes) {
  const auto read = decode_runs(bytes);
  return read.ok() ? "taken" : read.error().text();
}

TEST(RunsContainer, takes_no_run_that_breaks_a_promise) {
  EXPECT_EQ(refusal(container({0, 10}, 1)), "taken");
  EXPECT_NE(refusal(container({0, 11}, 1)).find("over the end of its row"), std::string::npos);
  EXPECT_NE(refusal(container({0, 0}, 1)).find("an empty run"), std::string::npos);
  EXPECT_NE(refusal(container({19, 2}, 1)).find("beyond the grid"), std::string::npos);
  EXPECT_NE(refusal(container({0, 5, 0, 5}, 2)).find("two runs that are one"), std::string::npos);
  EXPECT_NE(refusal(container({1, 9}, 1)).find("the box"), std::string::npos);
  EXPECT_NE(refusal(container({0, 10, 0}, 1)).find("more bytes than its runs"), std::string::npos);
  EXPECT_NE(refusal(container({0, 10}, 9)).find("more runs than its bytes"), std::string::npos);
  EXPECT_NE(refusal(container({0x80, 0, 10}, 1)).find("byte 48"), std::string::npos);
}

TEST(RunsContainer, refuses_masks_of_two_extents) {
  const LabelMap a({.extent = {3, 3, 3}, .affine = {}});
  const NumberedMask masks[] = {{0, &a}};
  EXPECT_FALSE(encode_runs({3, 3, 4}, masks, false).ok());
  EXPECT_FALSE(encode_runs({70'000, 1, 1}, {}, false).ok());
}

}  // namespace
}  // namespace fiducial::wire
