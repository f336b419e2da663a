#pragma once

#include <cstdint>
#include <string_view>

#include "fiducial/findings/lexicon.h"

namespace fiducial {

// Whether the rules can read a text.
enum class Legibility {
  readable,
  empty,        // no letter and no digit
  not_english,  // hardly a word of English or of the lexicon; never said of fewer than three words
  no_chest,     // speaks of other parts of the body, and of none of the chest
};

// Counts words across the texts of one report.
class LanguageProbe {
 public:
  explicit LanguageProbe(const Lexicon& lexicon = Lexicon::chest_ct()) : lexicon_(lexicon) {}

  void add(std::string_view text);
  Legibility result() const;

 private:
  bool is_settled() const { return english_ >= 2 && names_chest_; }
  void count_word(std::string_view word);
  void note_part(std::string_view lower);

  const Lexicon& lexicon_;
  std::uint32_t seen_ = 0;   // English function words, a bit each
  std::size_t english_ = 0;  // different ones
  std::size_t words_ = 0;
  std::size_t known_ = 0;  // English ones, and those of the lexicon
  std::size_t foreign_ = 0;
  std::size_t letters_ = 0;
  std::size_t wide_bytes_ = 0;  // of letters beyond ASCII
  bool has_digit_ = false;
  bool names_chest_ = false;
  bool names_other_part_ = false;  // before the chest was named
};

}  // namespace fiducial
