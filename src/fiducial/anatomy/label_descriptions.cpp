#include "fiducial/anatomy/label_descriptions.h"

#include <array>
#include <cmath>
#include <limits>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/printable.h"
#include "fiducial/masks/segment_plan.h"

namespace fiducial {

namespace {

constexpr std::size_t numbers_before_name = 7;  // IDX R G B A VIS MSH

Error wrong_line(std::uint64_t line, const std::string& what) {
  return {ErrorCode::invalid_data, what, Place{.line = line}};
}

// A number off the front of a line.
std::optional<double> take_number(std::string_view& rest) {
  rest = trimmed(rest);
  const std::size_t end = std::min(rest.size(), rest.find_first_of(ascii_blanks));
  const auto number = parse_double(rest.substr(0, end));
  rest.remove_prefix(end);
  return number;
}

}  // namespace

Result<LabelNames> parse_label_descriptions(std::string_view text) {
  LabelNames out;
  for (std::uint64_t line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    std::string_view rest = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (rest.empty() || rest.starts_with('#')) continue;
    std::array<double, numbers_before_name> numbers{};
    for (double& number : numbers) {
      const auto found = take_number(rest);
      if (!found) return wrong_line(line, "expected seven numbers before the name of a label");
      number = *found;
    }
    rest = trimmed(rest);
    if (rest.size() < 2 || rest.front() != '"' || rest.back() != '"')
      return wrong_line(line, "expected the name of the label in quotes, found " + printable(rest));
    const double label = numbers[0];
    if (label < 0 || label != std::floor(label) || label > std::numeric_limits<std::int32_t>::max())
      return wrong_line(line, "label " + shortest(label) + "; expected a whole number of at least 0");
    if (label == 0) continue;
    const std::string name(rest.substr(1, rest.size() - 2));
    if (!out.emplace(static_cast<std::int32_t>(label), name).second)
      return wrong_line(line, "label " + shortest(label) + " stands twice");
  }
  return out;
}

std::string label_descriptions(const MaskCollection& masks) {
  std::string out =
      "# ITK-SNAP label descriptions\n# IDX   -R-  -G-  -B-  -A--  VIS MSH  LABEL\n"
      "    0     0    0    0        0  0  0    \"Clear Label\"\n";
  const std::vector<Segment> segments = segments_of(masks);
  for (std::size_t i = 0; i < masks.masks.size(); ++i) {
    const ListedMask& about = masks.masks[i].about;
    if (about.id == 0) continue;
    const std::array<double, 3> colour =
        i < segments.size() ? segments[i].about.colour : std::array{0.5, 0.5, 0.5};
    out += decimal(about.id);
    for (const double part : colour) out += " " + decimal(std::lround(part * 255));
    std::string name = printable(about.name);
    for (char& c : name) c = c == '"' ? '\'' : c;
    out += " 1 1 1 \"" + name + "\"\n";
  }
  return out;
}

}  // namespace fiducial
