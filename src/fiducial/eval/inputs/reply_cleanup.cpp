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

// Whether a text begins with a word in small letters, in any case of ASCII letters.
bool starts_with_letters(std::string_view text, std::string_view word) {
  return ascii_lower(text.substr(0, word.size())) == word;
}

bool starts_with_word(std::string_view text, std::string_view word) {
  if (!starts_with_letters(text, word)) return false;
  text.remove_prefix(word.size());
  return text.empty() || !is_word_character(first_code_point(text).value);
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
//
// An opening tag may have attributes; a closing one has its name only, so that "</think B > A" is none.
class TaggedText {
 public:
  TaggedText(std::string_view text, Scorer scorer)
      : text_(text), is_strict_(scorer == Scorer::strict), plain_end_(text.rfind(plain.close) + 1) {}

  // The first tag of that name; only closing ones, only opening ones, or any; in one form only, or in either.
  std::optional<Tag> find(std::size_t from, std::string_view name, std::optional<bool> closes = std::nullopt,
                          const Brackets* form = nullptr) const {
    for (std::size_t at = text_.find_first_of("<&", from); at < text_.size();
         at = text_.find_first_of("<&", at + 1)) {
      const Brackets& brackets = text_[at] == '<' ? plain : escaped;
      if (form != nullptr && form != &brackets) continue;
      if (const auto tag = tag_at(at, name, brackets, closes)) return tag;
    }
    return std::nullopt;
  }

  // Where reasoning ends that begins here: before its closing tag, before what opens an answer, or at the
  // end.
  std::size_t reasoning_end(std::size_t from, const Brackets& form) const {
    for (std::size_t at = text_.find(form.open, from); at != std::string_view::npos;
         at = text_.find(form.open, at + 1)) {
      const std::string_view rest = without_spaces_at_start(text_.substr(at + form.open.size()));
      if (starts_with_word(rest, "answer") || tag_at(at, "think", form, true)) return at;
    }
    return text_.size();
  }

 private:
  std::optional<Tag> tag_at(std::size_t begin, std::string_view name, const Brackets& brackets,
                            std::optional<bool> closes) const {
    std::string_view rest = text_.substr(begin);
    if (!rest.starts_with(brackets.open)) return std::nullopt;
    rest.remove_prefix(brackets.open.size());
    const bool is_spaced = !rest.starts_with('/');
    if (is_spaced) rest = without_spaces_at_start(rest);
    const bool is_closing = rest.starts_with('/') && (is_strict_ || !is_spaced);
    if (closes.value_or(is_closing) != is_closing) return std::nullopt;
    if (is_closing) rest = without_spaces_at_start(rest.substr(1));
    if (!starts_with_word(rest, name)) return std::nullopt;
    rest.remove_prefix(name.size());
    if (is_closing) rest = without_spaces_at_start(rest);
    const std::size_t end = is_closing ? 0 : end_of_attributes(rest, brackets);
    if (end == std::string_view::npos || !rest.substr(end).starts_with(brackets.close)) return std::nullopt;
    return Tag{begin, text_.size() - rest.size() + end + brackets.close.size(), is_closing};
  }

  // Where the bracket stands that ends an opening tag. Attributes hold no bracket; escaped ones no "&" at
  // all.
  std::size_t end_of_attributes(std::string_view rest, const Brackets& brackets) const {
    const std::size_t at = text_.size() - rest.size();
    if (brackets.open == plain.open) return at < plain_end_ ? rest.find('>') : std::string_view::npos;
    return rest.find('&');
  }

  std::string_view text_;
  bool is_strict_;
  std::size_t plain_end_;  // past the last bracket that can end a plain tag; 0 where there is none
};

// Every reasoning goes; what stands before a closing tag alone is reasoning too.
std::string without_tagged(std::string_view text, std::string_view name) {
  const TaggedText tags(text, Scorer::strict);
  std::string out;
  std::size_t at = 0;
  while (const auto tag = tags.find(at, name)) {
    out += text.substr(at, tag->begin - at);
    at = tag->end;
    if (tag->closes) {
      out.clear();
      continue;
    }
    const auto closing = tags.find(tag->end, name, true);
    if (!closing) return out;
    at = closing->end;
  }
  return out += text.substr(at);
}

struct ReasoningMarks {
  std::string_view open;
  std::string_view close;
};

// Reasoning between marks that are no tags; what stands before a closing mark alone is reasoning too.
std::string without_marked(std::string_view text, const ReasoningMarks& marks) {
  std::string out;
  while (true) {
    const std::size_t open = text.find(marks.open);
    const std::size_t close = text.find(marks.close);
    if (close == std::string_view::npos) return out += text.substr(0, open);
    out += open < close ? text.substr(0, open) : std::string_view();
    text.remove_prefix(close + marks.close.size());
  }
}

std::string without_reasoning(std::string_view text) {
  constexpr ReasoningMarks marks[] = {
      {"<|channel|>analysis<|message|>", "<|channel|>final<|message|>"},
      {"<|begin_of_thought|>", "<|end_of_thought|>"},
      {"[THINK]", "[/THINK]"},
      {"\u25c1think\u25b7", "\u25c1/think\u25b7"},
  };
  std::string out(text);
  for (const std::string_view name : {"think", "thinking", "thought", "reasoning"})
    out = without_tagged(out, name);
  for (const ReasoningMarks& each : marks) out = without_marked(out, each);
  return out;
}

// What the last <answer> holds; an empty one says nothing.
std::optional<std::string> tagged_answer(std::string_view text) {
  const TaggedText tags(text, Scorer::strict);
  std::optional<std::string> out;
  for (auto answer = tags.find(0, "answer", false); answer;
       answer = tags.find(answer->end, "answer", false)) {
    const auto closing = tags.find(answer->end, "answer", true);
    const std::size_t end = closing ? closing->begin : text.size();
    const std::string_view held = white_space_trimmed(text.substr(answer->end, end - answer->end));
    if (!out || !held.empty()) out = std::string(held);
  }
  return out;
}

// As the published rules have it: reasoning up to its closing tag, then closing tags alone, in one form.
std::string without_official_reasoning(std::string_view text, const Brackets& form) {
  std::string out;
  std::size_t at = 0;
  const TaggedText tags(text, Scorer::official);
  while (const auto tag = tags.find(at, "think", false, &form)) {
    out += text.substr(at, tag->begin - at);
    at = tags.reasoning_end(tag->end, form);
  }
  out += text.substr(at);
  const std::string joined = std::move(out);
  const TaggedText left(joined, Scorer::official);
  out.clear();
  at = 0;
  while (const auto tag = left.find(at, "think", true, &form)) {
    out += std::string_view(joined).substr(at, tag->begin - at);
    at = tag->end;
  }
  return out += std::string_view(joined).substr(at);
}

// Takes a token out in any case of its letters.
std::string without_token(std::string_view text, std::string_view token) {
  std::string out;
  std::size_t begin = 0;
  for (std::size_t at = text.find(token.front()); at != std::string_view::npos;) {
    if (!starts_with_letters(text.substr(at), token)) {
      at = text.find(token.front(), at + 1);
      continue;
    }
    out += text.substr(begin, at - begin);
    begin = at + token.size();
    at = text.find(token.front(), begin);
  }
  return out += text.substr(begin);
}

}  // namespace

namespace {

std::string without_ends(std::string text) {
  for (const std::string_view token : {"<|im_end|>", "<|endoftext|>"}) text = without_token(text, token);
  return std::string(white_space_trimmed(text));
}

std::string cleaned_by_published_rules(const std::string& text) {
  const TaggedText tags(text, Scorer::official);
  if (const auto answer = tags.find(0, "answer", false, &plain)) {
    const auto closing = tags.find(answer->end, "answer", true, &plain);
    const std::size_t end = closing ? closing->begin : text.size();
    return std::string(white_space_trimmed(std::string_view(text).substr(answer->end, end - answer->end)));
  }
  return without_ends(without_official_reasoning(without_official_reasoning(text, plain), escaped));
}

}  // namespace

std::string cleaned_reply(std::string_view reply, Scorer scorer) {
  const std::string text = html_unescaped(reply);
  if (scorer == Scorer::official) return cleaned_by_published_rules(text);
  std::string out = without_reasoning(text);
  if (auto answer = tagged_answer(out)) return *std::move(answer);
  if (auto answer = tagged_answer(text)) return *std::move(answer);  // of a reasoning that was never closed
  return without_ends(std::move(out));
}

}  // namespace fiducial
