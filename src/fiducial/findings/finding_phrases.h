#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fiducial/findings/report_facts.h"
#include "fiducial/findings/standard_report.h"

namespace fiducial {

// A finding that a report states or denies, once, with every sentence that does.
struct FindingPhrase {
  std::string text;
  std::vector<std::string> sources;  // codes of sentences: "L1", "I0"
  std::vector<SourceSpan> spans;     // the characters that say so, of each of them at least one
  bool abnormal = true;              // false: said to be absent
  bool speaks_of_prior = false;
  std::optional<std::size_t> category_rule;  // of category_rules(); none: no rule holds
  ConceptId finding = 0;
  bool left = false;
  bool right = false;
  ConceptSet lobes;         // that it names
  bool is_placed = false;   // it names an organ, or goes on about one
  bool is_advised = false;  // something is recommended for it, and no more
};

// Why a finding has no code, in words.
std::string abstention_reason(const FindingPhrase& phrase);

// The codes of ReXGroundingCT's ontology, as rules.
const ConceptRules& category_rules();
// Whether a code says "typically focal"; nothing for codes outside lungs, airways and pleura.
std::optional<bool> focal_category(std::string_view code);

// Draws findings from standardised reports: one phrase a clause that states or denies one; a clause that
// states findings of several codes ("emphysema, linear atelectasis and nodules in both lungs", "an effusion
// with atelectasis") gives one phrase each, with the place that is said of all of them. In "atelectasis
// adjacent to the effusion" the effusion only says where. What is only asked or recommended is left out; what
// points back ("It is calcified", "The latter measures 5 mm") is said of the finding it points to; a report
// that is one name in one place ("Kerley lines in the left lung") is a finding, known or not; what an
// impression says again, by the same code, is one finding with two sources. Clauses are read from the words
// of the report; the phrases are put in standard words afterwards, so that no wording can turn a denial into
// a finding.
class FindingExtractor {
 public:
  FindingExtractor();

  std::vector<FindingPhrase> extract(const StandardReport& report);

 private:
  void add_lone_finding(const StandardReport& report, std::vector<FindingPhrase>& phrases);
  void read_sentences(const std::vector<StandardSentence>& sentences, std::vector<FindingPhrase>& phrases);
  // before: the findings that the sentence before spoke of; returns those of this one.
  std::vector<std::size_t> read_sentence(const StandardSentence& sentence,
                                         const std::vector<std::size_t>& before,
                                         std::vector<FindingPhrase>& phrases);
  // Adds a phrase, or its source to one that says the same; returns where it is.
  std::size_t add_phrase(const std::string& code, FindingPhrase phrase,
                         std::vector<FindingPhrase>& phrases) const;
  bool is_same_single(const FindingPhrase& known, const FindingPhrase& phrase) const;
  // Whether a clause that draws a phrase only says more of one that was drawn before: "These are calcified".
  bool points_back(const Clause& clause, std::string_view text, const FindingPhrase& phrase,
                   const FindingPhrase& before) const;
  // What a clause without a finding measures, added to the finding that was spoken of before it, unless it is
  // of another place or time, or a guess. Whether it was.
  bool add_measured(const Clause& clause, std::string_view text, FindingPhrase& phrase) const;
  std::optional<FindingPhrase> phrase_of(const Clause& clause, std::string_view text) const;
  std::string_view own_words(const Clause& clause, const Mention* said, std::string_view text) const;
  std::string entry_of(const Clause& clause, const Mention* said, bool abnormal, std::string_view text) const;
  std::string named_again(const Clause& clause, const Mention& said, std::string_view text) const;
  // "In the right lung, there is a nodule": the words of a place that its sentence opened with and the clause
  // does not name itself; none where it does.
  std::string_view opening_words(const Clause& clause, std::string_view text) const;
  // Whether a code is of lungs and airways: their findings share a place, those of other organs have their
  // own.
  static bool lies_in_lungs(std::optional<std::size_t> rule);
  std::optional<std::size_t> category_of(const Clause& clause, std::string_view text) const;
  // "atelectasis adjacent to the effusion": whether a finding only says where another one is, or why.
  bool is_reference(const Clause& clause, std::size_t mention, std::string_view text) const;

  // The stretches of a clause that each state findings of one code; the clause itself where it has one code,
  // or denies something.
  std::vector<Clause> stretches_of(const Clause& clause, std::string_view text) const;
  bool opens_stretch(std::span<const Mention> part, std::string_view text) const;
  // A clause narrowed down to some of its mentions; its places and sides are those of the clause where it has
  // none.
  Clause narrowed(const Clause& clause, std::size_t first_mention, std::size_t end_mention) const;
  // Cuts the text of a clause between its stretches.
  void set_spans(std::vector<Clause>& stretches, std::string_view text) const;
  // The words of a place that a stretch about the lungs has not named, from the nearest one that does.
  std::string_view place_words(const std::vector<Clause>& stretches, std::size_t index,
                               std::string_view text) const;

  const Lexicon& lexicon_;
  ConceptId recommend_;
  ConceptId prior_;
  ConceptId left_, right_, bilateral_, judgement_, cannot_exclude_;
  PolarityRule polarity_;
  ConceptSet vague_;  // findings that are none by themselves: "density", "large"
  ConceptSet weak_;   // findings that say more of the one before them, unless they have a place: "calcified"
  ConceptSet has_own_place_;  // findings that need no organ beside them
  ConceptSet singles_;        // findings of which there is one, or one a side
  ConceptSet guesses_;
  ConceptSet anatomy_;
  ConceptSet sides_;
  ConceptSet lungs_;  // and what is part of them
  ConceptSet lobes_;
  ConceptSet telling_;  // cues that say more than a name does
  ClauseReader reader_;
};

}  // namespace fiducial
