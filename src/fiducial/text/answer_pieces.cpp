#include "fiducial/text/answer_pieces.h"

#include <algorithm>

#include "fiducial/base/ascii.h"
#include "fiducial/text/folded_words.h"
#include "fiducial/text/reply_characters.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

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

class Tokenizer {
 public:
  Tokenizer(std::string_view reply, const std::array<std::string, 5>& options)
      : text_(plain_characters(reply)), rest_(text_), options_(options) {}

  std::vector<AnswerPiece> pieces() {
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

  bool after_letter() const {
    return !out_.empty() && out_.back().verbatim.size() == 1 &&
           answer_letters.find(option_letter(out_.back().verbatim[0])) != std::string_view::npos;
  }

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
        return mark(labels_line() && verdict_follows() ? '-' : '.');
      case '|':
        return mark(verdict_follows() ? '-' : '.');
      case '!':
      case ';':
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
      case '>':
        if (after_letter()) add_word("over", "");  // "C > A > E"
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

  // "B." at the start of a line.
  bool labels_line() const {
    return after_letter() && (out_.size() == 1 || out_[out_.size() - 2].token.mark == '\n');
  }

  // A line or a cell of nothing but a verdict goes with what stands before it: "B. Correct", "| B | wrong |".
  bool verdict_follows() const {
    constexpr std::string_view blanks = " \t()[].!";
    std::string_view part = rest_.substr(0, rest_.find_first_of("\n|"));
    const std::size_t begin = part.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return false;
    part = part.substr(begin, part.find_last_not_of(blanks) + 1 - begin);
    const AnswerRole role = answer_role(lower_cased(part));
    return role == AnswerRole::support || role == AnswerRole::reject || role == AnswerRole::no;
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
  bool ends_abbreviation() {
    if (out_.empty()) return false;
    const std::string& word = out_.back().token.word;
    if (word == "vs" || word == "eg" || word == "ie" || word == "dr" || word == "fig" || word == "cf" ||
        word == "ca" || word == "ans")
      return true;
    return is_item_number(word);
  }

  // "1." at the start of a line, and "2." behind it on the same line.
  bool is_item_number(const std::string& word) {
    if (word.size() != 1 && word.size() != 2) return false;
    if (!std::all_of(word.begin(), word.end(), is_digit)) return false;
    const int number = word.size() == 1 ? word[0] - '0' : 10 * (word[0] - '0') + word[1] - '0';
    const char before = out_.size() == 1 ? '\n' : out_[out_.size() - 2].token.mark;
    const bool is_first = before == '\n' || before == ':';
    if (!is_first && number != last_item_ + 1) return false;
    last_item_ = number;
    return true;
  }

  // A line that ends in a colon, or that is a heading such as "Final answer", goes on in the next one.
  void line_end() {
    last_item_ = -2;
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
    if (const std::size_t name = length_of_choice(verbatim); name > 0) {
      add_word(word.substr(0, name), "");
      return add_word(word.substr(word.size() - 1), verbatim.substr(verbatim.size() - 1));
    }
    if (verbatim.size() > 2 && verbatim[1] == '-' && is_capital(verbatim[0]) && begins_option(word)) {
      add_word(word.substr(0, 1), verbatim.substr(0, 1));
      mark('-');
      return add_word(word.substr(2), verbatim.substr(2));
    }
    add_word(word, verbatim);
  }

  // "option" of "option_b", "option-B" and "OptionB"; 0 where a word is none of these.
  static std::size_t length_of_choice(const std::string& word) {
    if (word.size() < 3 || answer_letters.find(option_letter(word.back())) == std::string_view::npos)
      return 0;
    const char before = word[word.size() - 2];
    const bool is_joined = before == '_' || before == '-';
    if (!is_joined && !(is_capital(word.back()) && is_small(before))) return 0;
    const std::size_t length = word.size() - (is_joined ? 2 : 1);
    const std::string name = lower_cased(word.substr(0, length));
    return name == "option" || name == "choice" || name == "answer" ? length : 0;
  }

  static bool is_suffix(const std::string& tail) {
    return tail.size() <= 5 &&
           (tail.starts_with('d') || tail.starts_with('t') || tail == "yi" || tail == "ye");
  }

  bool begins_option(const std::string& word) const {
    const std::size_t at = answer_letters.find(option_letter(word[0]));
    if (at == std::string_view::npos) return false;
    const WordList own = folded_list(options_[at]);
    return !own.empty() && own[0] == word.substr(2);
  }

  std::string text_;
  std::string_view rest_;
  const std::array<std::string, 5>& options_;
  std::vector<AnswerPiece> out_;
  int last_item_ = -2;  // the number of the last item of a list
};

}  // namespace

char option_letter(char c) { return is_small(c) ? static_cast<char>(c - 32) : c; }

WordList folded_list(std::string_view text) {
  WordList out;
  for (FoldedWord& word : folded_words(text)) {
    if (word.text != "?") out.push_back(std::move(word.text));
  }
  return out;
}

std::vector<AnswerPiece> answer_pieces(std::string_view reply, const std::array<std::string, 5>& options) {
  return Tokenizer(reply, options).pieces();
}

}  // namespace fiducial
