#include "fiducial/curate/reports/reply_words.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

std::string beyond(std::string_view text, std::string_view other) {
  return side_beyond(sides_in(text), sides_in(other));
}

TEST(NamedSides, are_two_in_both_and_bilateral) {
  for (const char* text : {"in both lungs", "Bilateral effusion", "left and right"}) {
    EXPECT_TRUE(sides_in(text).left && sides_in(text).right) << text;
  }
  EXPECT_TRUE(sides_in("LEFT lung").left);
  EXPECT_FALSE(sides_in("LEFT lung").right);
  EXPECT_FALSE(sides_in("leftover brightness").any());
}

TEST(NamedSides, tell_which_one_another_text_lacks) {
  EXPECT_EQ(beyond("left lung", "lung"), "left");
  EXPECT_EQ(beyond("left lung", "right lung"), "left");
  EXPECT_EQ(beyond("lung", "left lung"), "");
  EXPECT_EQ(beyond("both lungs", "left lung"), "right");
}

TEST(NamedSides, tell_which_one_of_both_is_singled_out) {
  EXPECT_EQ(beyond("both lungs, more on the left", "both lungs"), "left");
  EXPECT_EQ(beyond("both lungs", "both lungs, more on the left"), "");
}

TEST(Mirrored, is_the_same_place_on_the_other_side) {
  EXPECT_EQ(mirrored("lung/left lung/left upper lobe"), "lung/right lung/right upper lobe");
  EXPECT_EQ(mirrored("heart"), "heart");
  EXPECT_EQ(mirrored(mirrored("right kidney")), "right kidney");
}

TEST(SizesIn, are_the_same_for_the_same_length_in_any_unit) {
  EXPECT_EQ(sizes_in("a nodule of 1.2 cm"), sizes_in("a 12 mm nodule"));
  EXPECT_NE(sizes_in("a nodule of 1.2 cm"), sizes_in("a 13 mm nodule"));
}

TEST(TopicReader, finds_the_same_in_other_words) {
  TopicReader reader;
  const Topics source = reader.of("Pleural effusion is seen on the left.");
  EXPECT_GT(likeness(source, reader.of("There was a left pleural effusion.")),
            likeness(source, reader.of("The heart is enlarged.")));
  EXPECT_EQ(likeness(source, source), 1.0);
  EXPECT_EQ(likeness({}, {}), 0.0);
}

TEST(PairedTexts, give_every_reply_to_one_source_the_likest_first) {
  TopicReader reader;
  const std::vector<Topics> source = {reader.of("The heart is enlarged."),
                                      reader.of("There is a lung nodule.")};
  const std::vector<Topics> reply = {reader.of("A nodule lies in the lung."), reader.of("Enlarged heart.")};
  const std::vector<TextPair> pairs = paired_texts(source, reply);
  EXPECT_EQ(pairs[0].reply, 1U);
  EXPECT_EQ(pairs[1].reply, 0U);
}

TEST(PairedTexts, leave_a_source_alone_that_nothing_is_like) {
  TopicReader reader;
  const std::vector<TextPair> pairs =
      paired_texts({reader.of("The heart is enlarged."), reader.of("There is a lung nodule.")},
                   {reader.of("A nodule lies in the lung.")});
  EXPECT_EQ(pairs[0].reply, std::nullopt);
  EXPECT_EQ(pairs[1].reply, 0U);
}

}  // namespace
}  // namespace fiducial
