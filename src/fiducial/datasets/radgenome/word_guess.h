#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace fiducial::radgenome {

// A yes/no question as somebody sees it who does not look at the image.
struct WordedQuestion {
  std::uint32_t patient = 0;
  std::uint32_t wording = 0;  // of words_of_wording
  bool is_yes = false;
};

// How often the answer is right that the words of a question speak for (naive Bayes, one added to every
// count), learnt from one half of the patients and asked in the other, both ways, in five seeded halvings.
// Nothing where there are fewer than two patients.
std::optional<double> word_accuracy(const std::vector<WordedQuestion>& questions,
                                    const std::vector<std::vector<std::uint32_t>>& words_of_wording,
                                    std::uint64_t seed);

}  // namespace fiducial::radgenome
