#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "fiducial/findings/concept_sets.h"
#include "fiducial/findings/report_requests.h"
#include "fiducial/findings/report_words.h"
#include "fiducial/text/sentences.h"

namespace fiducial {

// A phrase of the lexicon where it stands in a report.
struct Mention {
  ConceptId what = 0;
  TextSpan span;
  std::uint32_t first_word = 0;  // among the words of its sentence
  std::uint32_t end_word = 0;
  std::uint32_t part = 0;   // of its sentence: how many commas, "and" and "or" stand before it
  bool denied = false;      // its clause says that it is absent
  bool stands_for = false;  // "a similar appearance": `what` was said in an earlier sentence
};

// A number where it stands in a report.
struct NumberMention {
  TextSpan span;
  std::uint32_t word = 0;  // among the words of its sentence
  std::uint32_t part = 0;
};

// A stretch of a sentence that says one thing: what is there, or what is not.
struct Clause {
  std::size_t first_mention = 0;
  std::size_t end_mention = 0;
  std::size_t first_number = 0;
  std::size_t end_number = 0;
  TextSpan span;           // from its first word to its last
  bool asked = false;      // ends in a question mark, or is requested
  bool requested = false;  // what the examination is for, or does not apply: says nothing of the patient
  bool past = false;       // says what was there in an earlier examination, and no more
  bool denies = false;     // something is absent by it, whether or not the lexicon knows what
  ConceptSet concepts;     // of its mentions
  ConceptSet
      known;  // those, and the anatomy and sides its sentence spoke of before where it names none itself
  ConceptSet places;   // anatomy: its own, or what the text spoke of last
  ConceptSet opening;  // anatomy and sides that its sentence opens with, before it: "In the right lung, ..."
  TextSpan opening_words;  // that name them
};

// What "pleural or pericardial effusion" mentions: a pleura and an effusion, or two effusions.
enum class Effusions { as_written, each_named };

// Reads reports clause by clause: words, phrases, scopes of denial. Memory is kept from one report to the
// next; one thread at a time.
//
// Parentheses are clauses of their own. A clause has one predicate ("is observed", "was not detected"): where
// two meet, the cut is at the conjunction before the finding that the second one speaks of. "no" denies what
// follows in its clause, "not detected" what stands before, unless it speaks of an earlier examination. What
// was observed earlier and is not observed in the current examination is absent. "no increase in the
// effusion" denies the increase alone, "pleural effusion: not present" what stands before the colon. In "no
// nodule on the left, a mass on the right" the comma ends what is denied. In "ground glass in both lungs,
// infective process?" the process alone is asked for. "At this level" is the place spoken of last, "a similar
// appearance in the left lung" the finding. In "the upper, middle and lower lobes" every lobe is
// named.
class ClauseReader {
 public:
  // The lexicon must outlive the reader and hold the cues it is steered by; chest_ct() does.
  explicit ClauseReader(const Lexicon& lexicon, Effusions effusions = Effusions::as_written);

  // The clauses of a text of fewer than 2^32 bytes, valid until the next call.
  const std::vector<Clause>& read(std::string_view text);
  // The same of a text that goes on from the one before: "at this level" is a level of that one.
  const std::vector<Clause>& read_on(std::string_view text);
  // The mentions of a clause, valid as long.
  std::span<const Mention> mentions(const Clause& clause) const;
  std::span<const NumberMention> numbers(const Clause& clause) const;

 private:
  struct Cues {
    ConceptId deny_before = 0, deny_after = 0, deny_next = 0, assertion = 0, existence = 0, judgement = 0,
              unassessed = 0, breaker = 0, prior = 0, current = 0, earlier = 0, growth = 0, similar = 0,
              same_place = 0;
  };
  // A word that stands for a lobe where one is named after it: "upper and lower lobes".
  struct LobeLevel {
    ConceptId word = 0;
    ConceptId lobe = 0;
  };
  struct WordRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };

  // Adds the answer after a colon, a question or a parenthesis to the sentence before it, if it denies that;
  // returns the last word taken.
  std::uint32_t take_question(std::uint32_t i, std::size_t depth);
  std::uint32_t take_answer(std::uint32_t colon, std::vector<std::uint32_t>& sentence);
  // Where an answer ends that follows a colon and denies what stands before it: "none", "not present", "no".
  std::optional<std::uint32_t> end_of_denial(std::uint32_t word) const;
  bool is_mark_of_absence(std::uint32_t word) const;
  bool heads_entry(const std::vector<std::uint32_t>& sentence) const;
  bool heads_line(std::uint32_t dash) const;
  bool opens_denied_list(std::vector<std::uint32_t>& sentence);
  bool goes_on_in_list(std::uint32_t next);
  void finish_sentence(std::vector<std::uint32_t>& words, bool asked);
  // The words of a sentence as they are written, valid until it changes.
  WrittenWords written(const std::vector<std::uint32_t>& sentence) const { return {text_, words_, sentence}; }
  std::optional<std::uint32_t> comma_before_guess(WordRange range) const;
  void find_mentions();
  void name_similar();
  void remember_finding(std::size_t first_clause);
  void name_lobes_before(std::size_t lobe);
  void name_effusion_before(std::size_t effusion);
  bool joins_words(std::uint32_t begin, std::uint32_t end) const;
  // Whether a comma ends what a "no" before it denies, and something is stated after it: by an article, a
  // number or an amount ("no effusion, a 5 mm nodule"), by a subject ("it", "they"), or by the other side.
  bool begins_statement(std::uint32_t comma, std::size_t denial) const;
  // The "no" among the mentions of a range of words that a finding follows before its end.
  std::optional<std::size_t> denial_before(WordRange range) const;
  ConceptSet concepts_between(std::uint32_t begin, std::uint32_t end) const;
  std::string_view word_text(std::uint32_t word) const;
  void split_at_commas(WordRange range);
  void split_at_predicates(WordRange range);
  struct Cut {
    std::optional<std::uint32_t> before_subject;  // the last conjunction before the first finding
    std::optional<std::uint32_t> last_conjunction;
  };
  // Where the words between a predicate and an end may be cut.
  Cut cut_after(const Mention& predicate, std::uint32_t end) const;
  std::optional<std::uint32_t> last_comma_between(const Mention& existence, const Mention& denial) const;
  void add_clause(WordRange range);
  void inherit_sides(Clause& clause);
  void decide_denials(Clause& clause, WordRange range);
  bool denied_at_once(std::size_t first, std::size_t mention) const;
  bool denies_next(const Mention& cue, const Mention& mention) const;
  bool reaches(const Mention& cue, const Mention& mention) const;
  // Whether a denial is of a growth of what follows: "no significant increase in the effusion".
  bool denies_growth(std::size_t cue, std::size_t end_mention) const;
  // Whether an examination, the earlier or the current one, is named soon after a denial.
  bool speaks_of(ConceptId examination, const Mention& denial, std::size_t end_mention) const;
  bool takes_back(const Mention& assertion, const Mention& denial) const;
  bool is_past(const Clause& clause, WordRange range) const;
  // "is observed" and "there is", but not "observed", which may be said beside another predicate.
  bool states(const Mention& predicate) const;
  bool is_judgement(const Mention& mention) const;
  bool is_predicate(const Mention& mention) const;
  bool is_conjunction(std::uint32_t word) const;

  const Lexicon& lexicon_;
  Cues cues_;
  ConceptSet anatomy_;
  ConceptSet findings_;
  ConceptSet going_on_;  // concepts beside which an earlier examination is only compared with
  std::array<WordId, 4> copulas_;
  ConceptSet sides_;
  ConceptId bilateral_;
  ConceptSet amounts_;  // findings that are an amount of something: of these a growth is denied with them
  ConceptSet stating_;  // cues of a clause that says something
  std::vector<LobeLevel> lobe_levels_;
  struct NamedEffusion {
    ConceptId place = 0;
    ConceptId effusion = 0;
  };
  std::vector<NamedEffusion> effusions_;  // none where they are taken as written
  std::vector<WordId> linking_words_;     // "in", "of"
  WordId no_;
  WordId none_;
  WordId not_;
  WordId enlarged_;
  std::optional<std::uint32_t> denied_list_;  // the word that denies the items of a list

  std::string_view text_;
  std::vector<ReportWord> words_;
  std::vector<std::vector<std::uint32_t>> levels_;  // unfinished sentences by depth of parentheses
  std::vector<std::uint32_t> sentence_;             // of the text's words, those of one sentence
  std::vector<WordId> sentence_ids_;
  std::size_t next_mention_ = 0;  // the first that is in no clause yet
  std::size_t next_number_ = 0;
  bool asked_ = false;
  bool requested_ = false;
  bool heads_request_ = false;  // a heading announced what the report was asked for
  ConceptSet sentence_places_;
  ConceptSet sentence_sides_;
  ConceptSet opening_places_;  // and sides, of the clauses that open the sentence and say nothing themselves
  TextSpan opening_words_;
  ConceptSet last_places_;     // and sides
  ConceptSet earlier_places_;  // those of the text that this one goes on from
  std::optional<ConceptId> last_finding_;
  std::vector<Mention> mentions_;
  std::vector<NumberMention> numbers_;
  std::vector<Clause> clauses_;
};

}  // namespace fiducial
