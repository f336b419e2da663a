#include "fiducial/text/wordnet.h"

#include <gtest/gtest.h>

namespace fiducial {

namespace {

// A database of few words: cyst and sac, mouse with an irregular plural, ready and handy.
std::array<WordNetFiles, 4> small() {
  const std::string nouns =
      "00000000 05 n 02 cyst 0 sac 0 000 | flow\n"
      "00000050 05 n 02 mouse 0 computer_mouse 0 000 | animal\n";
  const std::string adjectives = "00000000 00 s 02 handy 0 ready(p) 0 000 | near\n";
  WordNetFiles noun{"  1 licence\ncyst n 1 0 1 0 00000000  \nmouse n 1 0 1 0 00000041  \n", nouns,
                    "mice mouse\n"};
  WordNetFiles adjective{"handy a 1 0 1 0 00000000\n", adjectives, ""};
  return {noun, WordNetFiles{}, adjective, WordNetFiles{}};
}

using Words = std::vector<std::string>;

}  // namespace

TEST(WordNet, gives_single_words_of_every_meaning_of_the_base_form) {
  const WordNet net = WordNet::parse(small()).value();
  EXPECT_EQ(net.of("cyst"), (Words{"cyst", "sac"}));
  EXPECT_EQ(net.of("cysts"), (Words{"cyst", "sac"}));
  EXPECT_EQ(net.of("mice"), Words{"mouse"});
  EXPECT_EQ(net.of("handier"), Words{});
  EXPECT_EQ(net.of("handy"), (Words{"handy", "ready"}));
  EXPECT_EQ(net.of(""), Words{});
}

TEST(WordNet, lets_meteor_align_synonyms) {
  const WordNet net = WordNet::parse(small()).value();
  EXPECT_EQ(meteor({"ready"}, {"handy"}), 0);
  EXPECT_EQ(meteor({"mouse"}, {"mice"}, &net), 0);  // stems, "mous" and "mice", have no synonyms
  EXPECT_NEAR(meteor({"sac"}, {"cysts"}, &net), 0.5, 1e-12);
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
