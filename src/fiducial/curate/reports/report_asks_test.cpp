#include "fiducial/curate/reports/report_asks.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

std::string alignment(std::string_view text, const char* reply) {
  const AlignedSentences aligned = aligned_sentences(text, parse_json(reply).value());
  if (aligned.status.is_failure()) return aligned.status.code;
  std::string out;
  for (const Sentence& sentence : aligned.sentences) out += "[" + std::string(sentence.span.of(text)) + "]";
  return out;
}

std::string placed(const char* reply, const char* sentences) {
  return check_places(parse_json(reply).value(), parse_json(sentences).value()).code;
}

TEST(AlignedSentences, hold_every_byte_of_the_text) {
  EXPECT_EQ(alignment("One. Two.  ", R"(["One.", "Two."])"), "[One.][ Two.  ]");
}

TEST(AlignedSentences, refuse_what_is_lost_and_what_is_not_there) {
  EXPECT_EQ(alignment("One. Two.", R"(["Two."])"), "lost_sentence");
  EXPECT_EQ(alignment("One. Two.", R"(["One."])"), "lost_sentence");
  EXPECT_EQ(alignment("One. Two.", R"(["One.", "Three."])"), "not_preserved");
  EXPECT_EQ(alignment("One. Two.", R"(["One.", ""])"), "not_preserved");
}

TEST(Places, may_not_lie_on_the_side_that_a_sentence_does_not_name) {
  EXPECT_EQ(placed(R"({"0": ["left lung"]})", R"({"0": "Nodule in the left lung."})"), "");
  EXPECT_EQ(placed(R"({"0": ["right lung"]})", R"({"0": "Nodule in the left lung."})"), "changed_side");
  EXPECT_EQ(placed(R"({"0": ["right lung"]})", R"({"0": "Nodules in both lungs."})"), "");
  EXPECT_EQ(placed(R"({"0": ["right lung"]})", R"({"0": "A nodule."})"), "");
}

TEST(MirroredPlaces, are_refused_where_only_the_other_side_is_known) {
  EXPECT_EQ(check_mirrored("0", {"lung/lung/right lung"}, {"lung/lung/left lung"}).code, "changed_side");
  EXPECT_EQ(check_mirrored("0", {"lung/lung/left lung"}, {"lung/lung/left lung"}).code, "");
  EXPECT_EQ(
      check_mirrored("0", {"lung/lung/left lung", "lung/lung/right lung"}, {"lung/lung/left lung"}).code, "");
}

TEST(NumberedSentences, leave_out_those_without_words) {
  const std::string_view text = "One. Two.";
  const Json numbered = numbered_sentences(text, {{.span = {0, 4}, .content = {0, 4}},
                                                  {.span = {4, 5}, .content = {5, 5}},
                                                  {.span = {5, 9}, .content = {5, 9}}});
  EXPECT_EQ(numbered.compact(), R"({"0":"One.","2":"Two."})");
}

}  // namespace
}  // namespace fiducial
