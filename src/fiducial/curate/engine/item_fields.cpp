#include "fiducial/curate/engine/item_fields.h"

#include "fiducial/base/number_text.h"
#include "fiducial/base/utf8.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

}  // namespace

std::optional<std::string> scalar_text(const Json* value) {
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (value->as_string() != nullptr) return *value->as_string();
  if (value->as_bool() != nullptr) return *value->as_bool() ? "True" : "False";
  if (value->as_integer() != nullptr) return decimal(*value->as_integer());
  if (value->as_number()) return value->compact();
  return std::nullopt;
}

std::string first_text(const Json& item, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    std::optional<std::string> text = scalar_text(item.find(name));
    if (text && !white_space_collapsed(*text).empty()) return *std::move(text);
  }
  return {};
}

std::string option_letter(std::size_t index) {
  const auto letter = [](std::size_t i) { return static_cast<char>('A' + i % 26); };
  if (index < 26) return std::string(1, letter(index));
  return {'A', letter(index)};
}

std::optional<char> single_letter(std::string_view text) {
  const std::string word = white_space_collapsed(text);
  if (word.size() != 1 || !is_ascii_letter(word[0])) return std::nullopt;
  return upper(word[0]);
}

std::optional<char> first_ascii_letter(std::string_view text) {
  for (const char c : text) {
    if (is_ascii_letter(c)) return upper(c);
  }
  return std::nullopt;
}

std::string lower_norm(std::string_view text) { return lower_cased(white_space_collapsed(text)); }

std::string folded_norm(std::string_view text) {
  const std::string collapsed = white_space_collapsed(case_folded(text));
  std::string out;
  for (std::size_t at = 0; at < collapsed.size();) {
    const FirstCodePoint point = first_code_point(std::string_view(collapsed).substr(at));
    if (is_word_character(point.value) || is_white_space(point.value)) out.append(collapsed, at, point.bytes);
    at += point.bytes;
  }
  return out;
}

}  // namespace fiducial
