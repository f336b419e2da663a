#include "fiducial/text/rouge.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "fiducial/text/common_subsequence.h"
#include "fiducial/text/porter_stemmer.h"

namespace fiducial {

namespace {

RougeScore rouge_score(std::size_t hits, std::size_t reference, std::size_t prediction) {
  const auto ratio = [hits](std::size_t of) {
    return static_cast<double>(hits) / static_cast<double>(std::max<std::size_t>(of, 1));
  };
  RougeScore out{.precision = ratio(prediction), .recall = ratio(reference)};
  const double sum = out.precision + out.recall;
  out.f1 = sum > 0 ? 2 * out.precision * out.recall / sum : 0.0;
  return out;
}

std::vector<std::vector<WordId>> sentences(RougeWords& words, std::string_view text) {
  std::vector<std::vector<WordId>> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) out.push_back(words.words(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

using WordCounts = std::unordered_map<WordId, std::int64_t>;

WordCounts counts(const std::vector<std::vector<WordId>>& sentences) {
  WordCounts out;
  for (const auto& sentence : sentences) {
    for (const WordId word : sentence) ++out[word];
  }
  return out;
}

std::size_t total(const std::vector<std::vector<WordId>>& sentences) {
  std::size_t out = 0;
  for (const auto& sentence : sentences) out += sentence.size();
  return out;
}

// Places of a reference sentence that stand in its common subsequence with any predicted sentence.
std::vector<std::size_t> union_places(const std::vector<WordId>& reference,
                                      const std::vector<std::vector<WordId>>& prediction) {
  std::vector<std::size_t> out;
  for (const auto& sentence : prediction) {
    const auto places = common_subsequence_places(reference, sentence);
    out.insert(out.end(), places.begin(), places.end());
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

RougeScore rouge_of_sentences(const std::vector<std::vector<WordId>>& reference,
                              const std::vector<std::vector<WordId>>& prediction) {
  const std::size_t reference_words = total(reference);
  const std::size_t predicted_words = total(prediction);
  if (reference_words == 0 || predicted_words == 0) return {};
  WordCounts left_in_reference = counts(reference);
  WordCounts left_in_prediction = counts(prediction);
  std::size_t hits = 0;
  for (const auto& sentence : reference) {
    for (const std::size_t place : union_places(sentence, prediction)) {
      const auto predicted = left_in_prediction.find(sentence[place]);
      std::int64_t& known = left_in_reference[sentence[place]];
      if (predicted == left_in_prediction.end() || predicted->second <= 0 || known <= 0) continue;
      ++hits;
      --predicted->second;
      --known;
    }
  }
  return rouge_score(hits, reference_words, predicted_words);
}

bool is_rouge_word(unsigned char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

}  // namespace

WordId RougeWords::id_of(std::string_view word) {
  if (stemming_ == Stemming::none) return stems_.id_of(word);
  const auto known = ids_.find(word);
  if (known != ids_.end()) return known->second;
  const WordId id = stems_.id_of(word.size() > 3 ? porter_stem(word) : std::string(word));
  ids_.emplace(std::string(word), id);
  return id;
}

std::vector<WordId> RougeWords::words(std::string_view text) {
  std::vector<WordId> out;
  out.reserve(text.size() / 5);
  word_.clear();
  const auto finish = [&] {
    if (!word_.empty()) out.push_back(id_of(word_));
    word_.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto c = static_cast<unsigned char>(text[i]);
    if (c >= 'A' && c <= 'Z') c = static_cast<unsigned char>(c - 'A' + 'a');
    if (is_rouge_word(c)) {
      word_.push_back(static_cast<char>(c));
    } else if (c == 0xC4 && text.substr(i).starts_with("\xC4\xB0")) {
      // Capital I with a dot becomes i and a combining dot, which ends the word.
      word_.push_back('i');
      finish();
      ++i;
    } else if (c == 0xE2 && text.substr(i).starts_with("\xE2\x84\xAA")) {
      word_.push_back('k');  // the sign for kelvin
      i += 2;
    } else {
      finish();
    }
  }
  finish();
  return out;
}

RougeScores rouge(RougeWords& words, std::string_view reference, std::string_view prediction) {
  const std::vector<WordId> a = words.words(reference);
  const std::vector<WordId> b = words.words(prediction);
  const WordOverlap::Counts shared = words.overlap(a, b);
  RougeScores out;
  out.rouge_1 = rouge_score(shared.words, a.size(), b.size());
  out.rouge_2 = rouge_score(shared.pairs, a.size() - std::min<std::size_t>(a.size(), 1),
                            b.size() - std::min<std::size_t>(b.size(), 1));
  out.rouge_l = rouge_score(shared.subsequence, a.size(), b.size());
  const bool one_line =
      reference.find('\n') == std::string_view::npos && prediction.find('\n') == std::string_view::npos;
  // With one sentence on each side the common subsequence is the same.
  out.rouge_lsum =
      one_line ? out.rouge_l : rouge_of_sentences(sentences(words, reference), sentences(words, prediction));
  return out;
}

}  // namespace fiducial
