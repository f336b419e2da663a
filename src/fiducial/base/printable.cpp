#include "fiducial/base/printable.h"

#include <algorithm>

#include "fiducial/base/utf8.h"

namespace fiducial {

namespace {

// Terminals obey the controls of both sets; line and paragraph separators break lines, and what turns the
// direction of writing shows a text in another order than it has.
bool is_obeyed(char32_t code) {
  if (code < 0x20 || (code >= 0x7F && code <= 0x9F)) return true;
  return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

// The code point of a well-formed sequence of at most three bytes; longer ones are never obeyed.
char32_t short_code_point(std::string_view sequence) {
  const auto bits = [&sequence](std::size_t i, unsigned mask) {
    return static_cast<char32_t>(static_cast<unsigned char>(sequence[i]) & mask);
  };
  if (sequence.size() == 1) return bits(0, 0x7F);
  if (sequence.size() == 2) return (bits(0, 0x1F) << 6U) | bits(1, 0x3F);
  if (sequence.size() == 3) return (bits(0, 0x0F) << 12U) | (bits(1, 0x3F) << 6U) | bits(2, 0x3F);
  return 0x10FFFF;
}

void append_hex(std::string& out, std::string_view prefix, char32_t value, int digits) {
  out += prefix;
  for (int place = digits - 1; place >= 0; --place) {
    out += "0123456789abcdef"[(value >> (4U * static_cast<unsigned>(place))) & 15U];
  }
}

bool is_plain(char c) { return c >= 0x20 && c < 0x7F; }

std::string written_out(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text.substr(at));
    const std::string_view sequence = text.substr(at, std::max<std::size_t>(length, 1));
    at += sequence.size();
    if (length == 0) {
      append_hex(out, "\\x", static_cast<unsigned char>(sequence[0]), 2);
    } else if (kept.find(sequence[0]) != std::string_view::npos || !is_obeyed(short_code_point(sequence))) {
      out += sequence;
    } else if (sequence == "\n") {
      out += "\\n";
    } else if (sequence == "\t") {
      out += "\\t";
    } else {
      append_hex(out, "\\u", short_code_point(sequence), 4);
    }
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), is_plain) ? std::string(text) : written_out(text, "");
}

std::string printable_lines(std::string_view text) {
  const auto stays = [](char c) { return is_plain(c) || c == '\n' || c == '\t'; };
  return std::all_of(text.begin(), text.end(), stays) ? std::string(text) : written_out(text, "\n\t");
}

}  // namespace fiducial
