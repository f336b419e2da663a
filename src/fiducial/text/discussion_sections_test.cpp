#include "fiducial/text/discussion_sections.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

using Places = std::vector<std::size_t>;

constexpr const char* whole_discussion =
    "Background\nA rare disease.\n\n## Clinical Perspective:\nPain.\n**Imaging Perspective**: A mass.\n"
    "4. CLINICAL SIGNIFICANCE\nGrows.\nOutcome: Well.\nTake home message / Teaching points\n- Look twice.\n";

TEST(Discussion, is_cut_at_its_six_headings_however_they_are_set) {
  const Discussion found = parse_discussion(whole_discussion);
  ASSERT_EQ(found.sections.size(), 6U);
  EXPECT_TRUE(found.missing().empty() && found.repeated().empty() && found.out_of_order().empty());
  EXPECT_EQ(found.sections[2].text, "A mass.");
  EXPECT_EQ(found.sections[5].text, "- Look twice.");
}

TEST(Discussion, tells_missing_repeated_and_reordered_headings) {
  const Discussion found =
      parse_discussion("Hello.\nOutcome: x\nBackground: y\nOutcome: z\nTeaching Points: t");
  EXPECT_EQ(found.preamble, "Hello.");
  EXPECT_EQ(found.missing(), (Places{1, 2, 3}));
  EXPECT_EQ(found.repeated(), (Places{4}));
  EXPECT_EQ(found.out_of_order(), (Places{0}));
}

TEST(Discussion, takes_a_sentence_that_begins_like_a_heading_for_text) {
  const Discussion found = parse_discussion("Outcome is good.\nBackground radiation: low\nBackground:\n");
  EXPECT_EQ(found.sections.size(), 1U);
  EXPECT_EQ(found.preamble, "Outcome is good.\nBackground radiation: low");
}

}  // namespace
}  // namespace fiducial
