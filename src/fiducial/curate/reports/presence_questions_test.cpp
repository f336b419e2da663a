#include "fiducial/curate/reports/presence_questions.h"

#include <gtest/gtest.h>

#include "fiducial/anatomy/anatomy.h"
#include "fiducial/findings/report_grounding.h"

namespace fiducial {
namespace {

PresencePool skewed_pool() {
  PresencePool pool;
  for (std::uint32_t volume = 0; volume < 100; ++volume) {
    pool.add(volume, "pleura/pleura", "pleural effusion", volume < 10);
    pool.add(volume, "lung/lung", "nodule", volume < 60);
    pool.add(volume, "esophagus/esophagus", "hiatal hernia", true);
  }
  return pool;
}

TEST(PresenceQuestions, can_be_guessed_before_and_not_after_balancing) {
  const PresencePool pool = skewed_pool();
  EXPECT_DOUBLE_EQ(blind_accuracy(pool.all()).by_finding, (90 + 60 + 100) / 300.0);
  PythonRandom random(1);
  const std::vector<PresenceQuestion> balanced = pool.balanced(random);
  EXPECT_EQ(balanced.size(), 2U * (10 + 40));
  EXPECT_DOUBLE_EQ(blind_accuracy(balanced).by_finding, 0.5);
  EXPECT_DOUBLE_EQ(blind_accuracy(balanced).by_finding_and_region, 0.5);
}

TEST(PresenceQuestions, are_drawn_alike_by_the_same_seed) {
  const PresencePool pool = skewed_pool();
  const auto volumes = [&pool](std::uint64_t seed) {
    PythonRandom random(seed);
    std::vector<std::uint32_t> out;
    for (const PresenceQuestion& question : pool.balanced(random)) out.push_back(question.volume);
    return out;
  };
  EXPECT_EQ(volumes(7), volumes(7));
  EXPECT_NE(volumes(7), volumes(8));
}

TEST(PresenceQuestions, never_answer_yes_and_no_about_one_finding_of_a_volume) {
  PresencePool pool;
  pool.add(0, "heart/heart", "effusion", true);
  pool.add(0, "pleura/pleura", "effusion", false);
  pool.add(1, "pleura/pleura", "effusion", true);
  pool.add(2, "heart/heart", "effusion", false);
  PythonRandom random(1);
  const std::vector<PresenceQuestion> balanced = pool.balanced(random);
  ASSERT_EQ(balanced.size(), 2U);
  EXPECT_EQ(balanced[0].volume, 0U);
  EXPECT_EQ(balanced[1].volume, 2U);
}

TEST(PresenceQuestions, take_what_is_denied_of_a_whole_for_its_parts) {
  PresencePool pool;
  pool.add(0, "lung/lung/left lung", "nodule", true);
  pool.add(1, "lung/lung", "nodule", false, {.sentence = 4, .begin = 10, .end = 16});
  pool.add(1, "lung/lung/left lung", "nodule", false, {.sentence = 2, .begin = 1, .end = 7});
  pool.add(2, "lung/lung/right lung", "nodule", false);
  PythonRandom random(1);
  const std::vector<PresenceQuestion> balanced = pool.balanced(random);
  ASSERT_EQ(balanced.size(), 2U);
  EXPECT_EQ(balanced[1].volume, 1U);
  EXPECT_FALSE(balanced[1].present);
  EXPECT_EQ(pool.name(balanced[1].path), "lung/lung/left lung");
  EXPECT_EQ(balanced[1].words.sentence, 2U);
}

TEST(PresenceQuestions, take_nothing_that_is_denied_of_a_part_for_the_whole) {
  PresencePool pool;
  pool.add(0, "lung/lung", "nodule", true);
  pool.add(1, "lung/lung/left lung", "nodule", false);
  PythonRandom random(1);
  EXPECT_TRUE(pool.balanced(random).empty());
}

TEST(PresenceQuestions, are_none_where_nothing_is_denied) {
  PresencePool pool;
  pool.add(0, "lung/lung", "nodule", true);
  PythonRandom random(1);
  EXPECT_TRUE(pool.balanced(random).empty());
  EXPECT_EQ(blind_accuracy({}).by_majority, 0);
}

TEST(PathsOfReports, are_all_places_of_the_anatomy) {
  ASSERT_GT(known_paths().size(), 50U);
  for (const std::string& path : known_paths())
    EXPECT_NE(Anatomy::chest_ct().status_of(path), PathStatus::unknown) << path;
}

}  // namespace
}  // namespace fiducial
