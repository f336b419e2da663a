#include "fiducial/server/taken_span.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

const std::array<std::string, 5> options = {"Silicosis", "Melanoma", "Atelectasis", "Bronchitis", "Embolism"};

std::string taken(std::string_view reply, char letter) {
  const auto span = taken_span(reply, options, letter);
  return span ? std::string(reply.substr(span->begin, span->end - span->begin)) : "nothing";
}

TEST(TakenSpan, is_the_whole_of_a_bare_letter) { EXPECT_EQ(taken("  B \n", 'B'), "B"); }

TEST(TakenSpan, leaves_out_what_stands_before_and_behind_a_statement) {
  EXPECT_EQ(taken("There are nodules in both lungs.\nThe answer is B.\nSilicosis would look different.", 'B'),
            "The answer is B.");
}

TEST(TakenSpan, keeps_the_object_of_an_answer_in_json) {
  const std::string object = R"({"answer":"D","explanation":"a wedge"})";
  EXPECT_EQ(taken("I looked at it.\n" + object + "\nThat is all.", 'D'), object);
}

TEST(TakenSpan, is_nothing_where_another_letter_was_counted) {
  EXPECT_EQ(taken("The answer is B.", 'C'), "nothing");
  EXPECT_EQ(taken("I cannot say.", 'C'), "nothing");
}

}  // namespace
}  // namespace fiducial
