#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fiducial/curate/engine/stage_call.h"

namespace fiducial {

// The words of a language that name sides and denials (data/source_words.txt).
class SourceLanguage {
 public:
  // "tr"; "other" for a language without a table, of which only numbers can be checked.
  static Result<const SourceLanguage*> find(std::string_view code);
  static std::vector<std::string> codes();  // without "en", "other" last

  struct Said {
    bool left = false;
    bool right = false;
    bool denies = false;
  };
  Said said_in(std::string_view text) const;
  bool is_known() const { return !left_.empty(); }
  const std::string& code() const { return code_; }

 private:
  friend class SourceLanguages;
  bool any_of(const std::vector<std::string>& words, const std::string& text) const;

  std::string code_;
  bool is_unspaced_ = false;
  std::vector<std::string> left_, right_, both_, denied_;
};

// The numbers of a text in their order of size, a decimal comma as a point, with the unit behind them where
// it is mm, cm or %, in Latin, Cyrillic, Chinese or Japanese letters.
std::vector<std::string> numbers_in(std::string_view text);

// Holds the translation of a sentence against it: the same numbers and units, the same sides, and a denial
// where it denies and nowhere else.
ItemStatus check_translated(const SourceLanguage& language, std::string_view source,
                            std::string_view english);

}  // namespace fiducial
