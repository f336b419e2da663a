#include "fiducial/board/score_display.h"

#include "fiducial/base/number_text.h"
#include "fiducial/base/suggestion.h"

namespace fiducial {

namespace {

constexpr std::string_view names[] = {"truncate", "round", "none"};

std::string truncated(double value, int digits) {
  std::string text = shortest(value);
  if (text.find_first_of("einE") != std::string::npos) text = fixed(value, 17);
  std::size_t point = text.find('.');
  if (point == std::string::npos) {
    point = text.size();
    text += '.';
  }
  text.resize(point + 1 + static_cast<std::size_t>(digits), '0');
  if (digits == 0) text.pop_back();
  return text;
}

}  // namespace

std::string_view to_string(Shortening shortening) { return names[static_cast<std::size_t>(shortening)]; }

Result<Shortening> parse_shortening(std::string_view name) {
  for (const Shortening each : {Shortening::truncate, Shortening::round, Shortening::none}) {
    if (to_string(each) == name) return each;
  }
  return no_such_name("display rule", name, {"truncate", "round", "none"});
}

DisplayRule display_rule_of(std::string_view board) {
  if (board.starts_with("rexrank_v1")) return {Shortening::truncate, 3};
  return {Shortening::round, 3};
}

std::string displayed(double value, const DisplayRule& rule) {
  switch (rule.shortening) {
    case Shortening::truncate:
      return truncated(value, rule.digits);
    case Shortening::round:
      return fixed(value, rule.digits);
    case Shortening::none:
      break;
  }
  return shortest(value);
}

}  // namespace fiducial
