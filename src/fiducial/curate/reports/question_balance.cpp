#include "fiducial/curate/reports/question_balance.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace fiducial {

std::uint32_t QuestionBalance::number_of(std::string_view text, Numbers& numbers) {
  const auto known = numbers.find(text);
  if (known != numbers.end()) return known->second;
  return numbers.emplace(std::string(text), static_cast<std::uint32_t>(numbers.size())).first->second;
}

void QuestionBalance::add(std::string_view key, std::string_view answer) {
  questions_.push_back({number_of(key, keys_), number_of(answer, answers_)});
}

std::vector<std::uint32_t> QuestionBalance::grouped() const {
  std::vector<std::uint32_t> order(questions_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
    const Question& one = questions_[a];
    const Question& other = questions_[b];
    return std::tie(one.key, one.answer, a) < std::tie(other.key, other.answer, b);
  });
  return order;
}

std::size_t most_of_an_answer(const std::vector<std::size_t>& counts, double most_above_chance) {
  if (counts.size() < 2) return 0;
  const double highest = 1.0 / static_cast<double>(counts.size()) + most_above_chance;
  const auto fits = [&](std::size_t most) {
    std::size_t kept = 0;
    for (const std::size_t count : counts) kept += std::min(count, most);
    return static_cast<double>(most) <= highest * static_cast<double>(kept);
  };
  std::size_t low = 1;  // one of each is as even as can be
  std::size_t high = *std::max_element(counts.begin(), counts.end());
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (fits(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

std::vector<bool> QuestionBalance::chosen(PythonRandom& random) const {
  std::vector<bool> out(questions_.size());
  const std::vector<std::uint32_t> order = grouped();
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    std::vector<std::size_t> counts;
    for (std::uint32_t last = 0;
         end < order.size() && questions_[order[end]].key == questions_[order[begin]].key; ++end) {
      const std::uint32_t answer = questions_[order[end]].answer;
      if (counts.empty() || answer != last) counts.push_back(0);
      ++counts.back();
      last = answer;
    }
    const std::size_t most = most_of_an_answer(counts, most_above_chance);
    std::size_t first = begin;
    for (const std::size_t count : counts) {
      for (const std::size_t at : random.sample(count, std::min(count, most))) out[order[first + at]] = true;
      first += count;
    }
  }
  return out;
}

std::map<std::string, GuessedShare> QuestionBalance::guessed(const std::vector<bool>* chosen) const {
  std::vector<std::string_view> names(keys_.size());
  for (const auto& [key, number] : keys_) names[number] = std::string_view(key).substr(0, key.find('\n'));
  std::map<std::string, GuessedShare> out;
  const std::vector<std::uint32_t> order = grouped();
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    const std::uint32_t key = questions_[order[begin]].key;
    std::map<std::uint32_t, std::int64_t> counts;
    std::int64_t all = 0;
    for (; end < order.size() && questions_[order[end]].key == key; ++end) {
      if (chosen != nullptr && !(*chosen)[order[end]]) continue;
      ++counts[questions_[order[end]].answer];
      ++all;
    }
    if (all == 0) continue;
    std::int64_t most = 0;
    for (const auto& [answer, count] : counts) most = std::max(most, count);
    GuessedShare& family = out[std::string(names[key])];
    family.questions += all;
    family.best_guess += static_cast<double>(most);  // sums, until all keys are in
    family.chance += static_cast<double>(all) / static_cast<double>(counts.size());
  }
  for (auto& [name, family] : out) {
    family.best_guess /= static_cast<double>(family.questions);
    family.chance /= static_cast<double>(family.questions);
  }
  return out;
}

}  // namespace fiducial
