#include "fiducial/stats/detection_curve.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fiducial/base/reference_values.h"

namespace fiducial {
namespace {

std::vector<ScanDetections> scans_in(const Json& list) {
  std::vector<ScanDetections> out;
  for (const Json& scan : *list.as_array()) {
    ScanDetections one{.lesions = *scan.find("lesions")->as_integer()};
    for (const Json& each : *scan.find("detections")->as_array()) {
      Detection detection{.confidence = *(*each.as_array())[0].as_number()};
      if (const std::int64_t* lesion = (*each.as_array())[1].as_integer()) detection.lesion = *lesion;
      one.detections.push_back(detection);
    }
    out.push_back(std::move(one));
  }
  return out;
}

TEST(DetectionCurve, has_the_average_precision_of_scikit_learn) {
  const Json document = reference_values("detections.json");
  for (const Json& each : *document.find("cases")->as_array()) {
    const auto curve = detection_curve(scans_in(*each.find("scans")));
    ASSERT_TRUE(curve.ok()) << curve.error().text();
    EXPECT_NEAR(curve->average_precision, *each.find("average_precision")->as_number(), 1e-12);
    const Json::Array& expected = *each.find("sensitivity_at")->as_array();
    double mean = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(curve->sensitivity_at(froc_rates[i]), *expected[i].as_number(), 1e-12);
      mean += *expected[i].as_number() / 7;
    }
    EXPECT_NEAR(curve->froc_score(), mean, 1e-12);
  }
}

TEST(DetectionCurve, counts_the_surest_hit_of_a_lesion_alone) {
  const std::vector<ScanDetections> scans{{2, {{0.9, 0}, {0.8, 0}, {0.7, std::nullopt}}}};
  const auto curve = detection_curve(scans);
  EXPECT_EQ(curve->found, 1);
  EXPECT_EQ(curve->false_positives, 1);
  EXPECT_EQ(curve->average_precision, 0.5);
  EXPECT_EQ(curve->sensitivity_at(0), 0.5);
}

TEST(DetectionCurve, is_one_for_a_perfect_finder_and_0_for_one_that_finds_nothing) {
  const std::vector<ScanDetections> perfect{{1, {{0.2, 0}}}, {0, {}}, {2, {{0.9, 0}, {0.1, 1}}}};
  EXPECT_EQ(detection_curve(perfect)->average_precision, 1);
  EXPECT_EQ(detection_curve(perfect)->froc_score(), 1);
  const std::vector<ScanDetections> silent{{1, {}}};
  EXPECT_EQ(detection_curve(silent)->average_precision, 0);
  EXPECT_EQ(detection_curve(silent)->froc_score(), 0);
}

TEST(DetectionCurve, never_falls_when_a_false_alarm_is_taken_back) {
  const std::vector<ScanDetections> with{{2, {{0.9, 0}, {0.8, std::nullopt}, {0.3, 1}}}};
  const std::vector<ScanDetections> without{{2, {{0.9, 0}, {0.3, 1}}}};
  EXPECT_GE(detection_curve(without)->average_precision, detection_curve(with)->average_precision);
  EXPECT_GE(detection_curve(without)->froc_score(), detection_curve(with)->froc_score());
}

TEST(DetectionCurve, refuses_what_has_no_curve) {
  EXPECT_FALSE(detection_curve({}).ok());
  EXPECT_FALSE(detection_curve(std::vector<ScanDetections>{{0, {{0.5, std::nullopt}}}}).ok());
  EXPECT_FALSE(detection_curve(std::vector<ScanDetections>{{1, {{std::nan(""), 0}}}}).ok());
  EXPECT_FALSE(detection_curve(std::vector<ScanDetections>{{1, {{0.5, 1}}}}).ok());
}

}  // namespace
}  // namespace fiducial
