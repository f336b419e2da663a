#include "fiducial/cards/markdown_tags.h"

namespace fiducial {

namespace {

constexpr std::string_view ampersand = "amp;";
constexpr std::string_view less = "lt;";

bool begins_tag(std::string_view rest) {
  if (rest.size() < 2 || rest[0] != '<') return false;
  if (rest.starts_with("<http://") || rest.starts_with("<https://")) return false;
  const char next = rest[1];
  return next == '/' || next == '!' || next == '?' || (next >= 'a' && next <= 'z') ||
         (next >= 'A' && next <= 'Z');
}

// Whether a text is "&lt;", however often its ampersand was written out.
bool is_written_less(std::string_view rest) {
  if (!rest.starts_with('&')) return false;
  rest.remove_prefix(1);
  while (rest.starts_with(ampersand)) rest.remove_prefix(ampersand.size());
  return rest.starts_with(less);
}

}  // namespace

std::string without_tags(std::string_view markdown) {
  std::string out;
  out.reserve(markdown.size());
  for (std::size_t at = 0; at < markdown.size(); ++at) {
    const std::string_view rest = markdown.substr(at);
    if (begins_tag(rest)) {
      out += "&lt;";
    } else {
      out += rest[0];
      if (is_written_less(rest)) out += ampersand;
    }
  }
  return out;
}

std::string with_tags(std::string_view markdown) {
  std::string out;
  out.reserve(markdown.size());
  while (!markdown.empty()) {
    if (markdown.starts_with("&lt;")) {
      out += '<';
      markdown.remove_prefix(4);
    } else if (is_written_less(markdown)) {
      // One "amp;" goes; what is left of the written character is not read again.
      const std::size_t end = markdown.find(less) + less.size();
      out += '&';
      out += markdown.substr(1 + ampersand.size(), end - 1 - ampersand.size());
      markdown.remove_prefix(end);
    } else {
      out += markdown[0];
      markdown.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace fiducial
