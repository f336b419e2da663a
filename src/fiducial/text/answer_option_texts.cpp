#include "fiducial/text/answer_option_texts.h"

#include <algorithm>
#include <map>

namespace fiducial {

namespace {

// Names under which options are mentioned: their texts, without brackets, what brackets hold, either side of
// a slash.
using Names = std::map<WordList, std::string>;

void add_name(Names& names, std::string_view text, std::size_t option, bool whole) {
  WordList words = folded_list(text);
  std::size_t length = 0;
  for (const std::string& word : words) length += word.size();
  if (words.empty() || (!whole && length < 3)) return;
  if (words.size() == 1 && words[0].size() == 1) return;  // a letter is not told from an option's
  std::string& letters = names[std::move(words)];
  if (letters.find(answer_letters[option]) == std::string::npos) letters += answer_letters[option];
}

Names names_of(const std::array<std::string, 5>& options) {
  Names parts;
  Names wholes;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string_view text = options[i];
    add_name(wholes, text, i, true);
    const std::size_t open = text.find('(');
    const std::size_t close = text.find(')', std::min(open, text.size()));
    if (open != std::string_view::npos && close != std::string_view::npos) {
      add_name(parts, std::string(text.substr(0, open)) + " " + std::string(text.substr(close + 1)), i,
               false);
      add_name(parts, text.substr(open + 1, close - open - 1), i, false);
    }
    if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
      add_name(parts, text.substr(0, slash), i, false);
      add_name(parts, text.substr(slash + 1), i, false);
    }
  }
  for (auto& [words, letters] : parts) {
    if (letters.size() == 1) wholes.try_emplace(words, letters);
  }
  return wholes;
}

// The initials of a name of three words or more, in capitals: "FNH" for "Focal nodular hyperplasia".
std::string initials_of(std::string_view option) {
  constexpr std::size_t fewest = 3;
  const WordList words = folded_list(option.substr(0, option.find('(')));
  if (words.size() < fewest) return {};
  std::string out;
  for (const std::string& word : words) out += option_letter(word[0]);
  return out;
}

using Initials = std::map<std::string, std::string, std::less<>>;

Initials initials_of(const std::array<std::string, 5>& options) {
  Initials out;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string initials = initials_of(std::string_view(options[i]));
    if (!initials.empty()) out[initials] += answer_letters[i];
  }
  return out;
}

// Replaces the texts of options by mentions, longest first.
class OptionTexts {
 public:
  OptionTexts(const std::array<std::string, 5>& options, bool first_of_equal)
      : names_(names_of(options)), initials_(initials_of(options)), first_of_equal_(first_of_equal) {
    for (const auto& [words, letters] : names_) longest_ = std::max(longest_, words.size());
  }

  std::vector<AnswerPiece> replaced(std::vector<AnswerPiece> pieces) const {
    std::vector<AnswerPiece> out;
    for (std::size_t at = 0; at < pieces.size();) {
      const auto [letters, length] = name_at(pieces, at);
      if (length == 0) {
        out.push_back(std::move(pieces[at++]));
        continue;
      }
      AnswerToken token;
      token.letters = first_of_equal_ ? letters.substr(0, 1) : letters;
      token.is_text = true;
      out.push_back({std::move(token), "", {}});
      at += length;
    }
    return out;
  }

 private:
  struct Found {
    std::string letters;
    std::size_t length = 0;
  };

  // Marks inside a name do not part its words; the end of a line does.
  Found name_at(const std::vector<AnswerPiece>& pieces, std::size_t at) const {
    if (pieces[at].token.word.empty()) return {};
    WordList words;
    Found best;
    for (std::size_t i = at; i < pieces.size() && words.size() < longest_; ++i) {
      const AnswerToken& token = pieces[i].token;
      if (token.ends_sentence() && token.mark != '.') break;
      if (token.word.empty()) continue;
      words.insert(words.end(), pieces[i].folded.begin(), pieces[i].folded.end());
      const auto found = names_.find(words);
      if (found != names_.end()) best = {found->second, i + 1 - at};
    }
    if (best.length > 0) return best;
    const auto short_name = initials_.find(pieces[at].verbatim);
    if (short_name == initials_.end() || short_name->second.size() > 1) return {};
    return {short_name->second, 1};
  }

  Names names_;
  Initials initials_;
  std::size_t longest_ = 1;
  bool first_of_equal_;
};

}  // namespace

std::vector<AnswerPiece> with_option_texts(std::vector<AnswerPiece> pieces,
                                           const std::array<std::string, 5>& options, bool first_of_equal) {
  return OptionTexts(options, first_of_equal).replaced(std::move(pieces));
}

}  // namespace fiducial
