#include "fiducial/cards/python_literal.h"

#include <algorithm>
#include <array>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/utf8.h"

namespace fiducial {

namespace {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 1;
};

// Of UTF-8; never reads past the end.
CodePoint code_point_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t promised = lead < 0xe0 ? 2 : (lead < 0xf0 ? 3 : 4);
  const std::size_t bytes = std::min(promised, text.size() - at);
  char32_t value = lead & (0xffU >> (promised + 1));
  for (std::size_t i = 1; i < bytes; ++i) value = (value << 6) | (byte(i) & 0x3fU);
  return {value, bytes};
}

struct PointRange {
  char32_t first;
  char32_t last;
};

// Controls, formats, separators but the space, and private use: what str.isprintable() denies of assigned
// points.
constexpr std::array<PointRange, 22> unprintable{
    {{0, 0x1f},          {0x7f, 0xa0},       {0xad, 0xad},     {0x600, 0x605},     {0x61c, 0x61c},
     {0x6dd, 0x6dd},     {0x70f, 0x70f},     {0x890, 0x891},   {0x8e2, 0x8e2},     {0x1680, 0x1680},
     {0x180e, 0x180e},   {0x2000, 0x200f},   {0x2028, 0x202f}, {0x205f, 0x206f},   {0x3000, 0x3000},
     {0xd800, 0xf8ff},   {0xfeff, 0xfeff},   {0xfff9, 0xfffb}, {0x110bd, 0x110bd}, {0x1bca0, 0x1bca3},
     {0x1d173, 0x1d17a}, {0xe0000, 0x10ffff}}};

bool is_printable(char32_t point) {
  for (const PointRange& range : unprintable) {
    if (point >= range.first && point <= range.last) return false;
  }
  return true;
}

std::string hexadecimal(char32_t value, int digits) {
  std::string out(static_cast<std::size_t>(digits), '0');
  for (std::size_t i = out.size(); i-- > 0; value >>= 4) out[i] = "0123456789abcdef"[value & 15U];
  return out;
}

std::string escaped(char32_t point) {
  if (point == '\n') return "\\n";
  if (point == '\r') return "\\r";
  if (point == '\t') return "\\t";
  if (point < 0x100) return "\\x" + hexadecimal(point, 2);
  return point < 0x10000 ? "\\u" + hexadecimal(point, 4) : "\\U" + hexadecimal(point, 8);
}

std::string string_literal(std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const char quote = has_single && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string out(1, quote);
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    if (point.value == static_cast<unsigned char>(quote) || point.value == '\\') {
      out += '\\';
      out += text[at];
    } else if (is_printable(point.value)) {
      out += text.substr(at, point.bytes);
    } else {
      out += escaped(point.value);
    }
    at += point.bytes;
  }
  return out + quote;
}

std::string literal(const Json& value);

std::string list_literal(const Json::Array& items) {
  std::string out = joined(items, ", ", [](const Json& item) { return literal(item); });
  return "[" + out + "]";
}

std::string object_literal(const Json::Object& members) {
  std::string out;
  for (const auto& [key, value] : members) {
    append_joined(out, string_literal(key) + ": " + literal(value));
  }
  return "{" + out + "}";
}

std::string literal(const Json& value) {
  if (value.is_null()) return "None";
  if (const bool* truth = value.as_bool()) return *truth ? "True" : "False";
  if (const std::string* text = value.as_string()) return string_literal(*text);
  if (const Json::Array* items = value.as_array()) return list_literal(*items);
  if (const Json::Object* members = value.as_object()) return object_literal(*members);
  return value.compact();
}

std::optional<char32_t> hexadecimal_value(std::string_view text) {
  char32_t out = 0;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit && (c < 'a' || c > 'f')) return std::nullopt;
    out = out * 16 + static_cast<char32_t>(digit ? c - '0' : c - 'a' + 10);
  }
  return out;
}

// Reads a literal from its first character on.
class LiteralReader {
 public:
  explicit LiteralReader(std::string_view text) : text_(text) {}

  std::optional<Json> list() {
    Json out = Json::Array{};
    if (!take("[")) return std::nullopt;
    while (!take("]")) {
      if (!out.as_array()->empty() && !take(", ")) return std::nullopt;
      std::optional<std::string> item = text();
      if (!item) return std::nullopt;
      out.push(*std::move(item));
    }
    return text_.empty() ? std::optional(std::move(out)) : std::nullopt;
  }

 private:
  bool take(std::string_view expected) {
    if (!text_.starts_with(expected)) return false;
    text_.remove_prefix(expected.size());
    return true;
  }

  std::optional<std::string> text() {
    if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) return std::nullopt;
    const char quote = text_.front();
    text_.remove_prefix(1);
    std::string out;
    while (!text_.empty()) {
      const char c = text_.front();
      text_.remove_prefix(1);
      if (c == quote) return out;
      if (c != '\\') {
        out += c;
      } else if (!escape(out)) {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  bool escape(std::string& out) {
    if (text_.empty()) return false;
    const char kind = text_.front();
    text_.remove_prefix(1);
    constexpr std::string_view plain = "\\\\''\"\"n\nr\rt\t";
    for (std::size_t i = 0; i < plain.size(); i += 2) {
      if (plain[i] == kind) {
        out += plain[i + 1];
        return true;
      }
    }
    const std::size_t digits = kind == 'x' ? 2 : (kind == 'u' ? 4 : (kind == 'U' ? 8 : 0));
    if (digits == 0 || text_.size() < digits) return false;
    const std::optional<char32_t> point = hexadecimal_value(text_.substr(0, digits));
    text_.remove_prefix(digits);
    if (!point || *point > 0x10ffff || (*point >= 0xd800 && *point <= 0xdfff)) return false;
    append_utf8(out, *point);
    return true;
  }

  std::string_view text_;
};

}  // namespace

std::string python_text(const Json& value) {
  const std::string* text = value.as_string();
  return text != nullptr ? *text : literal(value);
}

std::optional<Json> parse_python_list(std::string_view text) {
  std::optional<Json> list = LiteralReader(text).list();
  return list && literal(*list) == text ? std::move(list) : std::nullopt;
}

}  // namespace fiducial
