#include "fiducial/text/answer_tokens.h"

#include <algorithm>
#include <map>
#include <optional>

#include "fiducial/base/ascii.h"
#include "fiducial/text/folded_words.h"
#include "fiducial/text/reply_characters.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

constexpr std::string_view answer_letters = "ABCDE";

char capital(char c) { return is_small(c) ? static_cast<char>(c - 32) : c; }

// Scripts that write words without spaces between them, or with signs that are no letters.
bool runs_words_together(char32_t point) {
  return (point >= 0x0900 && point <= 0x0DFF) || (point >= 0x0E00 && point <= 0x0FFF) ||
         (point >= 0x1000 && point <= 0x109F) || (point >= 0x1100 && point <= 0x11FF) ||
         (point >= 0x1780 && point <= 0x17FF) || (point >= 0x3040 && point <= 0x31FF) ||
         (point >= 0x3400 && point <= 0x9FFF) || (point >= 0xAC00 && point <= 0xD7AF) ||
         (point >= 0xF900 && point <= 0xFAFF) || (point >= 0x20000 && point <= 0x2FFFF);
}

bool is_spaced_word(char32_t point) {
  return is_word_character(point) && !runs_words_together(point) && point != U'_';
}

// A Cyrillic or Greek letter that looks like an option's, and the Cyrillic second letter.
char look_alike(std::string_view word) {
  constexpr std::string_view pairs[] = {"АA", "аA", "ВB", "вB", "БB", "бB", "СC", "сC",
                                        "ЕE", "еE", "ΑA", "αA", "ΒB", "βB", "ΕE", "εE"};
  for (const std::string_view pair : pairs) {
    if (word.size() == 2 && pair.starts_with(word)) return pair[2];
  }
  return 0;
}

// Texts as lists of folded words, and what each stands for.
using WordList = std::vector<std::string>;

WordList folded_list(std::string_view text) {
  WordList out;
  for (FoldedWord& word : folded_words(text)) {
    if (word.text != "?") out.push_back(std::move(word.text));
  }
  return out;
}

// A token with the word that it was.
struct Piece {
  AnswerToken token;
  std::string verbatim;
  WordList folded;  // the word as option texts are compared
};

class Tokenizer {
 public:
  Tokenizer(std::string_view reply, const std::array<std::string, 5>& options)
      : text_(plain_characters(reply)), rest_(text_), options_(options) {}

  std::vector<Piece> pieces() {
    while (!rest_.empty()) step();
    mark('.');
    return std::move(out_);
  }

 private:
  void step() {
    const FirstCodePoint point = first_code_point(rest_);
    if (rest_[0] == boxed_mark) return boxed();
    if (is_spaced_word(point.value)) return word();
    if (runs_words_together(point.value)) return joined_word(point.bytes);
    const char c = rest_[0];
    rest_.remove_prefix(point.bytes);
    if (point.bytes > 1) return;
    if (c == '\n') return line_end();
    if (is_space(c)) return;
    punctuation(c);
  }

  bool at_line_start() const { return out_.empty() || out_.back().token.mark == '\n'; }

  void mark(char c) {
    AnswerToken token;
    token.mark = c;
    if (c == ':') token.role = AnswerRole::is;
    out_.push_back({std::move(token), "", {}});
  }

  void punctuation(char c) {
    switch (c) {
      case '.':
        if (!rest_.empty() && is_digit(rest_[0])) return;
        if (ends_abbreviation()) return;
        return mark('.');
      case '!':
      case ';':
      case '|':
        return mark('.');
      case '?':
      case ',':
        return mark(c);
      case ':':
      case '=':
        return mark(':');
      case '-':
        if (!at_line_start()) mark('-');
        return;
      case '(':
      case '[':
        if (!checkbox()) mark('(');
        return;
      case ')':
      case ']':
        return mark(')');
      case '/':
      case '&':
      case '+': {
        AnswerToken token;
        token.role = AnswerRole::join;
        token.word = c;
        out_.push_back({std::move(token), "", {}});
        return;
      }
      default:
        return;
    }
  }

  // "[x] B" ticks B, "[ ] A" leaves A alone.
  bool checkbox() {
    if (rest_.size() < 2 || rest_[1] != ']' || !at_line_start()) return false;
    if (rest_[0] != 'x' && rest_[0] != 'X' && rest_[0] != ' ') return false;
    add_word(rest_[0] == ' ' ? "wrong" : "correct", "");
    rest_.remove_prefix(2);
    return true;
  }

  // The full stop of "vs." or of a number at the start of a line ends no sentence.
  bool ends_abbreviation() const {
    if (out_.empty()) return false;
    const std::string& word = out_.back().token.word;
    if (word == "vs" || word == "eg" || word == "ie" || word == "dr" || word == "fig" || word == "cf" ||
        word == "ca" || word == "ans")
      return true;
    const bool is_number = !word.empty() && std::all_of(word.begin(), word.end(), is_digit);
    return is_number && (out_.size() == 1 || out_[out_.size() - 2].token.mark == '\n');
  }

  // A line that ends in a colon, or that is a heading such as "Final answer", goes on in the next one.
  void line_end() {
    if (out_.empty() || out_.back().token.mark == '\n') return;
    if (out_.back().token.mark == ':') return;
    std::size_t begin = out_.size();
    bool has_cue = false;
    while (begin > 0 && !out_[begin - 1].token.ends_sentence()) {
      const AnswerRole role = out_[--begin].token.role;
      has_cue = has_cue || role == AnswerRole::cue;
      if (role != AnswerRole::cue && role != AnswerRole::filler && role != AnswerRole::support &&
          role != AnswerRole::choice)
        return mark('\n');
    }
    const bool is_line = begin == 0 || out_[begin - 1].token.mark == '\n';
    mark(has_cue && is_line && !out_.back().token.ends_sentence() ? ':' : '\n');
  }

  void boxed() {
    rest_.remove_prefix(1);
    AnswerToken token;
    token.role = AnswerRole::cue;
    token.word = "boxed";
    token.is_boxed = true;
    out_.push_back({std::move(token), "", {}});
    mark(':');
  }

  void joined_word(std::size_t bytes) {
    const RolePrefix known = answer_role_prefix(rest_);
    AnswerToken token;
    token.role = known.role;
    const std::size_t length = known.bytes > 0 ? known.bytes : bytes;
    token.word = rest_.substr(0, length);
    out_.push_back({token, token.word, folded_list(token.word)});
    rest_.remove_prefix(length);
  }

  void add_word(std::string word, std::string verbatim) {
    AnswerToken token;
    token.role = answer_role(word);
    token.word = std::move(word);
    WordList folded = folded_list(token.word);
    out_.push_back({std::move(token), std::move(verbatim), std::move(folded)});
  }

  // A word with the hyphens and apostrophes inside it.
  void word() {
    std::size_t length = 0;
    while (length < rest_.size()) {
      const FirstCodePoint point = first_code_point(rest_.substr(length));
      const bool inner = (rest_[length] == '-' || rest_[length] == '\'' || rest_[length] == '_') &&
                         length > 0 && length + 1 < rest_.size() &&
                         is_spaced_word(first_code_point(rest_.substr(length + 1)).value);
      if (!inner && !is_spaced_word(point.value)) break;
      length += inner ? 1 : point.bytes;
    }
    const std::string verbatim(rest_.substr(0, length));
    rest_.remove_prefix(length);
    if (dotted(verbatim)) return;
    split_word(verbatim);
  }

  // "e.g", "i.e", "U.S": letters with full stops between them are one word.
  bool dotted(const std::string& verbatim) {
    if (verbatim.size() != 1 || rest_.size() < 2 || rest_[0] != '.' || !is_letter(rest_[1])) return false;
    std::size_t length = 0;
    while (length + 1 < rest_.size() && rest_[length] == '.' && is_letter(rest_[length + 1]) &&
           (length + 2 >= rest_.size() || !is_letter(rest_[length + 2])))
      length += 2;
    if (length == 0) return false;
    if (length < rest_.size() && rest_[length] == '.') ++length;
    rest_.remove_prefix(length);
    add_word("eg", verbatim);
    return true;
  }

  // Parts of a word that say different things: "it's", "l'option", "B'dir", "B-Pneumonia", "AnswerB".
  void split_word(const std::string& verbatim) {
    const std::string word = lower_cased(verbatim);
    const std::size_t apostrophe = word.find('\'');
    if (answer_role(word) == AnswerRole::other && apostrophe != std::string::npos) {
      const std::string head = word.substr(0, apostrophe);
      const std::string tail = word.substr(apostrophe + 1);
      if (head == "l" || head == "d" || head == "un") return add_word(tail, verbatim.substr(apostrophe + 1));
      if (head == "n") {  // "n'est pas"
        add_word("not", "");
        return add_word(tail, verbatim.substr(apostrophe + 1));
      }
      if (head == "c" && tail == "est") {
        add_word("it", "");
        return add_word("is", "");
      }
      if (tail == "s" || tail == "d" || tail == "ll" || tail == "m") {
        add_word(head, verbatim.substr(0, apostrophe));
        const AnswerRole role = out_.back().token.role;
        if (tail == "s" && (role == AnswerRole::it || role == AnswerRole::cue)) add_word("is", "");
        return;
      }
      if (head.size() == 1 && is_suffix(tail)) return add_word(head, verbatim.substr(0, 1));
    }
    if (verbatim.size() > 2 && verbatim[1] == '-' && is_capital(verbatim[0]) && begins_option(word)) {
      add_word(word.substr(0, 1), verbatim.substr(0, 1));
      mark('-');
      return add_word(word.substr(2), verbatim.substr(2));
    }
    add_word(word, verbatim);
  }

  static bool is_suffix(const std::string& tail) {
    return tail.size() <= 5 &&
           (tail.starts_with('d') || tail.starts_with('t') || tail == "yi" || tail == "ye");
  }

  bool begins_option(const std::string& word) const {
    const std::size_t at = answer_letters.find(capital(word[0]));
    if (at == std::string_view::npos) return false;
    const WordList own = folded_list(options_[at]);
    return !own.empty() && own[0] == word.substr(2);
  }

  std::string text_;
  std::string_view rest_;
  const std::array<std::string, 5>& options_;
  std::vector<Piece> out_;
};

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

// Replaces the texts of options by mentions, longest first.
class OptionTexts {
 public:
  OptionTexts(const std::array<std::string, 5>& options, bool first_of_equal)
      : names_(names_of(options)), first_of_equal_(first_of_equal) {
    for (const auto& [words, letters] : names_) longest_ = std::max(longest_, words.size());
  }

  std::vector<Piece> replaced(std::vector<Piece> pieces) const {
    std::vector<Piece> out;
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
  Found name_at(const std::vector<Piece>& pieces, std::size_t at) const {
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
    return best;
  }

  Names names_;
  std::size_t longest_ = 1;
  bool first_of_equal_;
};

// Joins words that have a role together.
std::vector<Piece> with_phrases(std::vector<Piece> pieces) {
  std::vector<Piece> out;
  for (std::size_t at = 0; at < pieces.size();) {
    std::string phrase;
    std::size_t best = 1;
    for (std::size_t i = at; i < pieces.size() && i < at + longest_answer_phrase; ++i) {
      const AnswerToken& token = pieces[i].token;
      if (token.word.empty() || token.is_boxed) break;
      phrase += (i == at ? "" : " ") + token.word;
      const AnswerRole role = i == at ? AnswerRole::other : answer_role(phrase);
      if (role == AnswerRole::other) continue;
      best = i + 1 - at;
      pieces[at].token.role = role;
    }
    out.push_back(std::move(pieces[at]));
    if (best > 1) out.back().token.word += " ...";
    at += best;
  }
  return out;
}

// Finds the letters that stand for options.
class LetterFinder {
 public:
  explicit LetterFinder(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {}

  std::vector<Piece> found() {
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
    if (verbatim.size() != 1 || answer_letters.find(capital(verbatim[0])) == std::string_view::npos) return;
    if (is_in_name(at)) return;
    token.is_small = is_small(verbatim[0]) || is_article(at);
    token.letters = capital(verbatim[0]);
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
        return false;
      case AnswerRole::support:
      case AnswerRole::reject:
      case AnswerRole::hypothesis:
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

  std::vector<Piece> pieces_;
};

// Makes one mention of a letter and the text of its own option, whichever stands first.
std::vector<AnswerToken> with_own_texts(std::vector<Piece> pieces) {
  std::vector<AnswerToken> out;
  for (Piece& piece : pieces) {
    AnswerToken& token = piece.token;
    if (!token.is_mention() || out.empty()) {
      out.push_back(std::move(token));
      continue;
    }
    std::size_t before = out.size();
    while (before > 0 && out.size() - before < 3 && out[before - 1].mark != 0 &&
           out[before - 1].mark != '\n' && out[before - 1].mark != '?')
      --before;
    if (before == out.size() && out.back().role == AnswerRole::join && out.back().word == "/") --before;
    AnswerToken* earlier = before > 0 ? &out[before - 1] : nullptr;
    const bool is_pair = earlier != nullptr && earlier->is_mention() && earlier->is_text != token.is_text &&
                         earlier->letters == token.letters;
    // A letter before the text of another option counts as it stands; a comma parts them.
    const bool is_label = earlier != nullptr && earlier->is_mention() && !earlier->is_text && token.is_text &&
                          out.back().mark != ',' && before < out.size();
    if (is_pair && earlier->is_small && before == out.size()) {
      out.back() = std::move(token);  // "a viral pneumonia"
    } else if (is_pair || is_label) {
      out.resize(before);
      out.back().is_text = false;
      out.back().is_small = false;
    } else {
      out.push_back(std::move(token));
    }
  }
  return out;
}

}  // namespace

std::vector<AnswerToken> answer_tokens(std::string_view reply, const std::array<std::string, 5>& options,
                                       bool first_of_equal) {
  std::vector<Piece> pieces = Tokenizer(reply, options).pieces();
  pieces = OptionTexts(options, first_of_equal).replaced(std::move(pieces));
  pieces = with_phrases(std::move(pieces));
  return with_own_texts(LetterFinder(std::move(pieces)).found());
}

}  // namespace fiducial
