#include "fiducial/findings/report_polarity.h"

#include <algorithm>

namespace fiducial {

void PolarityRecord::add(ClausePolarity clause) {
  for (const FindingPolarity& each : clause.findings) {
    if (each.polarity == Polarity::denied) {
      denied_.set(each.finding);
    } else {
      add_with_whole(each.polarity == Polarity::stated ? stated_ : open_, each.finding, *lexicon_);
    }
  }
  clauses_.push_back(std::move(clause));
}

bool PolarityRecord::denies_any() const {
  return std::any_of(clauses_.begin(), clauses_.end(), [](const auto& clause) { return clause.denies; });
}

bool PolarityRecord::denies_all() const {
  return denies_any() && stated_.none() && open_.none() &&
         std::all_of(clauses_.begin(), clauses_.end(), [](const auto& clause) { return clause.denies; });
}

std::string PolarityRecord::name(std::size_t finding) const {
  std::string out = lexicon_->concepts()[finding].name;
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

std::optional<std::string> turned_finding(const PolarityRecord& source, const PolarityRecord& text) {
  const ConceptSet turned =
      (source.only_denied() & text.only_stated()) | (source.only_stated() & text.only_denied());
  for (std::size_t i = 0; i < turned.size(); ++i) {
    if (turned[i]) return source.name(i);
  }
  return std::nullopt;
}

PolarityReader::PolarityReader(const Lexicon& lexicon)
    : lexicon_(lexicon),
      findings_((concepts_of_kind(lexicon, ConceptKind::finding) |
                 concepts_of_kind(lexicon, ConceptKind::disorder)) &
                ~with_parts(required_concepts(lexicon, {"enlargement", "density", "soft_tissue", "nodular",
                                                        "fluid", "cardiothoracic_ratio"}),
                            lexicon)),
      qualified_(with_parts(with_parts(required_concepts(lexicon, {"maybe", "attributed", "recommend",
                                                                   "prior", "judge", "not_a_denial"}),
                                       lexicon),
                            lexicon)),
      others_(required_concepts(lexicon, {"novelty", "others"})),
      rule_(lexicon),
      reader_(lexicon, Effusions::each_named) {}

PolarityRecord PolarityReader::read(std::string_view text) {
  PolarityRecord record(lexicon_);
  for (const Clause& clause : reader_.read(text)) {
    ClausePolarity out{.span = clause.span, .denies = clause.denies, .findings = {}};
    for (const Mention& mention : reader_.mentions(clause)) {
      if (findings_[mention.what])
        out.findings.push_back({mention.what, mention.span, polarity_of(mention, clause)});
    }
    record.add(std::move(out));
  }
  return record;
}

Polarity PolarityReader::polarity_of(const Mention& finding, const Clause& clause) const {
  const bool untold = clause.asked || clause.past || rule_.is_unassessed(clause);
  const bool absent = rule_.is_absent(finding, clause);
  if (untold || (absent && (clause.concepts & others_).any())) return Polarity::open;
  if (absent) return Polarity::denied;
  return (clause.concepts & qualified_).any() ? Polarity::open : Polarity::stated;
}

}  // namespace fiducial
