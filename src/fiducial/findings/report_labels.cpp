#include "fiducial/findings/report_labels.h"

#include <algorithm>

namespace fiducial {

std::string_view embedded_labels();

const ConceptRules& ct_rate_label_rules() {
  static const ConceptRules rules = [] {
    Result<ConceptRules> parsed = ConceptRules::parse(embedded_labels(), "label", Lexicon::chest_ct());
    FIDUCIAL_ASSERT(parsed.ok());
    return std::move(parsed).value();
  }();
  return rules;
}

ReportLabeller::ReportLabeller(const ConceptRules& rules)
    : rules_(rules), reader_(rules.lexicon()), flags_(rules.names().size()) {}

template <typename Visitor>
void ReportLabeller::visit_firings(std::string_view text, const Visitor& visit) {
  for (const Clause& clause : reader_.read(text)) {
    for (const Mention& mention : reader_.mentions(clause)) {
      if (mention.denied) continue;
      visit_rules(mention.what, mention, clause, visit);
      const auto whole = rules_.lexicon().concepts()[mention.what].part_of;
      if (whole) visit_rules(*whole, mention, clause, visit);
    }
  }
}

template <typename Visitor>
void ReportLabeller::visit_rules(ConceptId subject, const Mention& mention, const Clause& clause,
                                 const Visitor& visit) const {
  for (const std::uint32_t index : rules_.rules_about(subject)) {
    const ConceptRules::Rule& rule = rules_.rules()[index];
    if (rule.not_if_asked && clause.asked) continue;
    if (rule.holds(clause.known, clause.concepts | clause.places)) visit(index, mention, clause);
  }
}

const std::vector<bool>& ReportLabeller::labels(std::string_view text) {
  std::fill(flags_.begin(), flags_.end(), false);
  visit_firings(text, [this](std::uint32_t rule, const Mention&, const Clause&) {
    flags_[rules_.rules()[rule].name] = true;
  });
  return flags_;
}

std::vector<LabelEvidence> ReportLabeller::evidence(std::string_view text) {
  std::vector<LabelEvidence> found;
  visit_firings(text, [&](std::uint32_t rule, const Mention& mention, const Clause& clause) {
    found.push_back(
        {.label = rules_.rules()[rule].name, .rule = rule, .finding = mention.span, .clause = clause.span});
  });
  return found;
}

}  // namespace fiducial
