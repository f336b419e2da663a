#include "fiducial/archive/zip_name.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/base/utf8.h"

namespace fiducial {

namespace {

constexpr std::size_t longest_name = 4096;
constexpr std::size_t longest_quoted = 120;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

bool has_drive_letter(std::string_view name) {
  const char lower = name.empty() ? '\0' : static_cast<char>(name[0] | 0x20);
  return name.size() >= 2 && name[1] == ':' && lower >= 'a' && lower <= 'z';
}

std::optional<std::string> part_objection(std::string_view part) {
  if (part.empty()) return "it has an empty part";
  if (part == "..") return "a part \"..\" leaves the folder";
  if (part == ".") return "it has a part \".\"";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> zip_name_objection(std::string_view name) {
  if (name.empty()) return "it is empty";
  if (name.size() > longest_name) {
    return "it has " + decimal(name.size()) + " bytes, at most " + decimal(longest_name) + " are allowed";
  }
  if (name.find('\0') != std::string_view::npos) return "it holds a NUL byte";
  if (first_invalid_utf8(name)) return "it is not valid UTF-8";
  if (std::any_of(name.begin(), name.end(), is_control)) return "it holds a control character";
  if (name.find('\\') != std::string_view::npos) return "it holds a backslash";
  if (name.front() == '/') return "it is an absolute path";
  if (has_drive_letter(name)) return "it starts with a drive letter";
  if (name.back() == '/') name.remove_suffix(1);
  for (;;) {
    const std::size_t slash = name.find('/');
    if (auto objection = part_objection(name.substr(0, slash))) return objection;
    if (slash == std::string_view::npos) return std::nullopt;
    name.remove_prefix(slash + 1);
  }
}

std::string quoted_name(std::string_view name) {
  constexpr std::string_view digits = "0123456789abcdef";
  const bool readable = !first_invalid_utf8(name);
  const std::size_t shown = std::min(name.size(), longest_quoted);
  std::string out = "\"";
  for (std::size_t i = 0; i < shown; ++i) {
    const auto code = static_cast<unsigned char>(name[i]);
    // A name that is cut short could end inside a character.
    const bool plain = code < 0x80 ? !is_control(name[i]) : readable && shown == name.size();
    if (plain) {
      out += name[i];
    } else {
      out += "\\x";
      out += digits[code >> 4U];
      out += digits[code & 15U];
    }
  }
  return out + (shown < name.size() ? "...\"" : "\"");
}

}  // namespace fiducial
