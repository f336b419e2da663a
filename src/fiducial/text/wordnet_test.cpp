#include "fiducial/text/wordnet.h"

#include <gtest/gtest.h>

namespace fiducial {

namespace {

// A database of few words: lung/pulmonary organ, effusion, mouse with an irregular plural, ready and handy.
std::array<WordNetFiles, 4> small() {
  const std::string nouns =
      "00000000 05 n 02 effusion 0 outpouring 0 000 | flow\n"
      "00000050 05 n 02 mouse 0 computer_mouse 0 000 | animal\n";
  const std::string adjectives = "00000000 00 s 02 handy 0 ready(p) 0 000 | near\n";
  WordNetFiles noun{"  1 licence\neffusion n 1 0 1 0 00000000  \nmouse n 1 0 1 0 00000052  \n", nouns,
                    "mice mouse\n"};
  WordNetFiles adjective{"handy a 1 0 1 0 00000000\n", adjectives, ""};
  return {noun, WordNetFiles{}, adjective, WordNetFiles{}};
}

using Words = std::vector<std::string>;

}  // namespace

TEST(WordNet, gives_single_words_of_every_meaning_of_the_base_form) {
  const WordNet net = WordNet::parse(small()).value();
  EXPECT_EQ(net.of("effusion"), (Words{"effusion", "outpouring"}));
  EXPECT_EQ(net.of("effusions"), (Words{"effusion", "outpouring"}));
  EXPECT_EQ(net.of("mice"), Words{"mouse"});
  EXPECT_EQ(net.of("handier"), Words{});
  EXPECT_EQ(net.of("handy"), (Words{"handy", "ready"}));
  EXPECT_EQ(net.of(""), Words{});
}

TEST(WordNet, lets_meteor_align_synonyms) {
  const WordNet net = WordNet::parse(small()).value();
  EXPECT_EQ(meteor({"outpouring"}, {"effusions"}), 0);
  EXPECT_NEAR(meteor({"outpouring"}, {"effusions"}, &net), 0.5, 1e-12);
}

TEST(WordNet, names_the_line_of_a_broken_index) {
  auto files = small();
  files[0].index += "nodule n 1 0 1 0 99999999\n";
  const auto broken = WordNet::parse(files);
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().text(), "line 4: a meaning lies beyond the end of the data");
  files[0].index = "nodule n x\n";
  EXPECT_FALSE(WordNet::parse(files).ok());
}

}  // namespace fiducial
