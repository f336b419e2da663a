#include "fiducial/eval/reply_cleanup.h"

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

// The tag of that name that begins exactly here.
std::optional<Tag> tag_at(std::string_view text, std::size_t begin, std::string_view name,
                          const Brackets& brackets) {
  std::string_view rest = text.substr(begin);
  if (!rest.starts_with(brackets.open)) return std::nullopt;
  rest = without_spaces_at_start(rest.substr(brackets.open.size()));
  const bool closes = rest.starts_with('/');
  if (closes) rest = without_spaces_at_start(rest.substr(1));
  if (!starts_with_word(rest, name)) return std::nullopt;
  const std::size_t end = rest.find(brackets.close, name.size());
  if (end == std::string_view::npos) return std::nullopt;
  return Tag{begin, text.size() - rest.size() + end + brackets.close.size(), closes};
}

std::optional<Tag> find_tag(std::string_view text, std::size_t from, std::string_view name,
                            std::optional<bool> closes = std::nullopt) {
  // Beyond the last closing bracket no tag can end: hostile texts are not searched to their end again and
  // again.
  const std::size_t last = std::max(text.rfind(plain.close) + 1, text.rfind(escaped.close) + 1);
  for (std::size_t at = text.find_first_of("<&", from); at < last; at = text.find_first_of("<&", at + 1)) {
    for (const Brackets& brackets : {plain, escaped}) {
      const auto tag = tag_at(text, at, name, brackets);
      if (tag && (!closes || tag->closes == *closes)) return tag;
    }
  }
  return std::nullopt;
}

std::string without_reasoning(std::string_view text, Scorer scorer) {
  std::string out;
  std::size_t at = 0;
  while (const auto tag = find_tag(text, at, "think")) {
    out += text.substr(at, tag->begin - at);
    if (tag->closes) {
      if (scorer == Scorer::strict) out.clear();
      at = tag->end;
      continue;
    }
    const auto closing = find_tag(text, tag->end, "think", true);
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
  if (const auto answer = find_tag(text, 0, "answer", false)) {
    const auto closing = find_tag(text, answer->end, "answer", true);
    const std::size_t end = closing ? closing->begin : text.size();
    return std::string(white_space_trimmed(std::string_view(text).substr(answer->end, end - answer->end)));
  }
  std::string out = without_reasoning(text, scorer);
  remove_all(out, "<|im_end|>");
  remove_all(out, "<|endoftext|>");
  return std::string(white_space_trimmed(out));
}

}  // namespace fiducial
