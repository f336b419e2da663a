#include "fiducial/findings/report_facts.h"

#include <algorithm>

namespace fiducial {

namespace {

std::size_t distance(const TextSpan& a, const TextSpan& b) {
  if (a.end <= b.begin) return b.begin - a.end;
  if (b.end <= a.begin) return a.begin - b.end;
  return 0;
}

void attach_sizes(std::string_view text, std::size_t first, std::vector<Fact>& facts) {
  if (first == facts.size()) return;
  const TextSpan clause = facts[first].clause;
  for (Measurement size : find_measurements(clause.of(text))) {
    size.span.begin += clause.begin;
    size.span.end += clause.begin;
    const auto nearest =
        std::min_element(facts.begin() + static_cast<std::ptrdiff_t>(first), facts.end(),
                         [&size](const Fact& a, const Fact& b) {
                           return distance(a.evidence, size.span) < distance(b.evidence, size.span);
                         });
    nearest->sizes.push_back(size);
  }
}

}  // namespace

std::string_view to_string(Certainty certainty) {
  constexpr std::string_view names[] = {"stated", "likely", "asked"};
  return names[static_cast<std::size_t>(certainty)];
}

FactReader::FactReader(const Lexicon& lexicon)
    : lexicon_(lexicon),
      cues_{.maybe = lexicon.required_concept("maybe"),
            .attributed = lexicon.required_concept("attributed"),
            .prior = lexicon.required_concept("prior"),
            .left = lexicon.required_concept("left"),
            .right = lexicon.required_concept("right"),
            .bilateral = lexicon.required_concept("bilateral"),
            .judgement = lexicon.required_concept("judge")},
      reader_(lexicon) {}

std::vector<Fact> FactReader::read(std::string_view text) {
  std::vector<Fact> facts;
  for (const Clause& clause : reader_.read(text)) {
    const std::size_t first = facts.size();
    read_clause(clause, facts);
    attach_sizes(text, first, facts);
  }
  return facts;
}

void FactReader::read_clause(const Clause& clause, std::vector<Fact>& facts) const {
  const bool unsure = clause.concepts[cues_.maybe] || clause.concepts[cues_.attributed];
  Fact pattern{
      .certainty = clause.asked ? Certainty::asked : (unsure ? Certainty::likely : Certainty::stated),
      .speaks_of_prior = clause.concepts[cues_.prior],
      .left = clause.concepts[cues_.left] || clause.concepts[cues_.bilateral],
      .right = clause.concepts[cues_.right] || clause.concepts[cues_.bilateral],
      .clause = clause.span};
  for (std::size_t i = 0; i < lexicon_.concepts().size(); ++i) {
    const bool place = lexicon_.concepts()[i].kind == ConceptKind::anatomy;
    if (place && clause.known[i]) pattern.anatomy.push_back(static_cast<ConceptId>(i));
  }
  for (const Mention& mention : reader_.mentions(clause)) {
    const ConceptKind kind = lexicon_.concepts()[mention.what].kind;
    if (kind != ConceptKind::finding && kind != ConceptKind::disorder) continue;
    Fact fact = pattern;
    fact.finding = mention.what;
    fact.present = !mention.denied && !clause.concepts[cues_.judgement];
    fact.evidence = mention.span;
    facts.push_back(std::move(fact));
  }
}

}  // namespace fiducial
