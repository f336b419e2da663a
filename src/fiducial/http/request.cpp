#include "fiducial/http/request.h"

#include <algorithm>

#include "fiducial/base/utf8.h"
#include "fiducial/http/field_text.h"

namespace fiducial::http {

namespace {

int hex_value(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

bool has_dot_segment(std::string_view path) {
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view segment = path.substr(0, end);
    if (segment == "." || segment == "..") return true;
    path.remove_prefix(end);
  }
  return false;
}

}  // namespace

const std::string* Request::find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(fields, [&](const Field& field) { return same_name(field.name, name); });
  return found == fields.end() ? nullptr : &found->value;
}

std::string_view Request::part(std::string_view name) const {
  const auto found = std::ranges::find_if(parts, [&](const auto& part) { return part.first == name; });
  return found == parts.end() ? std::string_view() : std::string_view(found->second);
}

Result<std::optional<std::string>> Request::parameter(std::string_view name) const {
  std::optional<std::string> found;
  for (std::string_view rest = query; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    const std::size_t equals = std::min(one.find('='), one.size());
    FIDUCIAL_TRY(const std::string key, percent_decoded(one.substr(0, equals), true));
    if (key != name) continue;
    if (found) return invalid_data("the parameter " + key + " stands twice");
    FIDUCIAL_TRY(found, percent_decoded(one.substr(std::min(equals + 1, one.size())), true));
  }
  return found;
}

Result<std::string> percent_decoded(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
      if (high < 0 || low < 0) return invalid_data("a percent sign without two digits");
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  if (out.find('\0') != std::string::npos) return invalid_data("a NUL");
  if (first_invalid_utf8(out).has_value()) return invalid_data("bytes that are no UTF-8");
  return out;
}

Outcome set_target(Request& request, std::string_view target) {
  request.target = target;
  if (!target.starts_with('/')) return invalid_data("the target does not begin with a slash");
  if (std::ranges::any_of(target, [](char c) { return c <= ' ' || c == 0x7f || c == '#'; })) {
    return invalid_data("the target holds a character that has no place in it");
  }
  const std::size_t question = std::min(target.find('?'), target.size());
  FIDUCIAL_TRY(request.path, percent_decoded(target.substr(0, question), false));
  request.query = target.substr(std::min(question + 1, target.size()));
  if (has_dot_segment(request.path)) return invalid_data("the path leads upwards");
  return done();
}

}  // namespace fiducial::http
