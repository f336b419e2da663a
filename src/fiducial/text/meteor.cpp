#include "fiducial/text/meteor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "fiducial/text/porter_stemmer.h"

namespace fiducial {

namespace {

struct Match {
  std::size_t prediction = 0;
  std::size_t reference = 0;
};

struct PlacedWord {
  std::size_t place = 0;
  std::string word;
};

// Words that wait for a partner; matched pairs are taken out stage by stage.
struct Alignment {
  std::vector<PlacedWord> reference;
  std::vector<PlacedWord> prediction;
  std::vector<Match> matches;
};

std::vector<PlacedWord> placed(const std::vector<std::string>& words) {
  std::vector<PlacedWord> out;
  for (std::size_t i = 0; i < words.size(); ++i) out.push_back({i, words[i]});
  return out;
}

using WordsFor = std::function<std::vector<std::string>(const std::string&)>;

// From the last predicted word to the first, takes the last free reference word that is among its words.
void align(Alignment& alignment, const WordsFor& reference_word, const WordsFor& predicted_words) {
  std::unordered_map<std::string, std::vector<std::size_t>> places;  // ascending
  for (std::size_t j = 0; j < alignment.reference.size(); ++j) {
    for (const std::string& word : reference_word(alignment.reference[j].word)) places[word].push_back(j);
  }
  std::vector<bool> reference_used(alignment.reference.size());
  std::vector<bool> prediction_used(alignment.prediction.size());
  for (std::size_t i = alignment.prediction.size(); i-- > 0;) {
    std::vector<std::size_t>* best = nullptr;
    for (const std::string& word : predicted_words(alignment.prediction[i].word)) {
      const auto found = places.find(word);
      if (found == places.end() || found->second.empty()) continue;
      if (best == nullptr || found->second.back() > best->back()) best = &found->second;
    }
    if (best == nullptr) continue;
    const std::size_t j = best->back();
    best->pop_back();
    alignment.matches.push_back({alignment.prediction[i].place, alignment.reference[j].place});
    reference_used[j] = true;
    prediction_used[i] = true;
  }
  const auto keep_free = [](std::vector<PlacedWord>& words, const std::vector<bool>& used) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!used[i]) std::swap(words[kept++], words[i]);
    }
    words.resize(kept);
  };
  keep_free(alignment.reference, reference_used);
  keep_free(alignment.prediction, prediction_used);
}

void stem_words(std::vector<PlacedWord>& words) {
  for (PlacedWord& each : words) each.word = porter_stem(each.word);
}

// Runs of matches that are next to each other on both sides.
std::size_t chunks(std::vector<Match> matches) {
  std::sort(matches.begin(), matches.end(),
            [](const Match& a, const Match& b) { return a.prediction < b.prediction; });
  std::size_t count = 1;
  for (std::size_t i = 1; i < matches.size(); ++i) {
    const bool follows = matches[i].prediction == matches[i - 1].prediction + 1 &&
                         matches[i].reference == matches[i - 1].reference + 1;
    if (!follows) ++count;
  }
  return count;
}

}  // namespace

double meteor(const std::vector<std::string>& reference, const std::vector<std::string>& prediction,
              const Synonyms* synonyms) {
  constexpr double alpha = 0.9;
  constexpr double gamma = 0.5;
  Alignment alignment{placed(reference), placed(prediction), {}};
  const WordsFor itself = [](const std::string& word) { return std::vector<std::string>{word}; };
  const WordsFor stem = [](const std::string& word) { return std::vector<std::string>{porter_stem(word)}; };
  align(alignment, itself, itself);
  align(alignment, stem, stem);
  if (synonyms != nullptr) {
    // NLTK looks up what the stage before has left: stems.
    stem_words(alignment.reference);
    stem_words(alignment.prediction);
    align(alignment, itself, [synonyms](const std::string& word) {
      std::vector<std::string> words = synonyms->of(word);
      words.push_back(word);
      return words;
    });
  }
  if (alignment.matches.empty()) return 0;
  const auto matched = static_cast<double>(alignment.matches.size());
  const double precision = matched / static_cast<double>(prediction.size());
  const double recall = matched / static_cast<double>(reference.size());
  const double mean = precision * recall / (alpha * precision + (1 - alpha) * recall);
  const double fragmentation = static_cast<double>(chunks(alignment.matches)) / matched;
  return (1 - gamma * fragmentation * fragmentation * fragmentation) * mean;
}

}  // namespace fiducial
