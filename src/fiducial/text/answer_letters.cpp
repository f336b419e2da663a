#include "fiducial/text/answer_letters.h"

#include <algorithm>

#include "fiducial/base/ascii.h"

namespace fiducial {

namespace {

// A Cyrillic or Greek letter that looks like an option's, and the Cyrillic second letter.
char look_alike(std::string_view word) {
  constexpr std::string_view pairs[] = {"АA", "аA", "ВB", "вB", "БB", "бB", "СC", "сC",
                                        "ЕE", "еE", "ΑA", "αA", "ΒB", "βB", "ΕE", "εE"};
  for (const std::string_view pair : pairs) {
    if (word.size() == 2 && pair.starts_with(word)) return pair[2];
  }
  return 0;
}

// Finds the letters that stand for options.
class LetterFinder {
 public:
  explicit LetterFinder(std::vector<AnswerPiece> pieces) : pieces_(std::move(pieces)) {}

  std::vector<AnswerPiece> found() {
    for (std::size_t at = 0; at < pieces_.size(); ++at) look_at(at);
    return std::move(pieces_);
  }

 private:
  const AnswerToken* neighbour(std::size_t at, int step) const {
    const std::size_t other = at + static_cast<std::size_t>(step);  // wraps around below 0
    return other < pieces_.size() ? &pieces_[other].token : nullptr;
  }

  void look_at(std::size_t at) {
    AnswerToken& token = pieces_[at].token;
    const std::string& verbatim = pieces_[at].verbatim;
    if (const char alike = look_alike(verbatim)) {
      token.letters = alike;
      token.is_small = true;
      return;
    }
    if (is_several(verbatim)) {
      token.letters = verbatim;
      token.is_small = true;
      return;
    }
    if (verbatim.size() != 1 || answer_letters.find(option_letter(verbatim[0])) == std::string_view::npos)
      return;
    if (is_in_name(at)) return;
    token.is_small = is_small(verbatim[0]) || is_article(at);
    token.letters = option_letter(verbatim[0]);
    if (!token.is_small) token.role = AnswerRole::other;
  }

  // "AB", "ACE": letters in their order.
  static bool is_several(const std::string& word) {
    if (word.size() < 2 || word.size() > 5) return false;
    const auto is_option = [](char c) { return answer_letters.find(c) != std::string_view::npos; };
    return std::all_of(word.begin(), word.end(), is_option) && std::is_sorted(word.begin(), word.end());
  }

  bool is_in_name(std::size_t at) const {
    const AnswerToken* before = neighbour(at, -1);
    if (before != nullptr && before->role == AnswerRole::context) return true;
    const AnswerToken* earlier = before != nullptr && before->word == "/" ? neighbour(at, -2) : nullptr;
    if (earlier != nullptr && earlier->word.size() == 1 && !earlier->is_mention()) return true;  // "N/A"
    const AnswerToken* after = neighbour(at, 1);
    if (after == nullptr) return false;
    if (!after->word.empty()) return follows_letter_in_name(after->word);
    const AnswerToken* next = after->mark == '.' ? neighbour(at, 2) : nullptr;
    return next != nullptr && is_species(next->word);
  }

  // "A patient": at the start of a sentence or after a colon, before a word that cannot follow a letter.
  bool is_article(std::size_t at) const {
    const std::string& verbatim = pieces_[at].verbatim;
    if (verbatim != "A") return false;
    const AnswerToken* before = neighbour(at, -1);
    const bool is_first = at == 0 || before->ends_sentence() || before->mark == ':' || before->mark == '-' ||
                          before->mark == ',' || before->mark == '(';
    const AnswerToken* after = neighbour(at, 1);
    if (is_first && after != nullptr && after->is_text) return after->letters != "A";  // "A lung abscess"
    if (!is_first || after == nullptr || after->word.empty()) return false;
    switch (after->role) {
      case AnswerRole::is:
      case AnswerRole::no:
      case AnswerRole::because:
      case AnswerRole::join:
      case AnswerRole::contrast:
      case AnswerRole::instead:
      case AnswerRole::points:
      case AnswerRole::therefore:
      case AnswerRole::it:
      case AnswerRole::inferior:
        return false;
      case AnswerRole::support:
      case AnswerRole::reject:
      case AnswerRole::hypothesis:
        if (const AnswerToken* next = neighbour(at, 2); next != nullptr && next->ends_sentence())
          return false;
        return is_adjective(after->word);
      default:
        return !(after->word == "can" || after->word == "seems" || after->word == "does" ||
                 after->word == "appears" || after->word == "looks" || after->word == "has" ||
                 after->word == "shows" || after->word == "makes" || after->word == "with" ||
                 after->word == "for" || after->word == "in");
    }
  }

  static bool is_adjective(const std::string& phrase) {
    const std::string word = phrase.substr(0, phrase.find(' '));
    return !(word == "fits" || word == "best" || word == "explains" || word == "matches" ||
             word == "accounts" || word == "lacks" || word == "fails" || word == "wins" || word == "would" ||
             word == "could" || word == "might" || word == "may" || word == "stands" || word == "usually" ||
             word == "typically" || word == "often" || word == "yes");
  }

  std::vector<AnswerPiece> pieces_;
};

}  // namespace

std::vector<AnswerPiece> with_option_letters(std::vector<AnswerPiece> pieces) {
  return LetterFinder(std::move(pieces)).found();
}

}  // namespace fiducial
