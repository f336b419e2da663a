#include "fiducial/findings/report_facts.h"

#include <algorithm>

#include "fiducial/findings/prior_sizes.h"

namespace fiducial {

namespace {

std::size_t distance(const TextSpan& a, const TextSpan& b) {
  if (a.end <= b.begin) return b.begin - a.end;
  if (b.end <= a.begin) return a.begin - b.end;
  return 0;
}

void attach_sizes(const std::vector<ClauseSize>& sizes, std::size_t first, std::vector<Fact>& facts) {
  if (first == facts.size()) return;
  for (const auto& [size, prior] : sizes) {
    const auto nearest = std::min_element(facts.begin() + static_cast<std::ptrdiff_t>(first), facts.end(),
                                          [&where = size.span](const Fact& a, const Fact& b) {
                                            return distance(a.evidence, where) < distance(b.evidence, where);
                                          });
    (prior ? nearest->prior_sizes : nearest->sizes).push_back(size);
  }
}

}  // namespace

std::string_view to_string(Certainty certainty) {
  constexpr std::string_view names[] = {"stated", "likely", "asked"};
  return names[static_cast<std::size_t>(certainty)];
}

std::string_view to_string(Temporal temporal) {
  constexpr std::string_view names[] = {"current", "prior", "new", "stable"};
  return names[static_cast<std::size_t>(temporal)];
}

FactReader::FactReader()
    : lexicon_(Lexicon::chest_ct()),
      cues_{.maybe = lexicon_.required_concept("maybe"),
            .attributed = lexicon_.required_concept("attributed"),
            .prior = lexicon_.required_concept("prior"),
            .left = lexicon_.required_concept("left"),
            .right = lexicon_.required_concept("right"),
            .bilateral = lexicon_.required_concept("bilateral"),
            .novelty = lexicon_.required_concept("novelty"),
            .stability = lexicon_.required_concept("stability")},
      polarity_(lexicon_),
      reader_(lexicon_, Effusions::each_named) {}

std::vector<Fact> FactReader::read(std::string_view text) {
  std::vector<Fact> facts;
  for (const Clause& clause : reader_.read(text)) {
    const std::size_t first = facts.size();
    read_clause(text, clause, facts);
    attach_sizes(sizes_of_clause(text, clause, reader_), first, facts);
  }
  return facts;
}

Temporal FactReader::temporal_of(const Clause& clause) const {
  if (clause.concepts[cues_.stability]) return Temporal::stable;
  if (clause.concepts[cues_.novelty]) return Temporal::fresh;
  return clause.concepts[cues_.prior] ? Temporal::prior : Temporal::current;
}

void FactReader::read_clause(std::string_view text, const Clause& clause, std::vector<Fact>& facts) const {
  const bool open = clause.asked || polarity_.is_unassessed(clause);
  const bool unsure = clause.concepts[cues_.maybe] || clause.concepts[cues_.attributed];
  const Fact pattern{.certainty = open ? Certainty::asked : (unsure ? Certainty::likely : Certainty::stated),
                     .speaks_of_prior = clause.concepts[cues_.prior],
                     .temporal = temporal_of(clause),
                     .anatomy = {},
                     .paths = {},
                     .clause = clause.span};
  for (const Mention& mention : reader_.mentions(clause)) {
    const ConceptKind kind = lexicon_.concepts()[mention.what].kind;
    if (kind != ConceptKind::finding && kind != ConceptKind::disorder) continue;
    FindingPlace place = placer_.place_of(mention, clause, reader_, text);
    Fact fact = pattern;
    if (polarity_.is_only_advice(&mention, clause, reader_.mentions(clause)))
      fact.certainty = Certainty::asked;
    fact.finding = mention.what;
    fact.present = !polarity_.is_absent(mention, clause);
    fact.left = place.concepts[cues_.left] || place.concepts[cues_.bilateral];
    fact.right = place.concepts[cues_.right] || place.concepts[cues_.bilateral];
    for (std::size_t i = 0; i < lexicon_.concepts().size(); ++i) {
      if (lexicon_.concepts()[i].kind == ConceptKind::anatomy && place.concepts[i])
        fact.anatomy.push_back(static_cast<ConceptId>(i));
    }
    fact.paths = std::move(place.paths);
    fact.evidence = mention.span;
    facts.push_back(std::move(fact));
  }
}

}  // namespace fiducial
