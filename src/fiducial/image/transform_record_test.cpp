#include "fiducial/image/transform_record.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

const Grid ct{{40, 30, 20}, Affine{{{{-0.8, 0, 0, 15}, {0, -0.8, 0, 12}, {0, 0, 1.5, -30}}}}};

std::string record_text(const std::string& steps) {
  return R"({"schema": "fiducial.transform/1", "from": {"shape": [40, 30, 20],
             "affine": [[-0.8, 0, 0, 15], [0, -0.8, 0, 12], [0, 0, 1.5, -30]]}, "steps": [)" +
         steps + "]}";
}

TEST(TransformRecord, follows_the_steps_that_segmenters_take) {
  const Result<TransformRecord> record =
      parse_transform_record(record_text(R"({"orient": "RAS"}, {"spacing_mm": [1, 1, 3]},
                                            {"crop": {"low": [2, 3, 1], "shape": [20, 10, 5]}})"));
  ASSERT_TRUE(record.ok()) << record.error().text();
  EXPECT_EQ(record->to.extent, (Extent{20, 10, 5}));
  // 40 voxels of 0.8 mm reach from -16.2 to 15; the crop begins two voxels of 1 mm further.
  const Vec3 first = record->to.affine.apply({0, 0, 0});
  EXPECT_NEAR(first[0], -16.2 + 2, 1e-12);
  EXPECT_NEAR(first[1], -11.2 + 3, 1e-12);
  EXPECT_NEAR(first[2], -30 + 3, 1e-12);
  EXPECT_EQ(record->place, record->to);
}

TEST(TransformRecord, rounds_the_number_of_voxels_as_monai_does) {
  // (40 - 1) 0.8 / 1 + 1 = 32.2, (30 - 1) 0.8 + 1 = 24.2, (20 - 1) 0.5 + 1 = 10.5: halves to even.
  const auto monai = parse_transform_record(record_text(R"({"spacing_mm": [1, 1, 3]})"));
  EXPECT_EQ(monai->to.extent, (Extent{32, 24, 10}));
  const auto faces =
      parse_transform_record(record_text(R"({"spacing_mm": [1.6, 1.6, 3], "keeps": "outer faces"})"));
  EXPECT_EQ(faces->to.extent, (Extent{20, 15, 10}));
  EXPECT_NEAR(faces->to.affine.apply({-0.5, -0.5, -0.5})[0], ct.affine.apply({-0.5, -0.5, -0.5})[0], 1e-12);
}

TEST(TransformRecord, says_where_a_moved_image_lies_in_the_patient_it_came_from) {
  const auto record = parse_transform_record(record_text(
      R"({"move_mm": [[1, 0, 0, 10], [0, 1, 0, 0], [0, 0, 1, -5], [0, 0, 0, 1]]}, {"pad": {"low": [1, 0, 0], "high": [0, 2, 0]}})"));
  ASSERT_TRUE(record.ok()) << record.error().text();
  EXPECT_EQ(record->to.extent, (Extent{41, 32, 20}));
  EXPECT_NEAR(record->to.affine.apply({1, 0, 0})[0], 25, 1e-12);
  EXPECT_NEAR(record->place.affine.apply({1, 0, 0})[0], 15, 1e-12);
}

TEST(TransformRecord, says_the_same_when_it_is_written_and_read_again) {
  const auto record = parse_transform_record(record_text(
      R"({"orient": "PIR"}, {"onto": {"shape": [9, 8, 7], "affine": [[1, 0, 0, 1], [0, 2, 0, 2], [0, 0, 3, 3]]}},
         {"pad": {"low": [1, 1, 1], "high": [0, 0, 0]}}, {"crop": {"low": [0, 0, 0], "shape": [1, 1, 1]}},
         {"spacing_mm": [0.5, 0.5, 0.5]}, {"move_mm": [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0]]})"));
  ASSERT_TRUE(record.ok()) << record.error().text();
  const auto again = parse_transform_record(record->json().pretty());
  ASSERT_TRUE(again.ok()) << again.error().text();
  EXPECT_EQ(again->json().compact(), record->json().compact());
}

TEST(TransformRecord, refuses_what_cannot_be_undone) {
  for (const char* steps :
       {R"({"warp": "field.nii.gz"})", R"({"spacing_mm": [1, 0, 1]})",
        R"({"crop": {"low": [30, 0, 0], "shape": [11, 1, 1]}})",
        R"({"crop": {"low": [-1, 0, 0], "shape": [1, 1, 1]}})",
        R"({"pad": {"low": [-1, 0, 0], "high": [0, 0, 0]}})",
        R"({"move_mm": [[1, 0, 0, 0], [2, 0, 0, 0], [0, 0, 1, 0]]})",
        R"({"move_mm": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 1]]})",
        R"({"onto": {"shape": [9, 8, 7], "affine": [[1, 0, 0, 1], [0, 0, 0, 2], [0, 0, 3, 3]]}})",
        R"({"spacing_mm": [1e-9, 1, 1]})", R"({"orient": "RAR"})", R"({})", R"({"orient": "RAS", "crop": 1})",
        R"({"spacing_mm": [1, 1, 1], "keeps": "all"})"}) {
    const auto record = parse_transform_record(record_text(steps));
    ASSERT_FALSE(record.ok()) << steps;
    EXPECT_EQ(record.error().code(), ErrorCode::invalid_data) << steps;
  }
  EXPECT_FALSE(make_transform_record({{4, 4, 4}, Affine::scaling({1, 1, 0})}, {}).ok());
  EXPECT_FALSE(make_transform_record({{4, 4, 4}, Affine::scaling({1e308, 1, 1})}, {}).ok());
}

TEST(TransformRecord, refuses_an_end_that_its_steps_do_not_reach) {
  const auto record = make_transform_record(ct, {transform_steps::Crop{{1, 1, 1}, {5, 5, 5}}});
  std::string text = record->json().compact();
  const std::size_t at = text.rfind("[5,5,5]");
  text.replace(at, 7, "[5,5,6]");
  const auto refused = parse_transform_record(text);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().place().pointer, "/to");
}

}  // namespace
}  // namespace fiducial
