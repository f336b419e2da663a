#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fiducial/base/python_random.h"
#include "fiducial/text/vocabulary.h"

namespace fiducial {

// How often the most frequent answer to questions of one key is right, and how often that is for questions
// whose answers are all as frequent.
struct GuessedShare {
  std::int64_t questions = 0;
  double best_guess = 0;
  double chance = 0;
};

// Which of the questions with open answers to ask, so that what is asked does not tell the answer.
//
// A key is all that a question says: its family, finding and region. Of each key no answer is kept so often
// that always giving it would be right in more than `most_above_chance` beyond one in as many answers as
// there are; where all questions of a key have one answer, none is asked. Memory: eight bytes a question, and
// every key and answer once.
class QuestionBalance {
 public:
  static constexpr double most_above_chance = 0.04;

  void add(std::string_view key, std::string_view answer);
  std::size_t size() const { return questions_.size(); }

  // For every question, in the order they were added, whether it is asked.
  std::vector<bool> chosen(PythonRandom& random) const;
  // Of the questions chosen, or of all, by family: the first line of their key.
  std::map<std::string, GuessedShare> guessed(const std::vector<bool>* chosen) const;

 private:
  struct Question {
    std::uint32_t key = 0;
    std::uint32_t answer = 0;
  };
  using Numbers = std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>>;

  static std::uint32_t number_of(std::string_view text, Numbers& numbers);
  // The questions by key and answer, each group in their order.
  std::vector<std::uint32_t> grouped() const;

  std::vector<Question> questions_;
  Numbers keys_;
  Numbers answers_;
};

// The most of each answer that may be kept of a key whose answers stand so often; 0 where there is one alone.
std::size_t most_of_an_answer(const std::vector<std::size_t>& counts, double most_above_chance);

}  // namespace fiducial
