#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fiducial/findings/counted_levels.h"
#include "fiducial/findings/place_paths.h"

namespace fiducial {

// Where a finding is said to be.
struct FindingPlace {
  ConceptSet concepts;             // anatomy and sides
  std::vector<std::string> paths;  // of RadGenome-Chest CT (data/paths.txt): the deepest ones, sorted
};

// Ties findings to the places that their clause gives them. Immutable.
//
// "a nodule in the left lung and a cyst in the kidney": each finding has the places after it, up to the next
// one, and all have those before the first. Where that gives none, it has the places of the whole clause. A
// part of the clause that names a side speaks of that side alone: "the right upper and the left lower lobe".
// A structure that several paths lead to has all of them.
class FindingPlacer {
 public:
  FindingPlacer();

  // Whether a mention can be what a report finds, by itself.
  bool is_finding(const Mention& mention) const;

  // The reader has read the text, and the clause is one of it.
  FindingPlace place_of(const Mention& finding, const Clause& clause, const ClauseReader& reader,
                        std::string_view text) const;
  // The paths that are named in the part of a clause that holds some words; none where it names none.
  std::vector<std::string> paths_beside(const TextSpan& words, const Clause& clause,
                                        const ClauseReader& reader, std::string_view text) const;
  // The same of a part that is known by its number; none where there is none.
  std::vector<std::string> paths_in_part(std::optional<std::uint32_t> number, const Clause& clause,
                                         const ClauseReader& reader, std::string_view text) const;
  // The paths of all that a clause speaks of.
  std::vector<std::string> paths_of(const Clause& clause, const ClauseReader& reader,
                                    std::string_view text) const;

 private:
  // Parts of a clause: those before its first finding, and from a finding to the next.
  struct Stretch {
    std::uint32_t preface_end = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    bool holds(std::uint32_t part) const { return part < preface_end || (part >= begin && part < end); }
  };
  static constexpr Stretch whole_clause{.preface_end = 0, .begin = 0, .end = ~std::uint32_t{0}};
  // Where the words stand that say what is found, and where.
  struct Scope {
    Stretch said;
    Stretch placed;
  };
  // Places that belong together: those of one side.
  struct Group {
    ConceptSet concepts;
    std::vector<NumberMention> numbers;
  };

  Stretch stretch_of(const Mention& finding, const Clause& clause, const ClauseReader& reader) const;
  std::vector<Group> groups_in(const Clause& clause, const Stretch& stretch,
                               const ClauseReader& reader) const;
  ConceptSet where_is(ConceptSet named, const Clause& clause) const;
  bool is_placed(const Stretch& stretch, const Clause& clause, const ClauseReader& reader) const;
  // The rules that hold for what is said and where, as indexes.
  std::vector<std::uint32_t> rules_on(const ConceptSet& here) const;
  FindingPlace place_in(const Clause& clause, const Scope& scope, const ClauseReader& reader,
                        std::string_view text) const;

  const ConceptRules& rules_;
  LevelCounter counter_;
  std::vector<ConceptId> subjects_;  // that rules are about
  ConceptSet placing_;               // anatomy and sides
  ConceptSet sides_;
  ConceptSet vague_;
};

}  // namespace fiducial
