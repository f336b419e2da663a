#include "fiducial/text/sentences.h"

#include <algorithm>
#include <array>
#include <optional>

#include "fiducial/base/ascii.h"

namespace fiducial {

namespace {

constexpr std::string_view bullet_signs[] = {"\xE2\x80\xA2", "\xC2\xB7", "\xE2\x97\x8F", "\xE2\x96\xAA"};

bool is_sentence_word(char c) { return is_letter(c) || is_digit(c) || is_wide(c); }

// The length of the bullet sign at a place, 0 where there is none.
std::size_t bullet_at(std::string_view text, std::size_t at) {
  if (static_cast<unsigned char>(text[at]) < 0x80) return 0;
  for (const std::string_view sign : bullet_signs) {
    if (text.substr(at).starts_with(sign)) return sign.size();
  }
  return 0;
}

bool has_word(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (const std::size_t bullet = bullet_at(text, i)) {
      i += bullet - 1;
    } else if (is_sentence_word(text[i])) {
      return true;
    }
  }
  return false;
}

// Decides where a text is cut. Positions move forward only.
class SentenceCutter {
 public:
  SentenceCutter(std::string_view text, SentenceRule rule) : text_(text), rule_(rule) {}

  // The first place after the one before where a new sentence begins; the end of the text when none does.
  std::size_t next_cut(std::size_t from) {
    for (at_ = from; at_ < text_.size(); ++at_) {
      if (const auto cut = rule_ == SentenceRule::published ? published_cut() : clinical_cut(from))
        return *cut;
    }
    return text_.size();
  }

 private:
  using Cut = std::optional<std::size_t>;

  // The byte before or after, a space beyond the ends.
  char before() const { return at_ == 0 ? ' ' : text_[at_ - 1]; }
  char after() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : ' '; }
  char next_solid(std::size_t from) const {
    while (from < text_.size() && is_space(text_[from])) ++from;
    return from < text_.size() ? text_[from] : ' ';
  }
  char last_solid(std::size_t before) const {
    while (before > 0 && is_space(text_[before - 1])) --before;
    return before > 0 ? text_[before - 1] : ' ';
  }

  Cut published_cut() const {
    const char c = text_[at_];
    if (c != '.' && c != ';') return {};
    const bool closes = is_small(before()) || is_digit(before()) || ends_in_lobe() ||
                        std::string_view(")]%\"'").find(before()) != std::string_view::npos;
    if (at_ == 0 || !closes || !(is_space(after()) || is_capital(after()))) return {};
    return at_ + 1;
  }

  // "in the RUL. The": other abbreviations in capitals end no published sentence.
  bool ends_in_lobe() const {
    constexpr std::string_view lobes[] = {"RUL", "RML", "RLL", "LUL", "LLL"};
    if (at_ < 3 || (at_ > 3 && is_sentence_word(text_[at_ - 4]))) return false;
    return std::find(std::begin(lobes), std::end(lobes), text_.substr(at_ - 3, 3)) != std::end(lobes);
  }

  Cut clinical_cut(std::size_t from) {
    const char c = text_[at_];
    if (c == '(' || c == '[') ++depth_;
    if ((c == ')' || c == ']') && depth_ > 0) --depth_;
    if (c == '.' || c == ';') return stop_cut();
    if (c == '?' || c == '!') return question_cut();
    if (c == '"') return quote_cut(from);
    if (c == '\n') return line_cut(from);
    return bullet_at(text_, at_) > 0 && !lists_what_is_absent(from) ? new_item(from) : Cut{};
  }

  Cut stop_cut() {
    const bool new_sentence =
        is_capital(after()) && (is_small(before()) || is_digit(before()) || before() == ')');
    if (!is_space(after()) && !new_sentence) return {};
    if (text_[at_] == '.' && (ends_abbreviation() || at_ == 0 || ends_leader())) return {};
    depth_ = 0;  // a parenthesis that was never closed ends with its sentence
    return at_ + 1;
  }

  // "Effusion ...... none"
  bool ends_leader() const {
    return at_ >= 2 && text_.substr(at_ - 2, 3) == "..." && is_small(next_solid(at_ + 1));
  }

  // "Absent:" and the items below it are one sentence, since each alone would say the opposite.
  bool lists_what_is_absent(std::size_t from) const {
    constexpr std::string_view headings[] = {
        "absent",   "not seen",  "not present", "not detected",        "none of the following",
        "negative", "negatives", "no",          "pertinent negatives", "no evidence of"};
    constexpr std::size_t longest_heading = 32;
    const std::string_view start = text_.substr(from, longest_heading);
    const std::string_view line = start.substr(0, start.find('\n'));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos ||
        line.find_first_not_of(" \t\r", colon + 1) != std::string_view::npos)
      return false;
    std::string heading;
    for (const char c : line.substr(0, colon))
      heading += is_capital(c) ? static_cast<char>(c - 'A' + 'a') : c;
    return std::find(std::begin(headings), std::end(headings), heading) != std::end(headings);
  }

  // "Effusion? No."
  bool is_answered_no() const {
    std::size_t begin = at_ + 1;
    while (begin < text_.size() && is_space(text_[begin])) ++begin;
    std::size_t end = begin;
    while (end < text_.size() && is_sentence_word(text_[end])) ++end;
    const std::string_view word = text_.substr(begin, end - begin);
    constexpr std::string_view answers[] = {"No", "NO", "None", "Absent", "Negative"};
    const bool ends = end >= text_.size() || text_[end] == '.' || text_[end] == ';' || text_[end] == '\n';
    return ends && std::find(std::begin(answers), std::end(answers), word) != std::end(answers);
  }

  bool ends_abbreviation() const {
    std::size_t begin = at_;
    while (begin > 0 && is_sentence_word(text_[begin - 1])) --begin;
    const std::string_view word = text_.substr(begin, at_ - begin);
    constexpr std::string_view titles[] = {"Dr", "Prof", "Mr", "Mrs", "Ms"};
    constexpr std::string_view known[] = {"vs", "approx", "cf", "ca", "e.g", "i.e"};
    // A name follows, and has a capital.
    if (std::find(std::begin(titles), std::end(titles), word) != std::end(titles)) return true;
    // "measuring 5 m. On the right": a unit that was cut off ends its sentence.
    const bool cut_off = is_digit(last_solid(begin)) && is_capital(next_solid(at_ + 1));
    if (word.size() == 1 && is_small(word[0])) return !cut_off;
    return std::find(std::begin(known), std::end(known), word) != std::end(known) &&
           is_small(next_solid(at_ + 1));
  }

  Cut question_cut() const {
    if (depth_ > 0 || !is_space(after()) || is_small(next_solid(at_ + 1)) || is_answered_no()) return {};
    return at_ + 1;
  }

  // Impressions arrive as items that begin, or end, with a quote.
  Cut quote_cut(std::size_t from) {
    const char last = last_solid(at_);
    const char next = next_solid(at_ + 1);
    const bool after_stop = std::string_view(".;?!\"").find(last) != std::string_view::npos;
    const bool before_item = is_space(after()) && (is_capital(next) || is_digit(next));
    return after_stop || before_item ? new_item(from) : Cut{};
  }

  Cut line_cut(std::size_t from) const {
    std::size_t next = at_ + 1;
    while (next < text_.size() && (text_[next] == ' ' || text_[next] == '\t' || text_[next] == '\r')) ++next;
    if (next >= text_.size()) return {};
    const char c = text_[next];
    if ((c == '-' || c == '*') && lists_what_is_absent(from)) return {};
    const bool item = c == '\n' || c == '-' || c == '*' || is_capital(c) || is_digit(c);
    return item ? Cut{at_ + 1} : Cut{};
  }

  Cut new_item(std::size_t from) {
    depth_ = 0;
    return at_ > from ? Cut{at_} : Cut{};
  }

  std::string_view text_;
  SentenceRule rule_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

bool is_bullet_byte(std::string_view text, std::size_t at) {
  return text[at] == '"' ||
         ((text[at] == '-' || text[at] == '*') && at + 1 < text.size() && is_space(text[at + 1]));
}

TextSpan trimmed(std::string_view text, TextSpan span, SentenceRule rule) {
  const bool clinical = rule == SentenceRule::clinical;
  while (span.begin < span.end) {
    const std::size_t bullet = clinical ? bullet_at(text, span.begin) : 0;
    const bool stray_stop =
        text[span.begin] == '.' && span.begin + 1 < span.end && !is_space(text[span.begin + 1]);
    if (!is_space(text[span.begin]) && bullet == 0 && !stray_stop &&
        !(clinical && is_bullet_byte(text, span.begin))) {
      break;
    }
    span.begin += std::max<std::size_t>(1, bullet);
  }
  const std::string_view rest = span.of(text);
  const bool stray_quote = clinical && std::count(rest.begin(), rest.end(), '"') % 2 == 1;
  while (span.begin < span.end) {
    const char last = text[span.end - 1];
    if (!is_space(last) && last != '.' && last != ';' && !(stray_quote && last == '"')) break;
    --span.end;
  }
  return span;
}

}  // namespace

std::vector<Sentence> split_sentences(std::string_view text, SentenceRule rule) {
  std::vector<Sentence> sentences;
  SentenceCutter cutter(text, rule);
  std::size_t span_begin = 0;
  for (std::size_t piece_begin = 0; piece_begin < text.size();) {
    const TextSpan piece{piece_begin, cutter.next_cut(piece_begin)};
    piece_begin = piece.end;
    if (!has_word(piece.of(text))) continue;
    sentences.push_back({.span = {span_begin, piece.end}, .content = trimmed(text, piece, rule)});
    span_begin = piece.end;
  }
  if (span_begin == text.size()) return sentences;
  if (sentences.empty()) return {{.span = {0, text.size()}, .content = {text.size(), text.size()}}};
  sentences.back().span.end = text.size();
  return sentences;
}

}  // namespace fiducial
