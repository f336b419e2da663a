#include "fiducial/datasets/radgenome/word_guess.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fiducial/base/random.h"
#include "fiducial/datasets/radgenome/blind.h"

namespace fiducial::radgenome {

namespace {

// What the questions of one half say: how often each word stands beside each answer.
struct WordCounts {
  explicit WordCounts(std::size_t words) : of_word(words) {}

  void add(const std::vector<std::uint32_t>& words, bool is_yes) {
    ++questions[is_yes ? 1 : 0];
    for (const std::uint32_t word : words) {
      ++of_word[word][is_yes ? 1 : 0];
      ++all_words[is_yes ? 1 : 0];
    }
  }

  bool guesses_yes(const std::vector<std::uint32_t>& words) const {
    const auto log_share = [](std::int64_t part, std::int64_t whole) {
      return std::log(static_cast<double>(part + 1) / static_cast<double>(whole));
    };
    const auto vocabulary = static_cast<std::int64_t>(of_word.size());
    double for_yes = log_share(questions[1], 1) - log_share(questions[0], 1);
    for (const std::uint32_t word : words) {
      for_yes += log_share(of_word[word][1], all_words[1] + vocabulary) -
                 log_share(of_word[word][0], all_words[0] + vocabulary);
    }
    return for_yes > 0;
  }

  std::array<std::int64_t, 2> questions{};
  std::array<std::int64_t, 2> all_words{};
  std::vector<std::array<std::int64_t, 2>> of_word;
};

std::size_t vocabulary_of(const std::vector<std::vector<std::uint32_t>>& words_of_wording) {
  std::size_t out = 0;
  for (const auto& words : words_of_wording) {
    for (const std::uint32_t word : words) out = std::max<std::size_t>(out, word + 1);
  }
  return out;
}

}  // namespace

std::optional<double> word_accuracy(const std::vector<WordedQuestion>& questions,
                                    const std::vector<std::vector<std::uint32_t>>& words_of_wording,
                                    std::uint64_t seed) {
  std::uint32_t patients = 0;
  for (const WordedQuestion& each : questions) patients = std::max(patients, each.patient + 1);
  if (patients < 2) return std::nullopt;
  const std::size_t vocabulary = vocabulary_of(words_of_wording);
  Random random(seed, "blind");
  std::int64_t right = 0;
  for (int i = 0; i < blind_halvings; ++i) {
    const std::vector<std::uint8_t> half_of = halved_patients(patients, random);
    std::array<WordCounts, 2> learnt{WordCounts(vocabulary), WordCounts(vocabulary)};
    for (const WordedQuestion& each : questions)
      learnt.at(half_of[each.patient]).add(words_of_wording[each.wording], each.is_yes);
    for (const WordedQuestion& each : questions) {
      const WordCounts& other = learnt.at(1U - half_of[each.patient]);
      right += other.guesses_yes(words_of_wording[each.wording]) == each.is_yes ? 1 : 0;
    }
  }
  return static_cast<double>(right) / (blind_halvings * static_cast<double>(questions.size()));
}

}  // namespace fiducial::radgenome
