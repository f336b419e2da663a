#include "fiducial/findings/finding_names.h"

#include <algorithm>

#include "fiducial/base/ascii.h"

namespace fiducial {

FindingNameReader::FindingNameReader(const Lexicon& lexicon)
    : anatomy_(concepts_of_kind(lexicon, ConceptKind::anatomy)),
      findings_(concepts_of_kind(lexicon, ConceptKind::finding) |
                concepts_of_kind(lexicon, ConceptKind::disorder)),
      vague_(required_concepts(lexicon, {"enlargement", "increase", "density", "cardiothoracic_ratio"})),
      density_(lexicon.required_concept("density")),
      judgement_(lexicon.required_concept("judge")),
      reader_(lexicon) {}

FindingNameKind FindingNameReader::kind_of(std::string_view name) {
  const ConceptSet said = concepts_in(name);
  const ConceptSet found = said & findings_;
  const bool placed = (said & anatomy_).any();
  if (found.any()) {
    // "triangular density" is the name of something, "density" is not.
    const bool names_density = found[density_] && !knows_every_word(name);
    const bool only_vague = (found & ~vague_).none() && !placed && !names_density;
    return only_vague ? FindingNameKind::vague : FindingNameKind::finding;
  }
  if (placed && knows_every_word(name)) return FindingNameKind::place;
  // Judgements are known as predicates: "is natural".
  judged_.assign("is ").append(name);
  return concepts_in(judged_)[judgement_] ? FindingNameKind::normality : FindingNameKind::finding;
}

ConceptSet FindingNameReader::concepts_in(std::string_view text) {
  ConceptSet said;
  said_.clear();
  for (const Clause& clause : reader_.read(text)) {
    said |= clause.concepts;
    for (const Mention& mention : reader_.mentions(clause)) said_.push_back(mention.span);
  }
  return said;
}

bool FindingNameReader::knows_every_word(std::string_view text) const {
  constexpr std::string_view joining[] = {"of", "the", "in", "and", "at"};
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_letter(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    const bool is_said = std::any_of(
        said_.begin(), said_.end(), [at](const TextSpan& span) { return span.begin <= at && at < span.end; });
    const bool joins = std::find(std::begin(joining), std::end(joining), word) != std::end(joining);
    if (!word.empty() && !is_said && !joins) return false;
    at = std::max(end, at + 1);
  }
  return true;
}

}  // namespace fiducial
