#include "fiducial/text/folded_words.h"

#include <array>
#include <cstdint>

namespace fiducial {

namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
};

// The character at the front of a text that is UTF-8; a byte that is none stands for itself.
Character first_character(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (length == 1 || length > text.size()) return {lead, 1};
  char32_t code = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) code = code << 6U | (byte(i) & 0x3FU);
  return {code, length};
}

bool is_apostrophe(char32_t code) { return code == U'\'' || code == 0x2019; }

bool is_combining_mark(char32_t code) { return code >= 0x300 && code <= 0x36F; }

bool is_folded_word_character(char32_t code) {
  if (code < 0x80) {
    return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') || (code >= '0' && code <= '9');
  }
  if (code < 0xC0) return code == 0xAA || code == 0xB5 || code == 0xBA;  // ª µ º
  if (code == 0xD7 || code == 0xF7) return false;                        // × ÷
  return !(code >= 0x2000 && code <= 0x206F) && !(code >= 0x3000 && code <= 0x303F) && code != 0xFEFF;
}

// Letters of Latin-1 and Latin Extended-A, from U+00C0 on, without their accents; '.' stands for two letters,
// '-' for one that stays as it is.
constexpr std::string_view latin_letters =
    "aaaaaa.ceeeeiiiidnooooo-ouuuuy..aaaaaa.ceeeeiiiidnooooo-ouuuuy.y"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkkklllllllllln"
    "nnnnnnnnoooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

std::string_view two_letters(char32_t code) {
  switch (code) {
    case 0xC6:
    case 0xE6:
      return "ae";
    case 0xDE:
    case 0xFE:
      return "th";
    case 0xDF:
      return "ss";
    case 0x132:
    case 0x133:
      return "ij";
    case 0x152:
    case 0x153:
      return "oe";
    default:
      return "";
  }
}

void append_folded(std::string& out, char32_t code, std::string_view bytes) {
  if (is_combining_mark(code)) return;
  if (code < 0x80) {
    out += static_cast<char>(code >= 'A' && code <= 'Z' ? code + 32 : code);
    return;
  }
  if (code >= 0xC0 && code - 0xC0 < latin_letters.size()) {
    const char letter = latin_letters[code - 0xC0];
    if (letter == '.') {
      out += two_letters(code);
    } else {
      out += letter;
    }
    return;
  }
  const bool is_capital = (code >= 0x391 && code <= 0x3A9) || (code >= 0x410 && code <= 0x42F);
  if (!is_capital) {
    out += bytes;
    return;
  }
  const char32_t small = code + 32;  // Greek and Cyrillic, two bytes each
  out += static_cast<char>(0xC0U | small >> 6U);
  out += static_cast<char>(0x80U | (small & 0x3FU));
}

// oedema and edema, haematoma and hematoma, tumour and tumor.
std::string with_american_spelling(const std::string& word) {
  std::string out;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool is_digraph = i + 1 < word.size() && word[i + 1] == 'e' && (word[i] == 'a' || word[i] == 'o');
    if (!is_digraph || word.size() < 5) out += word[i];
  }
  if (out.size() > 4 && out.ends_with("our")) out.erase(out.size() - 2, 1);
  return out;
}

class WordSplitter {
 public:
  explicit WordSplitter(std::string_view text) : text_(text) {}

  std::vector<FoldedWord> words() {
    while (at_ < text_.size()) {
      const Character next = first_character(text_.substr(at_));
      if (is_folded_word_character(next.code)) {
        add_word();
      } else {
        if (next.code == U'?') words_.push_back({"?", text_.substr(at_, 1), place_, place_ + 1, sentence_});
        if (ends_sentence(next.code)) ++sentence_;
        advance(next);
      }
    }
    return std::move(words_);
  }

 private:
  void advance(const Character& over) {
    at_ += over.bytes;
    ++place_;
  }

  // A full stop inside a number, or a question mark before a word, ends nothing.
  bool ends_sentence(char32_t code) const {
    if (code == U'\n' || code == U';' || code == U'!') return true;
    if (code != U'.' && code != U'?') return false;
    const bool before_space = at_ + 1 >= text_.size() || text_[at_ + 1] == ' ' || text_[at_ + 1] == '\n' ||
                              text_[at_ + 1] == '\r' || text_[at_ + 1] == '\t';
    const bool after_space = at_ == 0 || text_[at_ - 1] == ' ';
    return before_space && !(code == U'?' && after_space);
  }

  // "'s" at the end of a word.
  bool is_possessive() const {
    const Character mark = first_character(text_.substr(at_));
    if (!is_apostrophe(mark.code)) return false;
    const std::string_view rest = text_.substr(at_ + mark.bytes);
    if (rest.empty() || (rest[0] != 's' && rest[0] != 'S')) return false;
    return rest.size() == 1 || !is_folded_word_character(first_character(rest.substr(1)).code);
  }

  void add_word() {
    FoldedWord word{.begin = place_, .sentence = sentence_};
    const std::size_t begin = at_;
    std::string folded;
    while (at_ < text_.size()) {
      const Character next = first_character(text_.substr(at_));
      if (!is_folded_word_character(next.code) && !is_combining_mark(next.code)) break;
      append_folded(folded, next.code, text_.substr(at_, next.bytes));
      advance(next);
    }
    word.verbatim = text_.substr(begin, at_ - begin);
    word.end = place_;
    word.text = with_american_spelling(folded);
    words_.push_back(std::move(word));
    if (at_ < text_.size() && is_possessive()) {
      advance(first_character(text_.substr(at_)));
      advance({U's', 1});
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t place_ = 0;
  std::size_t sentence_ = 0;
  std::vector<FoldedWord> words_;
};

}  // namespace

std::vector<FoldedWord> folded_words(std::string_view text) { return WordSplitter(text).words(); }

}  // namespace fiducial
