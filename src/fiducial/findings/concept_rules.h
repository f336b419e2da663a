#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/result.h"
#include "fiducial/findings/report_clauses.h"

namespace fiducial {

// Rules that give names (labels, regions) to texts by the concepts in them, read from a text that people can
// read too (data/labels.txt and data/regions.txt say how).
//
// Immutable. A rule holds where all its concepts are and none of those it excludes.
class ConceptRules {
 public:
  struct Rule {
    std::string text;  // as written
    std::size_t name = 0;
    ConceptId subject = 0;  // the first of its concepts
    ConceptSet needed;
    ConceptSet excluded;
    bool not_if_asked = false;

    bool holds(const ConceptSet& present, const ConceptSet& near) const {
      return (needed & ~present).none() && (excluded & near).none();
    }
  };

  // The heading is the word that opens a name: "label", "region". The lexicon must outlive the rules.
  static Result<ConceptRules> parse(std::string_view text, std::string_view heading, const Lexicon& lexicon);

  const std::vector<std::string>& names() const { return names_; }
  const std::vector<Rule>& rules() const { return rules_; }
  const Lexicon& lexicon() const { return *lexicon_; }
  // The rules whose subject is a concept, as indexes of rules().
  const std::vector<std::uint32_t>& rules_about(ConceptId what) const { return by_subject_[what]; }
  // Concepts that decide nothing by themselves ("generic" lines).
  const ConceptSet& generic() const { return generic_; }

 private:
  friend class ConceptRuleParser;

  const Lexicon* lexicon_ = nullptr;
  std::vector<std::string> names_;
  std::vector<Rule> rules_;
  std::vector<std::vector<std::uint32_t>> by_subject_;
  ConceptSet generic_;
};

}  // namespace fiducial
