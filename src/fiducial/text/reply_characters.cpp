#include "fiducial/text/reply_characters.h"

#include <algorithm>

#include "fiducial/base/ascii.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

struct LetterBlock {
  char32_t first;
  char32_t count;
  char to;
};

// Letters and digits that are drawn otherwise.
constexpr LetterBlock letter_blocks[] = {
    {0x249C, 26, 'a'},  {0x24B6, 26, 'A'},  {0x24D0, 26, 'a'},  {0x1F110, 26, 'A'},
    {0x1F130, 26, 'A'}, {0x1F150, 26, 'A'}, {0x1F170, 26, 'A'}, {0x1F1E6, 26, 'A'},
};

constexpr char32_t first_mathematical = 0x1D400;
constexpr char32_t last_mathematical = 0x1D6A3;

char plain_letter(char32_t point) {
  if (point >= 0xFF01 && point <= 0xFF5E) return static_cast<char>(point - 0xFEE0);
  for (const LetterBlock& block : letter_blocks) {
    if (point >= block.first && point < block.first + block.count)
      return static_cast<char>(block.to + static_cast<char>(point - block.first));
  }
  if (point >= first_mathematical && point <= last_mathematical) {
    const char32_t at = (point - first_mathematical) % 52;
    return static_cast<char>(at < 26 ? 'A' + static_cast<int>(at) : 'a' + static_cast<int>(at) - 26);
  }
  return 0;
}

struct PlainMark {
  char32_t point;
  std::string_view text;
};

// What stands for marks of other scripts, arrows, ticks and crosses.
constexpr PlainMark plain_marks[] = {
    {0x3002, ". "},        {0xFF61, ". "},        {0x0964, ". "},        {0x06D4, ". "},
    {0x3001, ", "},        {0x060C, ", "},        {0x061F, "? "},        {0x2012, " - "},
    {0x2013, " - "},       {0x2014, " - "},       {0x2015, " - "},       {0x2190, " - "},
    {0x2192, " : "},       {0x21D2, " : "},       {0x2794, " : "},       {0x279C, " : "},
    {0x3000, " "},         {0x00A0, " "},         {0x202F, " "},         {0x2018, "'"},
    {0x2019, "'"},         {0x02BC, "'"},         {0x3010, "("},         {0x300C, "("},
    {0x300E, "("},         {0x3014, "("},         {0x300A, "("},         {0x3008, "("},
    {0x3011, ")"},         {0x300D, ")"},         {0x300F, ")"},         {0x3015, ")"},
    {0x300B, ")"},         {0x3009, ")"},         {0x2705, " correct "}, {0x2713, " correct "},
    {0x2714, " correct "}, {0x2611, " correct "}, {0x274C, " wrong "},   {0x2717, " wrong "},
    {0x2718, " wrong "},   {0x2022, "\n"},        {0x25CF, "\n"},        {0x25AA, "\n"},
};

// Nothing for a character that stands for itself or only adorns.
std::string_view plain_mark(char32_t point) {
  for (const PlainMark& mark : plain_marks) {
    if (mark.point == point) return mark.text;
  }
  return {};
}

bool is_adornment(char32_t point) {
  return point == 0xFE0F || point == 0x200B || point == 0xFEFF || point == 0x201C || point == 0x201D ||
         point == 0x201E || point == 0x00AB || point == 0x00BB || point == 0x200D || point == 0x20E3 ||
         point == 0x200E || point == 0x200F;
}

// A tag such as <b>, </p> or <br/>: its length, or 0.
std::size_t tag_length(std::string_view text) {
  constexpr std::size_t longest_tag = 40;
  std::size_t at = 1;
  if (text.size() > 2 && text[2] == '>' && text[1] >= 'A' && text[1] <= 'E')
    return 0;  // an option in brackets
  if (at < text.size() && text[at] == '/') ++at;
  if (at >= text.size() || !is_letter(text[at])) return 0;
  const std::size_t end = text.substr(0, longest_tag).find('>');
  return end == std::string_view::npos ? 0 : end + 1;
}

class PlainWriter {
 public:
  explicit PlainWriter(std::string_view reply) : rest_(reply) { out_.reserve(reply.size() + 16); }

  std::string written() {
    while (!rest_.empty()) step();
    return std::move(out_);
  }

 private:
  void take(std::size_t bytes) { rest_.remove_prefix(std::min(bytes, rest_.size())); }

  void step() {
    const char c = rest_[0];
    if (is_wide(c)) return wide();
    if (c == '\\') return command();
    if (c == '<' && tag_length(rest_) > 0) {
      out_ += ' ';
      return take(tag_length(rest_));
    }
    take(1);
    switch (c) {
      case '*':
      case '`':
      case '"':
      case '$':
      case '#':
      case '\r':
      case boxed_mark:
        return;
      case '~':
        return struck_out();
      case '_':
        return underscore();
      case '>':
        return greater();
      case '{':
      case '}':
        return brace(c);
      default:
        out_ += c;
    }
  }

  // An underscore inside a word stays; at its ends it is emphasis.
  void underscore() {
    const bool inside = !out_.empty() && (is_letter(out_.back()) || is_digit(out_.back())) &&
                        !rest_.empty() && (is_letter(rest_[0]) || is_digit(rest_[0]));
    out_ += inside ? '_' : ' ';
  }

  // ~~What is struck out~~ is not said.
  void struck_out() {
    if (!rest_.starts_with('~')) return;
    const std::size_t end = rest_.substr(0, rest_.find('\n')).find("~~", 1);
    take(end == std::string_view::npos ? 1 : end + 2);
  }

  // An arrow, the mark of a quotation, or "B > A".
  void greater() {
    if (out_.ends_with('=') || out_.ends_with('-')) {
      out_ += " : ";
    } else if (!out_.empty() && out_.back() != '\n') {
      out_ += out_.ends_with(' ') ? " over " : " ";
    }
  }

  void brace(char c) {
    depth_ = std::max(0, depth_ + (c == '{' ? 1 : -1));
    if (c == '}' && box_depth_ > 0 && depth_ < box_depth_) {
      box_depth_ = 0;
      out_ += '\n';
    } else {
      out_ += ' ';
    }
  }

  // A command of LaTeX goes, what it is applied to stays.
  void command() {
    take(1);
    std::size_t length = 0;
    while (length < rest_.size() && is_letter(rest_[length])) ++length;
    const std::string_view name = rest_.substr(0, length);
    const bool is_box = name == "boxed" || name == "fbox" || name == "framebox";
    if (length == 0) {
      out_ += ' ';
      return take(rest_.empty() || is_wide(rest_[0]) ? 0 : 1);  // \( \) \[ \] \, \"
    }
    if (is_box && rest_.size() > length && rest_[length] == '{') {
      take(length + 1);
      box_depth_ = ++depth_;
      out_ += "\n";
      out_ += boxed_mark;
      return;
    }
    out_ += name == "rightarrow" || name == "Rightarrow" || name == "to" ? " : " : " ";
    take(length);
  }

  void wide() {
    const FirstCodePoint point = first_code_point(rest_);
    const std::string_view mark = plain_mark(point.value);
    if (const char letter = plain_letter(point.value)) {
      out_ += letter;
    } else if (!mark.empty()) {
      out_ += mark;
    } else if (!is_adornment(point.value)) {
      out_ += rest_.substr(0, point.bytes);
    }
    take(point.bytes);
  }

  std::string_view rest_;
  std::string out_;
  int depth_ = 0;
  int box_depth_ = 0;
};

}  // namespace

std::string plain_characters(std::string_view reply) { return PlainWriter(reply).written(); }

}  // namespace fiducial
