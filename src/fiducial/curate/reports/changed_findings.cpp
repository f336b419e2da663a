#include "fiducial/curate/reports/changed_findings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/curate/reports/control_words.h"

namespace fiducial {

namespace {

using SaidSizes = std::vector<std::array<double, 3>>;
using Said = std::tuple<std::string, bool, bool, std::vector<std::string>, SaidSizes>;

// What findings say, whatever the order of their words.
std::vector<Said> said_of(const std::vector<GroundedFinding>& findings, bool with_places) {
  std::vector<Said> out;
  for (const GroundedFinding& each : findings) {
    SaidSizes sizes;
    for (const Measurement& size : each.sizes) {
      std::array<double, 3> mm = size.mm;
      for (double& edge : mm) edge = std::round(edge * 1000) / 1000;
      sizes.push_back(mm);
    }
    std::vector<std::string> places;
    if (with_places) places = each.paths;
    std::sort(places.begin(), places.end());
    out.emplace_back(each.name, each.present, each.certain, std::move(places), std::move(sizes));
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool states_finding(const std::vector<GroundedFinding>& findings) {
  return !findings.empty() && std::all_of(findings.begin(), findings.end(), [](const GroundedFinding& each) {
    return each.present && !each.paths.empty();
  });
}

std::string with_small_start(std::string text) {
  const bool is_word = text.size() > 1 && is_capital(text[0]) && (is_small(text[1]) || is_space(text[1]));
  if (is_word) text[0] = static_cast<char>(text[0] + 32);
  return text;
}

std::string with_capital_start(std::string text) {
  if (!text.empty() && is_small(text[0])) text[0] = static_cast<char>(text[0] - 32);
  return text;
}

// "Nodule in the left lung." becomes "In the left lung, nodule."
std::optional<std::string> place_first(const std::string& text) {
  const std::string body = text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
  const std::size_t at = body.rfind(" in ");
  if (at == std::string::npos || body.find(',') != std::string::npos) return std::nullopt;
  const std::string place = body.substr(at + 1);
  const bool is_place = place.ends_with("lobe") || place.ends_with("lung") || place.ends_with("lungs");
  if (!is_place || place.find(" and ") != std::string::npos) return std::nullopt;
  return with_capital_start(place) + ", " + with_small_start(body.substr(0, at)) + ".";
}

// "the left lower lobe" becomes "the lower lobe of the left lung".
std::optional<std::string> lobe_of_lung(const std::string& text) {
  for (const std::string side : {"left", "right"}) {
    for (const std::string level : {"upper", "middle", "lower"}) {
      auto changed =
          with_phrase(text, side + " " + level + " lobe", level + " lobe of the " + side + " lung");
      if (changed) return changed;
    }
  }
  return std::nullopt;
}

// "13 mm" becomes "1.3 cm", and back.
std::optional<std::string> other_unit(const std::string& text) {
  const std::vector<Measurement> sizes = find_measurements(text);
  if (sizes.empty() || sizes.front().range || sizes.front().arity != 1) return std::nullopt;
  const TextSpan& span = sizes.front().span;
  const bool is_cm = span.of(text).ends_with("cm");
  const double mm = sizes.front().mm[0];
  const std::string other =
      is_cm ? shortest(std::round(mm * 100) / 100) + " mm" : shortest(std::round(mm * 100) / 1000) + " cm";
  return text.substr(0, span.begin) + other + text.substr(span.end);
}

// Whether text names one of two words and not the other.
bool names_one(const std::vector<std::string>& words, const char* one, const char* other) {
  return std::find(words.begin(), words.end(), one) != words.end() &&
         std::find(words.begin(), words.end(), other) == words.end();
}

// A path on the other side.
std::string mirrored(const std::string& path) {
  const auto to_left = with_phrase(path, "right", "left", true);
  return to_left ? *to_left : with_phrase(path, "left", "right", true).value_or(path);
}

std::vector<GroundedFinding> mirrored(std::vector<GroundedFinding> findings) {
  for (GroundedFinding& each : findings) {
    for (std::string& path : each.paths) path = mirrored(path);
  }
  return findings;
}

std::optional<std::string> other_side(const std::string& text) {
  if (ControlWords::names_any(ControlWords::known().one_sided, text)) return std::nullopt;
  const std::vector<std::string> words = lower_words(text);
  if (names_one(words, "left", "right")) return with_phrase(text, "left", "right", true);
  if (names_one(words, "right", "left")) return with_phrase(text, "right", "left", true);
  return std::nullopt;
}

// Upper and lower change places; what lies in the middle comes to lie below.
std::optional<std::string> other_lobe(const std::string& text) {
  if (ControlWords::names_any(ControlWords::known().in_lobe, text)) return std::nullopt;
  const std::vector<std::string> words = lower_words(text);
  const auto names = [&words](const char* word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (int{names("upper")} + int{names("middle")} + int{names("lower")} != 1) return std::nullopt;
  if (names("middle") && !names("right")) return std::nullopt;
  const std::string level = names("upper") ? "upper" : names("middle") ? "middle" : "lower";
  const std::string other = level == "lower" ? "upper" : "lower";
  return with_phrase(text, level + " lobe", other + " lobe", true);
}

}  // namespace

std::vector<FindingChanger::Sided> FindingChanger::sides_in(const std::string& text) {
  std::vector<Sided> out;
  for (const Fact& fact : facts_.read(text)) out.push_back({fact.finding, fact.left, fact.right});
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<ChangedFinding> FindingChanger::paraphrases(const std::string& text) {
  const std::vector<GroundedFinding> before = grounder_.findings(text);
  std::vector<ChangedFinding> out;
  if (!states_finding(before)) return out;
  const std::vector<Sided> sides = sides_in(text);
  const auto add = [&](const char* rule, const std::optional<std::string>& changed) {
    if (!changed || *changed == text) return;
    for (const ChangedFinding& each : out) {
      if (each.text == *changed) return;
    }
    std::vector<GroundedFinding> after = grounder_.findings(*changed);
    if (said_of(before, true) == said_of(after, true) && sides_in(*changed) == sides)
      out.push_back({*changed, rule, std::move(after)});
  };
  add("place_first", place_first(text));
  add("lobe_of_lung", lobe_of_lung(text));
  for (const auto& [one, other] : ControlWords::known().same) {
    add("words", with_phrase(text, one, other));
    add("words", with_phrase(text, other, one));
  }
  for (const auto& [one, other] : ControlWords::known().says) add("words", with_phrase(text, one, other));
  add("unit", other_unit(text));
  add("frame", "Finding on CT: " + with_small_start(text));
  return out;
}

std::vector<ChangedFinding> FindingChanger::swapped(const std::string& text) {
  const std::vector<GroundedFinding> before = grounder_.findings(text);
  std::vector<ChangedFinding> out;
  if (!states_finding(before)) return out;
  if (const auto changed = other_side(text)) {
    std::vector<GroundedFinding> after = grounder_.findings(*changed);
    std::vector<Sided> sides = sides_in(text);
    for (Sided& each : sides) std::swap(each.left, each.right);
    std::sort(sides.begin(), sides.end());
    const bool is_mirrored =
        said_of(mirrored(before), true) == said_of(after, true) && sides_in(*changed) == sides;
    if (is_mirrored && (said_of(before, true) != said_of(after, true) || sides_in(text) != sides))
      out.push_back({*changed, "side", std::move(after)});
  }
  if (const auto changed = other_lobe(text)) {
    std::vector<GroundedFinding> after = grounder_.findings(*changed);
    if (said_of(before, false) == said_of(after, false) && said_of(before, true) != said_of(after, true))
      out.push_back({*changed, "lobe", std::move(after)});
  }
  return out;
}

}  // namespace fiducial
