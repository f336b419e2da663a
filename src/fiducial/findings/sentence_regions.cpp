#include "fiducial/findings/sentence_regions.h"

namespace fiducial {

std::string_view embedded_regions();

namespace {

ConceptSet placing_concepts(const ConceptRules& rules) {
  const ConceptSet anatomy = concepts_of_kind(rules.lexicon(), ConceptKind::anatomy);
  return (anatomy | concepts_of_kind(rules.lexicon(), ConceptKind::finding)) & ~rules.generic();
}

// What makes a sentence more than a heading.
ConceptSet saying_concepts(const Lexicon& lexicon) {
  return concepts_of_kind(lexicon, ConceptKind::finding) | concepts_of_kind(lexicon, ConceptKind::disorder) |
         with_parts(required_concepts(lexicon, {"deny_before", "deny_after", "deny_next", "assert", "exist",
                                                "judge", "breaker"}),
                    lexicon);
}

}  // namespace

const ConceptRules& chest_region_rules() {
  static const ConceptRules rules = [] {
    Result<ConceptRules> parsed = ConceptRules::parse(embedded_regions(), "region", Lexicon::chest_ct());
    FIDUCIAL_ASSERT(parsed.ok());
    return std::move(parsed).value();
  }();
  return rules;
}

ReportDivider::ReportDivider(const ConceptRules& rules)
    : rules_(rules),
      reader_(rules.lexicon()),
      heading_(rules.lexicon().required_concept("heading")),
      same_place_(rules.lexicon().required_concept("same_place")),
      placing_(placing_concepts(rules)),
      saying_(saying_concepts(rules.lexicon())) {}

std::vector<SentenceRegions> ReportDivider::divide(std::string_view text,
                                                   const std::vector<Sentence>& sentences) {
  using Reason = SentenceRegions::Reason;
  std::vector<SentenceRegions> answers(sentences.size());
  std::vector<Reading> readings;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    readings.push_back(place(sentences[i].content.of(text), answers[i]));
  }
  for (std::size_t i = sentences.size(); i-- > 1;) {
    SentenceRegions& headed = answers[i - 1];
    const bool is_heading =
        readings[i - 1].is_bare_heading || (readings[i - 1].heading && headed.regions.empty());
    if (is_heading && !answers[i].regions.empty())
      headed = {.regions = answers[i].regions, .rules = {}, .reason = Reason::heads};
  }
  for (std::size_t i = 1; i < sentences.size(); ++i) {
    if (!answers[i].regions.empty() || !readings[i].says_nothing_new || answers[i - 1].regions.empty())
      continue;
    answers[i] = {.regions = answers[i - 1].regions, .rules = {}, .reason = Reason::continues};
  }
  return answers;
}

ReportDivider::Reading ReportDivider::place(std::string_view sentence, SentenceRegions& answer) {
  ConceptSet concepts;
  Reading reading;
  bool first = true;
  for (const Clause& clause : reader_.read(sentence)) {
    concepts |= clause.concepts;
    for (const Mention& mention : reader_.mentions(clause)) {
      if (first) reading.heading = mention.what == heading_ && mention.span.begin == clause.span.begin;
      first = false;
    }
  }
  for (std::size_t i = 0; i < rules_.rules().size(); ++i) {
    const ConceptRules::Rule& rule = rules_.rules()[i];
    const bool placed = !answer.regions.empty() && answer.regions.back() == rule.name;
    if (placed || !rule.holds(concepts, concepts)) continue;
    answer.regions.push_back(rule.name);
    answer.rules.push_back(i);
    answer.reason = SentenceRegions::Reason::rules;
  }
  reading.says_nothing_new = (concepts & placing_).none() || concepts[same_place_];
  reading.is_bare_heading = reading.heading && (concepts & saying_).none();
  return reading;
}

}  // namespace fiducial
