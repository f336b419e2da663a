#include "fiducial/findings/measurements.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

using Texts = std::vector<std::string>;

Texts found(std::string_view text) {
  Texts out;
  for (const Measurement& each : find_measurements(text)) {
    EXPECT_GT(each.span.size(), 0U);
    out.push_back(measurement_text(each));
  }
  return out;
}

TEST(Measurements, are_given_in_millimetres_with_their_arity) {
  EXPECT_EQ(found("a 7 mm nodule, 1.5x2 cm mass and 3x4x5 cm cyst"),
            (Texts{"7 mm", "15 x 20 mm", "30 x 40 x 50 mm"}));
  EXPECT_EQ(found("13 x 9,3 mm; 12 mm x 8 mm; 4mm; 2.5 millimeters"),
            (Texts{"13 x 9.3 mm", "12 x 8 mm", "4 mm", "2.5 mm"}));
}

TEST(Measurements, may_be_ranges) {
  const auto each = find_measurements("nodules of 2-3 mm");
  ASSERT_EQ(each.size(), 1U);
  EXPECT_TRUE(each[0].range);
  EXPECT_EQ(each[0].arity, 1);
  EXPECT_EQ(measurement_text(each[0]), "2-3 mm");
  EXPECT_EQ(each[0].largest_mm(), 3);
}

TEST(Measurements, are_known_in_every_spelling) {
  EXPECT_EQ(found("5-mm nodule, 5.mm, 5 MM, 5 Mm, 2 CM mass, .5 cm, 13X9,3mm, 3 \xC3\x97 4 mm"),
            (Texts{"5 mm", "5 mm", "5 mm", "5 mm", "20 mm", "5 mm", "13 x 9.3 mm", "3 x 4 mm"}));
  EXPECT_EQ(found("10 by 12 mm, 10 mm by 12 mm, 1.5 cm x 8 mm, 1.13 cm"),
            (Texts{"10 x 12 mm", "10 x 12 mm", "15 x 8 mm", "11.3 mm"}));
}

TEST(Measurements, tell_ranges_from_changes) {
  EXPECT_EQ(found("2 to 3 mm; between 2 and 3 mm; 3 \xE2\x80\x93 4 mm; 3mm-5mm; ranging from 3 mm to 8 mm"),
            (Texts{"2-3 mm", "2-3 mm", "3-4 mm", "3-5 mm", "3-8 mm"}));
  EXPECT_EQ(found("has grown from 5 mm to 8 mm; nodules of 4 and 6 mm"), (Texts{"5 mm", "8 mm", "6 mm"}));
}

TEST(Measurements, need_a_unit_of_length) {
  EXPECT_EQ(found("5x4x5. On the right; series 202 image 85; 170 in; T11-T12; 20 HU; dated 26.03.2018"),
            Texts{});
  EXPECT_EQ(found("1x2x3x4 mm; 5 mm2; 7 cm\xC2\xB3; a nodule measuring 5 m. On the left"), Texts{});
  EXPECT_EQ(find_sizes_without_unit("5x4x5. On the right a 3x2 mm nodule; 2-3 nodules"), Texts{"5x4x5"});
}

TEST(Measurements, point_at_their_characters) {
  const std::string text = "node (13x9.3 mm) seen";
  EXPECT_EQ(find_measurements(text).front().span.of(text), "13x9.3 mm");
}

}  // namespace
}  // namespace fiducial
