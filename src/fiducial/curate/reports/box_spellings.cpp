#include "fiducial/curate/reports/box_spellings.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

// All numbers of a small value, in order; nothing where anything else is in it.
bool collect_numbers(const Json& value, std::vector<double>& out) {
  if (out.size() > 6) return false;
  if (const auto number = value.as_number()) {
    out.push_back(*number);
    return true;
  }
  if (const Json::Array* items = value.as_array()) {
    return !items->empty() && std::all_of(items->begin(), items->end(),
                                          [&out](const Json& item) { return collect_numbers(item, out); });
  }
  if (const Json::Object* members = value.as_object()) {
    return !members->empty() &&
           std::all_of(members->begin(), members->end(),
                       [&out](const Json::Member& member) { return collect_numbers(member.second, out); });
  }
  return false;
}

// Which end of which axis a key names: "x_min", "zmax", "y1", "lower_x"; nothing where it names none.
std::optional<std::size_t> corner_of_key(std::string_view key) {
  std::string lower = ascii_lower(key);
  const std::size_t most = lower.find("max");  // its x is no axis
  if (most != std::string::npos) lower.replace(most, 3, "high");
  std::size_t axis = 3;
  for (std::size_t i = 0; i < 3; ++i) {
    if (lower.find(static_cast<char>('x' + i)) == std::string::npos) continue;
    if (axis != 3) return std::nullopt;
    axis = i;
  }
  if (axis == 3) return std::nullopt;
  const auto says = [&lower](std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&lower](std::string_view word) { return lower.find(word) != std::string::npos; });
  };
  const bool high = says({"high", "upper", "end", "stop"});
  const bool low = says({"min", "low", "begin", "start"});
  if (high == low) return std::nullopt;
  return high ? axis + 3 : axis;
}

// A box whose ends are named by their keys, as corners; nothing where they are not.
std::optional<WrittenBox> named_box(const Json& value) {
  const Json::Object* members = value.as_object();
  if (members == nullptr || members->size() != 6) return std::nullopt;
  WrittenBox box{};
  std::array<bool, 6> is_set{};
  for (const auto& [key, member] : *members) {
    const auto corner = corner_of_key(key);
    const auto number = member.as_number();
    if (!corner || !number || is_set.at(*corner)) return std::nullopt;
    box.at(*corner) = *number;
    is_set.at(*corner) = true;
  }
  return box;
}

}  // namespace

BoxReading read_box(const Json& value) {
  if (const auto box = named_box(value)) return {box};
  std::vector<double> numbers;
  if (!collect_numbers(value, numbers)) return {};
  if (numbers.size() != 6) return {.box = std::nullopt, .is_odd = value.as_array() != nullptr};
  WrittenBox box{};
  std::copy(numbers.begin(), numbers.end(), box.begin());
  return {box};
}

std::vector<WrittenBox> boxes_in_text(std::string_view text) {
  constexpr int letters_between_corners = 3;
  std::vector<WrittenBox> boxes;
  std::vector<double> numbers;
  int depth = 0;
  int letters = 0;  // since the last bracket closed
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const bool begins_number = is_digit(c) || (c == '-' && at + 1 < text.size() && is_digit(text[at + 1]));
    std::size_t end = at + 1;
    if (depth > 0 && begins_number) {
      while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
      if (const auto number = parse_double(text.substr(at, end - at))) numbers.push_back(*number);
    }
    at = end;
    if (c == '[' || c == '(') ++depth;
    const bool closes = (c == ']' || c == ')') && depth > 0 && --depth == 0;
    if (closes) letters = 0;
    if (closes && numbers.size() == 6) {
      WrittenBox box{};
      std::copy(numbers.begin(), numbers.end(), box.begin());
      boxes.push_back(box);
    }
    letters += depth == 0 && is_letter(c) ? 1 : 0;
    // Three numbers are a corner, whose other one follows.
    const bool is_corner = numbers.size() == 3 && letters <= letters_between_corners;
    if ((depth == 0 && !is_corner) || numbers.size() > 6) numbers.clear();
  }
  return boxes;
}

}  // namespace fiducial
