#include "fiducial/findings/finding_places.h"

#include <algorithm>

namespace fiducial {

FindingPlacer::FindingPlacer()
    : rules_(path_rules()),
      counter_(rules_.lexicon()),
      sides_(required_concepts(rules_.lexicon(), {"left", "right", "bilateral"})),
      vague_(
          required_concepts(rules_.lexicon(), {"enlargement", "increase", "density", "soft_tissue", "nodular",
                                               "fluid", "lesion", "thickening", "cardiothoracic_ratio"})) {
  placing_ = concepts_of_kind(rules_.lexicon(), ConceptKind::anatomy) | sides_;
  for (std::size_t i = 0; i < rules_.lexicon().concepts().size(); ++i) {
    const auto what = static_cast<ConceptId>(i);
    if (!rules_.rules_about(what).empty()) subjects_.push_back(what);
  }
}

bool FindingPlacer::is_finding(const Mention& mention) const {
  const ConceptKind kind = rules_.lexicon().concepts()[mention.what].kind;
  return kind == ConceptKind::disorder || (kind == ConceptKind::finding && !vague_[mention.what]);
}

FindingPlacer::Stretch FindingPlacer::stretch_of(const Mention& finding, const Clause& clause,
                                                 const ClauseReader& reader) const {
  constexpr std::uint32_t no_end = ~std::uint32_t{0};
  Stretch stretch{.preface_end = no_end, .begin = finding.part, .end = no_end};
  for (const Mention& mention : reader.mentions(clause)) {
    if (!is_finding(mention)) continue;
    stretch.preface_end = std::min(stretch.preface_end, mention.part);
    if (mention.part > finding.part) stretch.end = std::min(stretch.end, mention.part);
  }
  return stretch;
}

bool FindingPlacer::is_placed(const Stretch& stretch, const Clause& clause,
                              const ClauseReader& reader) const {
  const std::span<const Mention> mentions = reader.mentions(clause);
  return std::any_of(mentions.begin(), mentions.end(), [&](const Mention& mention) {
    return placing_[mention.what] && stretch.holds(mention.part);
  });
}

std::vector<FindingPlacer::Group> FindingPlacer::groups_in(const Clause& clause, const Stretch& stretch,
                                                           const ClauseReader& reader) const {
  const Lexicon& lexicon = rules_.lexicon();
  std::vector<Group> groups(1);
  Group part;  // that is being read
  std::uint32_t number = 0;
  const std::span<const NumberMention> numbers = reader.numbers(clause);
  std::size_t next = 0;  // of the numbers
  const auto close_part = [&] {
    for (; next < numbers.size() && numbers[next].part <= number; ++next) {
      if (stretch.holds(numbers[next].part)) part.numbers.push_back(numbers[next]);
    }
    const bool new_side = (part.concepts & sides_).any() && (groups.back().concepts & sides_).any();
    if (new_side) groups.emplace_back();
    groups.back().concepts |= part.concepts;
    groups.back().numbers.insert(groups.back().numbers.end(), part.numbers.begin(), part.numbers.end());
    part = {};
  };
  for (const Mention& mention : reader.mentions(clause)) {
    if (mention.part != number) close_part();
    number = mention.part;
    if (stretch.holds(mention.part) && placing_[mention.what])
      add_with_whole(part.concepts, mention.what, lexicon);
  }
  number = ~std::uint32_t{0};  // and the numbers after the last mention
  close_part();
  // "the left and right kidneys": a side alone has the place of the next one.
  for (std::size_t i = groups.size() - 1; i-- > 0;) {
    if ((groups[i].concepts & ~sides_).none()) groups[i].concepts |= groups[i + 1].concepts & ~sides_;
  }
  return groups;
}

FindingPlace FindingPlacer::place_of(const Mention& finding, const Clause& clause, const ClauseReader& reader,
                                     std::string_view text) const {
  const Stretch own = stretch_of(finding, clause, reader);
  const bool is_told = clause.opening.any() || is_placed(own, clause, reader);
  return place_in(clause, {.said = own, .placed = is_told ? own : whole_clause}, reader, text);
}

std::vector<std::string> FindingPlacer::paths_beside(const TextSpan& words, const Clause& clause,
                                                     const ClauseReader& reader,
                                                     std::string_view text) const {
  for (const NumberMention& number : reader.numbers(clause)) {
    if (number.span.begin < words.begin || number.span.end > words.end) continue;
    return paths_in_part(number.part, clause, reader, text);
  }
  return {};
}

std::vector<std::string> FindingPlacer::paths_in_part(std::optional<std::uint32_t> number,
                                                      const Clause& clause, const ClauseReader& reader,
                                                      std::string_view text) const {
  if (!number) return {};
  const std::span<const Mention> mentions = reader.mentions(clause);
  const bool placed = std::any_of(mentions.begin(), mentions.end(), [&](const Mention& mention) {
    return mention.part == *number && placing_[mention.what] && !sides_[mention.what];
  });
  if (!placed) return {};
  const Stretch part{.preface_end = 0, .begin = *number, .end = *number + 1};
  return place_in(clause, {.said = part, .placed = part}, reader, text).paths;
}

std::vector<std::string> FindingPlacer::paths_of(const Clause& clause, const ClauseReader& reader,
                                                 std::string_view text) const {
  return place_in(clause, {.said = whole_clause, .placed = whole_clause}, reader, text).paths;
}

// What a clause does not say itself its sentence may have opened with, or spoken of before.
ConceptSet FindingPlacer::where_is(ConceptSet named, const Clause& clause) const {
  const ConceptSet opening = clause.opening & ~sides_;
  const bool continues = opening.none() || (named & ~sides_).none() || (named & opening).any();
  if ((named & ~sides_).none()) {
    if (opening.any()) {
      named |= opening;
    } else if ((clause.concepts & placing_ & ~sides_).none()) {
      named |= clause.known & placing_ & ~sides_;
    }
  }
  if ((named & sides_).none() && continues) named |= clause.opening & sides_;
  return named;
}

std::vector<std::uint32_t> FindingPlacer::rules_on(const ConceptSet& here) const {
  std::vector<std::uint32_t> found;
  for (const ConceptId subject : subjects_) {
    if (!here[subject]) continue;
    for (const std::uint32_t index : rules_.rules_about(subject)) {
      if (rules_.rules()[index].holds(here, here)) found.push_back(index);
    }
  }
  return found;
}

FindingPlace FindingPlacer::place_in(const Clause& clause, const Scope& scope, const ClauseReader& reader,
                                     std::string_view text) const {
  const Lexicon& lexicon = rules_.lexicon();
  ConceptSet said;  // what is found, for rules that know a place by it
  for (const Mention& mention : reader.mentions(clause)) {
    if (!placing_[mention.what] && scope.said.holds(mention.part))
      add_with_whole(said, mention.what, lexicon);
  }
  FindingPlace place;
  std::vector<std::uint32_t> paths;
  const PathTable& path_table = PathTable::chest_ct();
  const auto add = [&](std::size_t name, int number) {
    const std::vector<std::uint32_t>& found = path_table.paths_to(name, number);
    paths.insert(paths.end(), found.begin(), found.end());
  };
  for (const Group& group : groups_in(clause, scope.placed, reader)) {
    const ConceptSet where = where_is(group.concepts, clause);
    place.concepts |= where;
    const std::vector<CountedLevel> levels = counter_.levels(group.numbers, where, text);
    const ConceptSet here = where | said;
    for (const std::uint32_t index : rules_on(here)) {
      const std::size_t name = rules_.rules()[index].name;
      const PathPattern& pattern = path_table.pattern(name);
      if (pattern.series.empty()) add(name, 0);
      for (const CountedLevel& level : levels) {
        const bool fits =
            level.series == pattern.series && level.number >= pattern.first && level.number <= pattern.last;
        if (fits) add(name, level.number);
      }
    }
  }
  place.paths = path_table.deepest_of(std::move(paths));
  return place;
}

}  // namespace fiducial
