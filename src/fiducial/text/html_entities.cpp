#include "fiducial/text/html_entities.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>

#include "fiducial/base/utf8.h"

namespace fiducial {

namespace {

struct Entity {
  std::string_view name;
  std::string_view text;
};

constexpr Entity html_entities[] = {
#define FIDUCIAL_HTML_ENTITY(name, text) {name, text},
#include "fiducial/text/html_entities.def"
#undef FIDUCIAL_HTML_ENTITY
};

// What numbers 0x80 to 0x9F mean: those of Windows-1252, where it has any.
constexpr std::array<char32_t, 32> windows_1252 = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

const Entity* find_entity(std::string_view name) {
  const auto* const found =
      std::lower_bound(std::begin(html_entities), std::end(html_entities), name,
                       [](const Entity& entity, std::string_view wanted) { return entity.name < wanted; });
  return found != std::end(html_entities) && found->name == name ? found : nullptr;
}

bool is_dropped(std::uint32_t code) {
  if ((code >= 0x1 && code <= 0x8) || code == 0xB || (code >= 0xE && code <= 0x1F) || code == 0x7F)
    return true;
  return (code >= 0xFDD0 && code <= 0xFDEF) || (code & 0xFFFEU) == 0xFFFEU;
}

void append_number(std::string& out, std::uint32_t code) {
  constexpr char32_t replacement = 0xFFFD;
  if (code >= 0x80 && code <= 0x9F) return append_utf8(out, windows_1252[code - 0x80]);
  if (code == 0 || (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF)
    return append_utf8(out, replacement);
  if (!is_dropped(code)) append_utf8(out, code);
}

std::optional<std::uint32_t> digit_of(char c, std::uint32_t base) {
  std::uint32_t value = base;
  if (c >= '0' && c <= '9') value = static_cast<std::uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') value = static_cast<std::uint32_t>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') value = static_cast<std::uint32_t>(c - 'A') + 10;
  if (value >= base) return std::nullopt;
  return value;
}

// Decodes "#123;" or "#x1F;" at the start of the text; the bytes it took, or 0.
std::size_t decode_number(std::string_view text, std::string& out) {
  const bool is_hex = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
  const std::uint32_t base = is_hex ? 16 : 10;
  const std::size_t first = is_hex ? 2 : 1;
  std::size_t end = first;
  std::uint64_t code = 0;
  for (; end < text.size(); ++end) {
    const auto digit = digit_of(text[end], base);
    if (!digit) break;
    code = std::min<std::uint64_t>(code * base + *digit, 0x110000);  // no larger number means anything else
  }
  if (end == first) return 0;
  append_number(out, static_cast<std::uint32_t>(code));
  return end < text.size() && text[end] == ';' ? end + 1 : end;
}

// The bytes of a name at the start of the text: at most 32 characters, and a semicolon.
std::size_t name_length(std::string_view text) {
  constexpr int most_characters = 32;
  int characters = 0;
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (std::string_view("\t\n\f <&#;").find(text[end]) != std::string_view::npos) break;
    const bool starts_character = (static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U;
    if (starts_character && ++characters > most_characters) break;
  }
  return end > 0 && end < text.size() && text[end] == ';' ? end + 1 : end;
}

// Decodes a name at the start of the text, else the longest name that begins it; the bytes it took, or 0.
std::size_t decode_name(std::string_view text, std::string& out) {
  for (std::size_t length = name_length(text); length > 1; --length) {
    if (const Entity* entity = find_entity(text.substr(0, length))) {
      out += entity->text;
      return length;
    }
  }
  return 0;
}

}  // namespace

std::string html_unescaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t ampersand = std::min(text.find('&', at), text.size());
    out += text.substr(at, ampersand - at);
    if (ampersand == text.size()) break;
    const std::string_view rest = text.substr(ampersand + 1);
    const std::size_t taken = rest.starts_with('#') ? decode_number(rest, out) : decode_name(rest, out);
    if (taken == 0) out += '&';
    at = ampersand + 1 + taken;
  }
  return out;
}

}  // namespace fiducial
