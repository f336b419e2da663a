#include "fiducial/image/rescale_state.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"

namespace fiducial {
namespace {

// How much of a picture is what, in percent of its voxels; the rest is soft tissue.
struct Content {
  int padding = 0;
  int air = 35;
  int lung = 20;
  int fat = 12;
  int bone = 3;
  double noise = 15;
  float padding_value = -2000;
  int dense_bone = 0;  // cortical: 900 to 1500
};

// Values in HU, padding apart.
std::vector<float> picture(const Content& content, std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<float> out;
  const auto paint = [&](int percent, double hu, double spread) {
    for (int i = 0; i < percent * 200; ++i) {
      out.push_back(static_cast<float>(std::nearbyint(
          std::max(-1024.0, hu + spread * random.normal() + content.noise * random.normal()))));
    }
  };
  paint(content.air, -1000, 5);
  paint(content.lung, -850, 60);
  paint(content.fat, -100, 20);
  paint(content.bone, 300, 150);
  paint(content.dense_bone, 1200, 150);
  paint(100 - content.padding - content.air - content.lung - content.fat - content.bone - content.dense_bone,
        45, 20);
  for (int i = 0; i < content.padding * 200; ++i) out.push_back(content.padding_value);
  return out;
}

RescaleVerdict verdict(const std::vector<float>& values, std::optional<Rescale> given = std::nullopt) {
  ValueHistogram histogram;
  histogram.add(values);
  std::vector<Rescale> candidates(std::begin(usual_rescales), std::end(usual_rescales));
  if (given) candidates.insert(candidates.begin(), *given);
  return recognise_rescale(histogram, candidates);
}

// The same picture with the rescale applied 0, 1 or 2 times. Padding was added by the scanner, before it.
std::vector<float> applied(std::vector<float> hu, const Rescale& rescale, int times) {
  for (float& value : hu) {
    if (times == 0) value = static_cast<float>((value - rescale.intercept) / rescale.slope);
    if (times == 2) value = static_cast<float>(value * rescale.slope + rescale.intercept);
  }
  return hu;
}

const Content usual_contents[] = {
    {},                                                            // chest
    {.padding = 21, .air = 15, .padding_value = -2000},            // padded around the field of view
    {.padding = 21, .air = 10, .padding_value = -3024},            //
    {.padding = 21, .air = 10, .padding_value = -8192},            //
    {.padding = 21, .air = 10, .padding_value = -2048},            //
    {.air = 60, .lung = 20, .fat = 4, .bone = 1},                  // a child in a large field of view
    {.air = 5, .lung = 0, .fat = 30, .bone = 5},                   // abdomen
    {.air = 45, .lung = 0, .fat = 4, .bone = 4, .dense_bone = 8},  // head
    {.padding = 60, .air = 10, .lung = 10, .fat = 5, .padding_value = -3024},  // a narrow field of view
    {.air = 30, .noise = 60},                                                  // low dose
};

TEST(RescaleRecognition, finds_no_fault_with_good_cts) {
  for (const Content& content : usual_contents) {
    EXPECT_EQ(verdict(picture(content)).state, RescaleState::once) << content.padding_value;
  }
}

TEST(RescaleRecognition, tells_zero_one_and_two_applications_apart) {
  for (const Rescale& rescale : {Rescale{1, -1024}, Rescale{1, -8192}, Rescale{1, -1000}}) {
    for (const Content& content : usual_contents) {
      const std::vector<float> hu = picture(content);
      const RescaleVerdict never = verdict(applied(hu, rescale, 0));
      EXPECT_EQ(never.state, RescaleState::never) << rescale.intercept << " " << content.padding_value;
      const RescaleVerdict twice = verdict(applied(hu, rescale, 2));
      EXPECT_EQ(twice.state, RescaleState::twice) << rescale.intercept << " " << content.padding_value;
      EXPECT_NEAR(twice.rescale.intercept, rescale.intercept, 24);
    }
  }
}

TEST(RescaleRecognition, takes_the_rescale_of_the_metadata) {
  const Rescale odd{0.5, -3000};
  const std::vector<float> hu = picture({});
  EXPECT_EQ(verdict(hu, odd).state, RescaleState::once);
  EXPECT_EQ(verdict(applied(hu, odd, 0), odd).state, RescaleState::never);
  EXPECT_EQ(verdict(applied(hu, odd, 0), odd).rescale, odd);
  EXPECT_EQ(verdict(applied(hu, odd, 2), odd).state, RescaleState::twice);
  EXPECT_EQ(verdict(hu, Rescale{1, 0}).state, RescaleState::once);
  EXPECT_EQ(verdict(hu, Rescale{-1, -1024}).state, RescaleState::once);
}

TEST(RescaleRecognition, leaves_windowed_and_cropped_cts_alone) {
  for (const auto& [low, high] : {std::pair{0, 80}, {-160, 240}, {-1000, 1000}, {-500, 1000}, {-1350, 150}}) {
    std::vector<float> values = picture({});
    for (float& value : values) value = std::clamp(value, static_cast<float>(low), static_cast<float>(high));
    EXPECT_EQ(verdict(values).state, RescaleState::once) << low << " to " << high;
  }
  EXPECT_EQ(verdict(picture({.air = 0, .lung = 96, .fat = 1, .bone = 0})).state, RescaleState::once);
  EXPECT_EQ(verdict(picture({.air = 100, .lung = 0, .fat = 0, .bone = 0})).state, RescaleState::once);
  EXPECT_EQ(verdict(picture({.air = 0, .lung = 0, .fat = 30, .bone = 5})).state, RescaleState::once);
  EXPECT_EQ(verdict(std::vector<float>(5000, 0)).state, RescaleState::once);
  EXPECT_EQ(verdict(std::vector<float>(5000, -1000)).state, RescaleState::once);
}

TEST(RescaleRecognition, works_on_pictures_of_two_values) {
  const auto two = [](float air, float tissue) {
    std::vector<float> out(6000, air);
    std::fill(out.begin() + 3000, out.end(), tissue);
    return out;
  };
  EXPECT_EQ(verdict(two(-1000, 40)).state, RescaleState::once);
  EXPECT_EQ(verdict(two(24, 1064)).state, RescaleState::never);
  EXPECT_EQ(verdict(two(-2024, -984)).state, RescaleState::twice);
}

TEST(RescaleRecognition, does_not_know_normalised_images_small_samples_and_other_scales) {
  std::vector<float> values = picture({});
  for (float& value : values) value = (value + 400) / 600;
  EXPECT_EQ(verdict(values).state, RescaleState::unrecognised);
  EXPECT_EQ(verdict(std::vector<float>(999, 40)).state, RescaleState::unrecognised);
  EXPECT_EQ(verdict({}).state, RescaleState::unrecognised);
  EXPECT_EQ(verdict(std::vector<float>(5000, 20000)).state, RescaleState::unrecognised);
  EXPECT_EQ(verdict(std::vector<float>(5000, std::nanf(""))).state, RescaleState::unrecognised);
}

TEST(RescaleRecognition, says_where_air_and_tissue_lie) {
  const RescaleVerdict found = verdict(applied(picture({.noise = 2}), {1, -1024}, 2));
  EXPECT_NEAR(static_cast<double>(found.air), -2024, 10);
  EXPECT_NEAR(static_cast<double>(found.tissue), -979, 25);
  EXPECT_NEAR(found.air_share, 0.55, 0.01);
  EXPECT_NEAR(found.tissue_share, 0.43, 0.02);
  EXPECT_NE(found.evidence().find("of 20000 sampled voxels"), std::string::npos);
}

TEST(ValueHistogram, counts_rounds_and_clamps) {
  ValueHistogram values;
  values.add(std::vector<float>{-1e30F, 1e30F, 0.4F, 0.6F, 2, std::nanf("")});
  EXPECT_EQ(values.count(), 5);
  EXPECT_EQ(values.fractional(), 2);
  EXPECT_EQ(values.between(0, 1), 2);
  EXPECT_EQ(values.between(1, 0), 0);
  EXPECT_EQ(values.between(-1e9, 1e9), 5);
  EXPECT_EQ(values.quantile(0.5), 1);
}

}  // namespace
}  // namespace fiducial
