#include "fiducial/text/vocabulary.h"

#include <map>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"

namespace fiducial {
namespace {

TEST(Vocabulary, numbers_words_as_an_ordinary_map_does) {
  constexpr std::string_view letters{"ab\0\xFF", 4};
  Random random(7);
  Vocabulary vocabulary;
  std::map<std::string, WordId> obvious;
  for (int i = 0; i < 20000; ++i) {
    std::string word(random.below(20), ' ');
    for (char& letter : word) letter = letters[random.below(letters.size())];
    const auto expected = obvious.try_emplace(word, static_cast<WordId>(obvious.size())).first->second;
    ASSERT_EQ(vocabulary.id_of(word), expected) << word;
  }
  EXPECT_EQ(vocabulary.size(), obvious.size());
}

}  // namespace
}  // namespace fiducial
