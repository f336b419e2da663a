#include "fiducial/text/meteor.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "fiducial/text/porter_stemmer.h"

namespace fiducial {

WordId MeteorScorer::stem_id(std::string_view stem) {
  const WordId id = stems_.id_of(stem);
  if (id == stem_texts_.size()) stem_texts_.emplace_back(stem);
  return id;
}

MeteorScorer::Side MeteorScorer::side(std::span<const std::string> words) {
  Side out;
  out.words.reserve(words.size());
  out.stems.reserve(words.size());
  for (const std::string& word : words) {
    const WordId id = words_.id_of(word);
    if (id == stem_of_.size()) stem_of_.push_back(stem_id(porter_stem(word)));
    out.words.push_back(id);
    out.stems.push_back(stem_of_[id]);
  }
  out.free_places.resize(words.size());
  std::iota(out.free_places.begin(), out.free_places.end(), 0U);
  return out;
}

const std::vector<WordId>& MeteorScorer::words_for(WordId stem) {
  if (words_for_.size() <= stem) words_for_.resize(stem_texts_.size());
  if (words_for_[stem].empty()) {
    std::vector<WordId> found{stem};
    for (const std::string& synonym : synonyms_->of(stem_texts_[stem])) found.push_back(stem_id(synonym));
    last_.resize(std::max(last_.size(), stem_texts_.size()));
    words_for_[stem] = std::move(found);
  }
  return words_for_[stem];
}

// From the last predicted word to the first, takes the last free reference word that is among its words.
template <typename WordsFor>
void MeteorScorer::align(Side& reference, Side& prediction, std::vector<WordId> Side::*keys,
                         const WordsFor& words_for) {
  const std::vector<WordId>& known = reference.*keys;
  before_.resize(known.size());
  for (const std::uint32_t place : reference.free_places) {
    std::uint32_t& last = last_[known[place]];
    before_[place] = last;
    last = place + 1;
  }
  const auto& said = prediction.*keys;
  const auto is_left_over = [&](std::uint32_t place) {
    std::uint32_t best = 0;
    for (const WordId word : words_for(said[place])) best = std::max(best, last_[word]);
    if (best == 0) return true;
    last_[known[best - 1]] = before_[best - 1];
    partners_[place] = best;
    return false;
  };
  auto& waiting = prediction.free_places;
  auto kept = waiting.end();
  for (auto each = waiting.end(); each != waiting.begin();) {
    if (is_left_over(*--each)) *--kept = *each;
  }
  waiting.erase(waiting.begin(), kept);
  // What a list still leads to is free.
  std::vector<std::uint32_t> left;
  for (const std::uint32_t place : reference.free_places) {
    for (std::uint32_t at = std::exchange(last_[known[place]], 0); at != 0; at = before_[at - 1]) {
      left.push_back(at - 1);
    }
  }
  std::sort(left.begin(), left.end());
  reference.free_places = std::move(left);
}

// From the matches so far.
double MeteorScorer::value(std::size_t reference_words) const {
  constexpr double alpha = 0.9;
  constexpr double gamma = 0.5;
  std::size_t matches = 0;
  std::size_t chunks = 0;  // runs of matches that are next to each other on both sides
  for (std::size_t i = 0; i < partners_.size(); ++i) {
    if (partners_[i] == 0) continue;
    ++matches;
    if (i == 0 || partners_[i - 1] == 0 || partners_[i] != partners_[i - 1] + 1) ++chunks;
  }
  if (matches == 0) return 0;
  const auto matched = static_cast<double>(matches);
  const double precision = matched / static_cast<double>(partners_.size());
  const double recall = matched / static_cast<double>(reference_words);
  const double mean = precision * recall / (alpha * precision + (1 - alpha) * recall);
  const double fragmentation = static_cast<double>(chunks) / matched;
  return (1 - gamma * fragmentation * fragmentation * fragmentation) * mean;
}

MeteorScorer::Scores MeteorScorer::score(std::span<const std::string> reference,
                                         std::span<const std::string> prediction) {
  Side known = side(reference);
  Side said = side(prediction);
  partners_.assign(prediction.size(), 0);
  last_.resize(std::max({last_.size(), words_.size(), stem_texts_.size()}));
  const auto itself = [](WordId word) { return std::array<WordId, 1>{word}; };
  align(known, said, &Side::words, itself);
  align(known, said, &Side::stems, itself);
  Scores out{.plain = value(reference.size())};
  out.with_synonyms = out.plain;
  if (synonyms_ == nullptr || known.free_places.empty() || said.free_places.empty()) return out;
  // NLTK looks up what the stage before has left: stems.
  align(known, said, &Side::stems,
        [this](WordId stem) -> const std::vector<WordId>& { return words_for(stem); });
  out.with_synonyms = value(reference.size());
  return out;
}

double meteor(const std::vector<std::string>& reference, const std::vector<std::string>& prediction,
              const Synonyms* synonyms) {
  return MeteorScorer(synonyms).score(reference, prediction).with_synonyms;
}

}  // namespace fiducial
