#include "fiducial/findings/ontology.h"

#include <algorithm>
#include <vector>

#include "fiducial/base/error.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/findings/phrase_pattern.h"

namespace fiducial {

std::string_view embedded_ontology();  // data/ontology.txt

namespace {

// The file is compiled in and held against the tests, so a broken line is our own mistake.
std::vector<OntologyCode> parse_ontology() {
  constexpr std::string_view group_mark = "group ";
  std::vector<OntologyCode> out;
  std::string_view group;
  for (const RuleLine& line : rule_lines(embedded_ontology())) {
    const std::vector<std::string_view> fields = split_trimmed(line.text, '|');
    if (line.text.starts_with(group_mark)) {
      FIDUCIAL_ASSERT(fields.size() == 2);
      group = fields[1];
      continue;
    }
    FIDUCIAL_ASSERT(fields.size() == 4 || fields.size() == 5);
    const std::string_view in_group = fields.size() == 5 ? fields[4] : fields[1];
    FIDUCIAL_ASSERT(fields[2] == "focal" || fields[2] == "not focal" || fields[2] == "-");
    out.push_back({.code = fields[0],
                   .title = fields[1],
                   .group = group,
                   .in_group = in_group == "-" ? std::string_view() : in_group,
                   .focal = fields[2] == "-" ? std::nullopt : std::optional(fields[2] == "focal"),
                   .annotated = fields[3] == "annotated"});
  }
  return out;
}

}  // namespace

std::span<const OntologyCode> ontology_codes() {
  static const std::vector<OntologyCode> codes = parse_ontology();
  return codes;
}

const OntologyCode* find_ontology_code(std::string_view code) {
  const std::span<const OntologyCode> codes = ontology_codes();
  const auto found = std::find_if(codes.begin(), codes.end(),
                                  [code](const OntologyCode& each) { return each.code == code; });
  return found == codes.end() ? nullptr : &*found;
}

std::string ontology_text() {
  std::string out;
  std::string_view group;
  for (const OntologyCode& each : ontology_codes()) {
    if (each.group != group) {
      if (!out.empty()) out += ". ";
      out.append(each.group).append(": ");
    } else {
      out += ", ";
    }
    group = each.group;
    out += each.code;
    if (!each.in_group.empty()) out.append(" ").append(each.in_group);
  }
  return out + ".";
}

}  // namespace fiducial
