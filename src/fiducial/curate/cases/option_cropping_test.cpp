#include "fiducial/curate/cases/option_cropping.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

CropCase case_of(std::string diagnosis, std::vector<std::string> candidates, const Json* record = nullptr) {
  return {.final_diagnosis = std::move(diagnosis), .candidates = std::move(candidates), .record = record};
}

TEST(SplitCandidates, cuts_at_two_semicolons) {
  EXPECT_EQ(split_candidates(" a, b ;;;; c;\t;;d"), (std::vector<std::string>{"a, b", "c", "d"}));
}

TEST(Cropping, keeps_five_candidates_as_they_stand_and_finds_the_key_in_any_case) {
  PythonRandom random(1);
  const CroppedCase out =
      cropped(case_of("SARCOIDOSIS.", {"a", "b", "Sarcoidosis", "c", "d"}), false, random);
  EXPECT_EQ(out.options, (std::vector<std::string>{"a", "b", "Sarcoidosis", "c", "d"}));
  EXPECT_EQ(out.key, 2U);
}

TEST(Cropping, gives_no_options_to_a_case_with_fewer_than_five_candidates) {
  PythonRandom random(1);
  EXPECT_TRUE(cropped(case_of("a", {"a", "b", "c", "d"}), true, random).options.empty());
}

TEST(Cropping, has_no_key_where_none_of_five_is_the_diagnosis) {
  PythonRandom random(1);
  EXPECT_EQ(cropped(case_of("gout", {"a1", "b1", "c1", "d1", "e1"}), false, random).key, std::nullopt);
}

TEST(Cropping, says_that_several_candidates_contain_the_diagnosis) {
  PythonRandom random(1);
  const CroppedCase out =
      cropped(case_of("lymphoma", {"hodgkin lymphoma", "b cell lymphoma", "c", "d", "e"}), false, random);
  EXPECT_TRUE(out.is_ambiguous);
  EXPECT_EQ(out.key, 0U);
}

TEST(Cropping, chooses_the_key_and_four_others_of_more) {
  const std::vector<std::string> many = {"a", "b", "gout", "c", "d", "e", "f", "g"};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    PythonRandom random(seed);
    const CroppedCase out = cropped(case_of("gout", many), false, random);
    ASSERT_EQ(out.options.size(), options_wanted);
    ASSERT_TRUE(out.key);
    EXPECT_EQ(out.options[*out.key], "gout");
    EXPECT_EQ(std::count(out.options.begin(), out.options.end(), "gout"), 1);
    for (const std::string& option : out.options)
      EXPECT_NE(std::find(many.begin(), many.end(), option), many.end()) << option;
  }
}

TEST(Cropping, keeps_the_wrong_choice_of_a_models_run) {
  const Json record = Json::object({{"options", Json::array({"a", "b", "gout", "c", "d", "e", "f", "g"})},
                                    {"gt_letter", "C"},
                                    {"parsed_answer_letter", "H"},
                                    {"is_correct", false}});
  const CropCase item = case_of("gout", {"a", "b", "gout", "c", "d", "e", "f", "g"}, &record);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    PythonRandom random(seed);
    const CroppedCase out = cropped(item, false, random);
    EXPECT_TRUE(out.used_record);
    EXPECT_TRUE(out.model_was_wrong);
    EXPECT_EQ(std::count(out.options.begin(), out.options.end(), "g"), 1);
    EXPECT_EQ(out.options[*out.key], "gout");
  }
}

TEST(Cropping, pads_too_few_others_on_request_only) {
  const CropCase item = case_of("gout", {"gout", "Gout", "GOUT", "gout.", "a", "b"});
  PythonRandom random(1);
  const CroppedCase refused = cropped(item, false, random);
  EXPECT_TRUE(refused.is_padded);
  EXPECT_TRUE(refused.options.empty());
  EXPECT_EQ(cropped(item, true, random).options.size(), options_wanted);
}

TEST(BalancedTargets, have_every_letter_equally_often) {
  PythonRandom random(3);
  const std::vector<std::size_t> targets = balanced_targets(22, random);
  for (std::size_t letter = 0; letter < options_wanted; ++letter) {
    EXPECT_EQ(std::count(targets.begin(), targets.end(), letter), letter < 2 ? 5 : 4) << letter;
  }
}

TEST(PlacedAt, moves_the_key_and_keeps_every_option) {
  const CroppedCase item{.options = {"key", "a", "b", "c", "d"}, .key = 0};
  for (std::size_t target = 0; target < options_wanted; ++target) {
    PythonRandom random(target);
    CroppedCase out = placed_at(item, target, random);
    EXPECT_EQ(out.key, target);
    EXPECT_EQ(out.options[target], "key");
    std::sort(out.options.begin(), out.options.end());
    EXPECT_EQ(out.options, (std::vector<std::string>{"a", "b", "c", "d", "key"}));
  }
}

}  // namespace
}  // namespace fiducial
