#include <set>

#include <gtest/gtest.h>

#include "fiducial/views/area_average.h"
#include "fiducial/views/image_view.h"
#include "fiducial/views/scan_view.h"

namespace fiducial {
namespace {

// 4 x 3 x 5 voxels of 1 x 2 x 3 mm that run to the patient's left, back and head.
ScanArray ramp_scan() {
  ScanArray out{.grid = {{4, 3, 5}, Affine::scaling({-1, -2, 3})}, .hu = {}};
  for (std::int16_t i = 0; i < 4 * 3 * 5; ++i) out.hu.push_back(static_cast<std::int16_t>(i * 10));
  return out;
}

std::string policy_text(const std::string& more) {
  return R"({"schema": "fiducial.view_policy/1", "name": "mine", "of": "scans", "planes": ["axial"],
    "windows": [{"centre_hu": 0, "width_hu": 2000}], "slices": {"rule": "uniform", "count": 2}, "longest_px": 60,
    "side_letters": false)" +
         more + "}";
}

Result<ViewPolicy> policy(const std::string& more = "") {
  return ViewPolicy::parse(policy_text(more), "p.json");
}

TEST(ViewPolicies, of_ours_are_all_sound_and_have_names_of_their_own) {
  std::set<std::string> names;
  for (const ViewPolicy& each : all_view_policies()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    const ViewPolicy again = *ViewPolicy::parse(each.json().pretty(), "again");
    EXPECT_EQ(again.sha256(), each.sha256()) << each.name;
    EXPECT_EQ(again.json().compact(), each.json().compact()) << each.name;
  }
}

TEST(ViewPolicies, have_a_hash_of_what_they_show_and_not_of_their_name) {
  ViewPolicy first = *policy();
  const std::string hash = first.sha256();
  first.name = "other";
  EXPECT_EQ(first.sha256(), hash);
  first.longest_px = 61;
  EXPECT_NE(first.sha256(), hash);
}

TEST(ViewPolicies, refuse_what_they_do_not_know_with_its_place) {
  const auto refused = [](const std::string& more) { return policy(more).error().text(); };
  EXPECT_EQ(
      refused(R"(, "slice": 3)"),
      "p.json, at /slice: no member \"slice\"; there is schema, name, title, of, codec, longest_px, planes, "
      "windows, windows_as, slices, region, montage, side_letters; did you mean slices?");
  EXPECT_NE(refused(R"(, "codec": {"format": "gif"})").find("/codec/format"), std::string::npos);
  EXPECT_NE(refused(R"(, "region": {"of": "the moon", "as": "crop"})").find("/region/of"), std::string::npos);
  EXPECT_NE(refused(R"(, "windows_as": "channels")").find("three windows"), std::string::npos);
  EXPECT_FALSE(ViewPolicy::parse("[]", "p").ok());
  EXPECT_FALSE(ViewPolicy::load("no-such-policy").ok());
}

TEST(AreaSums, weigh_values_by_the_area_they_share_with_a_pixel) {
  const AreaSums half = area_sums({1, 2, 3, 4, 5, 6}, {3, 2}, {2, 1});
  EXPECT_EQ(half.weight, 6);
  // The left pixel covers the first column and half of the second.
  EXPECT_EQ(half.sums, (std::vector<std::int64_t>{2 * (1 + 4) + (2 + 5), (2 + 5) + 2 * (3 + 6)}));
  const AreaSums same = area_sums({7, 8}, {2, 1}, {2, 1});
  EXPECT_EQ(same.sums, (std::vector<std::int64_t>{14, 16}));
}

TEST(ScanPictures, show_the_right_on_the_left_and_the_head_first) {
  const ScanArray scan = ramp_scan();
  const PlaneAxes axial = PlaneAxes::of(scan.grid, ViewPlane::axial);
  EXPECT_EQ(axial.voxel(0, 0, 0), (std::array<std::int64_t, 3>{0, 0, 4}));
  const PlaneAxes coronal = PlaneAxes::of(scan.grid, ViewPlane::coronal);
  EXPECT_EQ(coronal.voxel(1, 0, 2), (std::array<std::int64_t, 3>{1, 2, 4}));
  const PlaneAxes sagittal = PlaneAxes::of(scan.grid, ViewPlane::sagittal);
  EXPECT_EQ(sagittal.voxel(2, 1, 3), (std::array<std::int64_t, 3>{3, 2, 3}));
  EXPECT_EQ(sagittal.spacing_um, (std::array<std::int64_t, 3>{2000, 3000, 1000}));
}

TEST(ScanPictures, have_square_pixels_and_greys_of_the_window) {
  const ScanArray scan = ramp_scan();
  const std::vector<ViewPicture> pictures = *scan_pictures(*policy(), scan, {}, CaseMasks(scan.grid));
  ASSERT_EQ(pictures.size(), 2U);
  EXPECT_EQ(pictures[0].note, "axial slice 2 of 5 from the head, window 0/2000 HU");
  EXPECT_EQ(pictures[1].note, "axial slice 4 of 5 from the head, window 0/2000 HU");
  const Picture first = *decode_picture(pictures[0].file);
  EXPECT_EQ(first.width, 40);
  EXPECT_EQ(first.height, 60);
  // Slice 2 from the head is index 3: its first voxel has 360 HU, (360 + 1000) * 255 / 2000 is 173.4.
  EXPECT_EQ(first.values.front(), 173);
}

TEST(ScanPictures, outline_cut_out_and_uncover_a_region) {
  const ScanArray scan = ramp_scan();
  std::vector<std::uint8_t> voxels(60, 0);
  for (const std::size_t z : {1U, 2U}) voxels[1 + 4 * (1 + 3 * z)] = voxels[2 + 4 * (1 + 3 * z)] = 1;
  const Mask mask = Mask::from_dense(scan.grid, voxels);
  const AskedRegion asked{.path = "", .mask = &mask, .title = "finding"};
  const auto drawn = [&](const std::string& as) {
    const ViewPolicy rule = *policy(R"(, "region": {"as": ")" + as + R"("})");
    ViewPolicy through = rule;
    through.slices = {.kind = SliceRule::Kind::through, .count = 9, .of = "asked"};
    return *scan_pictures(through, scan, asked, CaseMasks(scan.grid));
  };
  const std::vector<ViewPicture> outlined = drawn("outline");
  ASSERT_EQ(outlined.size(), 2U);
  EXPECT_EQ(outlined[0].note, "axial slice 3 of 5 from the head, window 0/2000 HU, finding outlined");
  EXPECT_EQ(decode_picture(outlined[0].file)->channels, 3);
  const std::vector<ViewPicture> cut = drawn("crop");
  EXPECT_EQ(cut[0].frames.front().left, 1);
  EXPECT_EQ(cut[0].frames.front().columns, 2);
  EXPECT_EQ(cut[0].frames.front().rows, 1);
  const Picture alone = *decode_picture(drawn("mask")[0].file);
  EXPECT_EQ(alone.values.front(), 0);
  EXPECT_GT(alone.values[static_cast<std::size_t>(30 * 40 + 20)], 0);
}

TEST(ScanPictures, refuse_a_region_without_a_mask_unless_the_policy_takes_the_whole_scan) {
  const ScanArray scan = ramp_scan();
  const AskedRegion asked{.path = "lung/lung/left lung"};
  const auto result =
      scan_pictures(*policy(R"(, "region": {"as": "outline"})"), scan, asked, CaseMasks(scan.grid));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message(),
            "the mask of left lung is missing (without its parts left lung upper lobe (missing), left lung "
            "lower lobe "
            "(missing))");
  EXPECT_TRUE(scan_pictures(*policy(R"(, "region": {"as": "outline", "if_absent": "whole_scan"})"), scan,
                            asked, CaseMasks(scan.grid))
                  .ok());
}

TEST(ScanPictures, refuse_more_slices_than_the_policy_allows) {
  const ScanArray scan = ramp_scan();
  ViewPolicy every = *policy();
  every.slices = {.kind = SliceRule::Kind::every_mm, .step_um = 3000, .most = 4};
  EXPECT_FALSE(scan_pictures(every, scan, {}, CaseMasks(scan.grid)).ok());
  every.slices.most = 5;
  EXPECT_EQ(scan_pictures(every, scan, {}, CaseMasks(scan.grid))->size(), 5U);
}

}  // namespace
}  // namespace fiducial
