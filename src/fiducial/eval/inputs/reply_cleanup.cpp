#include "fiducial/eval/inputs/reply_cleanup.h"

#include <algorithm>
#include <optional>

#include "fiducial/text/html_entities.h"
#include "fiducial/text/unicode.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

std::string_view without_spaces_at_start(std::string_view text) {
  while (const std::size_t space = white_space_length(text)) text.remove_prefix(space);
  return text;
}

bool starts_with_word(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] + 32) : text[i];
    if (c != word[i]) return false;
  }
  const char next = text.size() > word.size() ? text[word.size()] : ' ';
  const bool continues = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') ||
                         (next >= '0' && next <= '9') || next == '_' ||
                         static_cast<unsigned char>(next) >= 0x80;
  return !continues;
}

struct Tag {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool closes = false;
};

// A tag is written with its characters, or with those still escaped.
struct Brackets {
  std::string_view open;
  std::string_view close;
};
constexpr Brackets plain{"<", ">"};
constexpr Brackets escaped{"&lt;", "&gt;"};

// A text in which tags are looked for, in time that grows with its length only: ends are looked for where
// there can be one, and for tags of the wanted kind.
class TaggedText {
 public:
  explicit TaggedText(std::string_view text)
      : text_(text), plain_end_(text.rfind(plain.close) + 1), escaped_end_(text.rfind(escaped.close) + 1) {}

  // The first tag of that name; only closing ones, only opening ones, or any.
  std::optional<Tag> find(std::size_t from, std::string_view name,
                          std::optional<bool> closes = std::nullopt) const {
    const std::size_t last = std::max(plain_end_, escaped_end_);
    for (std::size_t at = text_.find_first_of("<&", from); at < last;
         at = text_.find_first_of("<&", at + 1)) {
      const bool is_plain = text_[at] == '<';
      if (at >= (is_plain ? plain_end_ : escaped_end_)) continue;
      if (const auto tag = tag_at(at, name, is_plain ? plain : escaped, closes)) return tag;
    }
    return std::nullopt;
  }

 private:
  std::optional<Tag> tag_at(std::size_t begin, std::string_view name, const Brackets& brackets,
                            std::optional<bool> closes) const {
    std::string_view rest = text_.substr(begin);
    if (!rest.starts_with(brackets.open)) return std::nullopt;
    rest = without_spaces_at_start(rest.substr(brackets.open.size()));
    const bool is_closing = rest.starts_with('/');
    if (closes.value_or(is_closing) != is_closing) return std::nullopt;
    if (is_closing) rest = without_spaces_at_start(rest.substr(1));
    if (!starts_with_word(rest, name)) return std::nullopt;
    const std::size_t end = rest.find(brackets.close, name.size());
    if (end == std::string_view::npos) return std::nullopt;
    return Tag{begin, text_.size() - rest.size() + end + brackets.close.size(), is_closing};
  }

  std::string_view text_;
  std::size_t plain_end_;  // past the last bracket that can end a tag; 0 where there is none
  std::size_t escaped_end_;
};

std::string without_reasoning(std::string_view text, const TaggedText& tags, Scorer scorer) {
  std::string out;
  std::size_t at = 0;
  while (const auto tag = tags.find(at, "think")) {
    out += text.substr(at, tag->begin - at);
    if (tag->closes) {
      if (scorer == Scorer::strict) out.clear();
      at = tag->end;
      continue;
    }
    const auto closing = tags.find(tag->end, "think", true);
    if (!closing) return out;
    at = closing->end;
  }
  return out += text.substr(at);
}

void remove_all(std::string& text, std::string_view part) {
  std::string out;
  std::size_t begin = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, begin)) {
    out += std::string_view(text).substr(begin, at - begin);
    begin = at + part.size();
  }
  text = out + text.substr(begin);
}

}  // namespace

std::string cleaned_reply(std::string_view reply, Scorer scorer) {
  const std::string text = html_unescaped(reply);
  const TaggedText tags(text);
  if (const auto answer = tags.find(0, "answer", false)) {
    const auto closing = tags.find(answer->end, "answer", true);
    const std::size_t end = closing ? closing->begin : text.size();
    return std::string(white_space_trimmed(std::string_view(text).substr(answer->end, end - answer->end)));
  }
  std::string out = without_reasoning(text, tags, scorer);
  remove_all(out, "<|im_end|>");
  remove_all(out, "<|endoftext|>");
  return std::string(white_space_trimmed(out));
}

}  // namespace fiducial
