#include "fiducial/text/rouge.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>

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

// A letter or digit of a word in lower case; 0 for what stands between words.
constexpr std::array<char, 256> word_letters = [] {
  std::array<char, 256> out{};
  for (char c = '0'; c <= '9'; ++c) out[static_cast<unsigned char>(c)] = c;
  for (char c = 'a'; c <= 'z'; ++c) {
    out[static_cast<unsigned char>(c)] = c;
    out[static_cast<unsigned char>(c - 'a' + 'A')] = c;
  }
  return out;
}();

char word_letter(char c) { return word_letters[static_cast<unsigned char>(c)]; }

// Two signs of more than one byte whose lower case has letters of a to z: capital I with a dot, and kelvin's.
bool may_hold_letters(char c) { return c == '\xC4' || c == '\xE2'; }

}  // namespace

WordId RougeWords::id_of(std::string_view word) {
  if (stemming_ == Stemming::none) return stems_.id_of(word);
  const WordId known = unstemmed_.id_of(word);
  if (known == stem_ids_.size()) {
    stem_ids_.push_back(stems_.id_of(word.size() > 3 ? porter_stem(word) : std::string(word)));
  }
  return stem_ids_[known];
}

// The bytes of the word that begins the text, put into word_.
std::size_t RougeWords::read_word(std::string_view text) {
  word_.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (const char letter = word_letter(text[i]); letter != 0) {
      word_.push_back(letter);
    } else if (text.substr(i).starts_with("\xC4\xB0")) {
      word_.push_back('i');  // and a combining dot, which ends the word
      return i + 2;
    } else if (text.substr(i).starts_with("\xE2\x84\xAA")) {
      word_.push_back('k');
      i += 2;
    } else {
      return i;
    }
  }
  return text.size();
}

std::vector<WordId> RougeWords::words(std::string_view text) {
  std::vector<WordId> out;
  out.reserve(text.size() / 5);
  while (!text.empty()) {
    std::size_t size = 0;
    bool is_lower_case = true;
    for (char letter = 0; size < text.size() && (letter = word_letter(text[size])) != 0; ++size) {
      is_lower_case = is_lower_case && letter == text[size];
    }
    const bool is_plain = size == text.size() || !may_hold_letters(text[size]);
    if (is_plain && is_lower_case) {
      if (size > 0) out.push_back(id_of({text.data(), size}));
    } else {
      size = read_word(text);
      if (!word_.empty()) out.push_back(id_of(word_));
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));  // a byte between words at least
  }
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
