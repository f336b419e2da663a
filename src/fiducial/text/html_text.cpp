#include "fiducial/text/html_text.h"

#include <algorithm>

#include "fiducial/base/utf8.h"

namespace fiducial {

namespace {

constexpr std::string_view stand_in = "\xEF\xBF\xBD";  // U+FFFD

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '&':
      out += "&amp;";
      return;
    case '<':
      out += "&lt;";
      return;
    case '>':
      out += "&gt;";
      return;
    case '"':
      out += "&quot;";
      return;
    case '\'':
      out += "&#39;";
      return;
    default:
      break;
  }
  const bool is_control = (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
  if (is_control) {
    out += stand_in;
  } else {
    out += c;
  }
}

// U+202A to U+202E and U+2066 to U+2069 are three bytes long.
bool turns_direction(std::string_view rest) {
  if (rest.size() < 3 || rest[0] != '\xE2') return false;
  const auto last = static_cast<unsigned char>(rest[2]);
  return (rest[1] == '\x80' && last >= 0xAA && last <= 0xAE) ||
         (rest[1] == '\x81' && last >= 0xA6 && last <= 0xA9);
}

void append_valid(std::string& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (turns_direction(text.substr(i))) {
      out += stand_in;
      i += 2;
    } else {
      append_escaped(out, text[i]);
    }
  }
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t valid = first_invalid_utf8(text).value_or(text.size());
    append_valid(out, text.substr(0, valid));
    if (valid < text.size()) out += stand_in;
    text.remove_prefix(std::min(text.size(), valid + 1));
  }
  return out;
}

}  // namespace fiducial
