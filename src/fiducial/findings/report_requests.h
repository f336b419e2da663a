#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "fiducial/findings/report_words.h"

namespace fiducial {

// What a report was asked for, in the words and signs of a sentence as they are written: it finds nothing.

// The words and signs of a sentence as they are written, each looked up when it is asked for.
class WrittenWords {
 public:
  // `sentence` holds indices of `words`; all of it must outlive this.
  WrittenWords(std::string_view text, std::span<const ReportWord> words,
               std::span<const std::uint32_t> sentence)
      : text_(text), words_(words), sentence_(sentence) {}

  std::size_t size() const { return sentence_.size(); }
  std::string_view operator[](std::size_t at) const {
    const ReportWord& word = words_[sentence_[at]];
    return text_.substr(word.begin, word.size());
  }

 private:
  std::string_view text_;
  std::span<const ReportWord> words_;
  std::span<const std::uint32_t> sentence_;
};

// Where what is asked for begins: behind "to exclude", "CT to rule out", "please assess for", "r/o", "query".
std::optional<std::size_t> begin_of_request(const WrittenWords& words);

// Whether the words before a colon announce it: "Clinical question", "Indication", "Reason for exam".
bool is_request_heading(const WrittenWords& words);

// Whether a sentence ends in "N/A" or "not applicable".
bool ends_not_applicable(const WrittenWords& words);

}  // namespace fiducial
