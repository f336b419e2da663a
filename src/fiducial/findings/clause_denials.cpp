#include <algorithm>

#include "fiducial/findings/report_clauses.h"

// Of ClauseReader: what a clause denies, and what it says of the past.
namespace fiducial {

namespace {

// "not observed in the patient's previous examination" speaks of the past.
constexpr std::uint32_t words_to_examination = 5;
// "in the previous examination of the patient" ends a clause.
constexpr std::uint32_t words_of_the_patient = 3;

}  // namespace

void ClauseReader::decide_denials(Clause& clause, WordRange range) {
  if (!clause.concepts[cues_.deny_before] && !clause.concepts[cues_.deny_after] &&
      !clause.concepts[cues_.deny_next])
    return;
  constexpr std::uint32_t never = ~std::uint32_t{0};
  std::uint32_t denied_from = never;  // "no": all that begins after it
  std::uint32_t denied_up_to = 0;     // "not seen": all that ends before it
  std::uint32_t growth_from = never;  // "no increase in": only amounts after it
  for (std::size_t i = clause.first_mention; i < clause.end_mention; ++i) {
    const Mention& cue = mentions_[i];
    if (cue.what == cues_.deny_before) {
      // "effusion - no thickening was detected" denies both.
      const bool joined =
          cue.first_word > range.begin && words_[sentence_[cue.first_word - 1]].role == WordRole::join;
      if (denies_growth(i, clause.end_mention)) {
        growth_from = std::min(growth_from, cue.first_word);
      } else {
        denied_from = joined ? 0 : std::min(denied_from, cue.first_word);
      }
    } else if (cue.what == cues_.deny_after && !speaks_of(cues_.prior, cue, clause.end_mention)) {
      denied_up_to = std::max(denied_up_to, clause.concepts[cues_.existence] ? cue.first_word : never);
    }
  }
  clause.denies = denied_from != never || denied_up_to > 0;
  for (std::size_t i = clause.first_mention; i < clause.end_mention; ++i) {
    Mention& mention = mentions_[i];
    const bool follows = denied_from != never && (denied_from == 0 || mention.first_word > denied_from);
    const bool at_once = denied_at_once(clause.first_mention, i);
    const bool grows = growth_from != never && mention.first_word > growth_from && amounts_[mention.what];
    mention.denied = follows || at_once || grows || mention.end_word <= denied_up_to;
  }
}

bool ClauseReader::denied_at_once(std::size_t first, std::size_t mention) const {
  constexpr std::size_t most_between = 3;
  for (std::size_t cue = mention; cue-- > first && mention - cue <= most_between + 1;) {
    if (mentions_[cue].what == cues_.deny_next) return denies_next(mentions_[cue], mentions_[mention]);
    if (is_predicate(mentions_[cue])) return false;
  }
  return false;
}

// "not increased", "non-calcified"
bool ClauseReader::denies_next(const Mention& cue, const Mention& mention) const {
  if (cue.what != cues_.deny_next || !findings_[mention.what]) return false;
  if (cue.end_word - cue.first_word > 1) return reaches(cue, mention);
  const bool joined = words_[sentence_[mention.first_word - 1]].role == WordRole::join;
  return cue.end_word + (joined ? 1 : 0) == mention.first_word;
}

// "does not show mediastinal lymphadenopathy": up to where something else begins.
bool ClauseReader::reaches(const Mention& cue, const Mention& mention) const {
  constexpr std::uint32_t farthest = 4;
  if (mention.first_word < cue.end_word || mention.first_word - cue.end_word > farthest) return false;
  for (std::uint32_t word = cue.end_word; word < mention.first_word; ++word) {
    const WordId id = sentence_ids_[word];
    const bool links = id != unknown_word &&
                       std::find(linking_words_.begin(), linking_words_.end(), id) != linking_words_.end();
    if (links || is_conjunction(word)) return false;
  }
  return true;
}

bool ClauseReader::denies_growth(std::size_t cue, std::size_t end_mention) const {
  constexpr std::uint32_t words_to_growth = 3;  // "no significant interval increase"
  const std::size_t growth = cue + 1;
  if (growth >= end_mention || mentions_[growth].what != cues_.growth) return false;
  if (mentions_[growth].first_word - mentions_[cue].end_word >= words_to_growth) return false;
  // "was observed" may stand between the growth and what grows.
  for (std::uint32_t word = mentions_[growth].end_word; word < sentence_.size(); ++word) {
    const WordId id = sentence_ids_[word];
    if (id != unknown_word &&
        std::find(linking_words_.begin(), linking_words_.end(), id) != linking_words_.end())
      return true;
    const bool is_predicate_word = word < mentions_[growth].end_word + 2 && !is_conjunction(word);
    if (!is_predicate_word) return false;
  }
  return false;
}

bool ClauseReader::speaks_of(ConceptId examination, const Mention& denial, std::size_t end_mention) const {
  const Mention* end = mentions_.data() + end_mention;
  for (const Mention* mention = &denial + 1; mention != end; ++mention) {
    if (mention->first_word - denial.end_word > words_to_examination) return false;
    if (mention->what == examination || lexicon_.concepts()[mention->what].part_of == examination)
      return true;
  }
  return false;
}

// "The nodule, which was observed in the previous examination, was not detected in the current examination."
bool ClauseReader::takes_back(const Mention& assertion, const Mention& denial) const {
  if (assertion.what != cues_.assertion || denial.what != cues_.deny_after) return false;
  const bool past = std::any_of(&assertion + 1, &denial, [this](const Mention& mention) {
    return mention.what == cues_.prior || mention.what == cues_.earlier;
  });
  return past && speaks_of(cues_.current, denial, mentions_.size());
}

bool ClauseReader::states(const Mention& predicate) const {
  if (predicate.what == cues_.existence) return true;
  return predicate.what == cues_.assertion && predicate.first_word > 0 &&
         std::find(copulas_.begin(), copulas_.end(), sentence_ids_[predicate.first_word - 1]) !=
             copulas_.end();
}

// "In the previous examination, effusion was observed", "effusion was observed in the previous examination".
bool ClauseReader::is_past(const Clause& clause, WordRange range) const {
  if (!clause.concepts[cues_.earlier] || (clause.concepts & going_on_).any()) return false;
  bool stated = false;
  bool frames = false;  // the examination opens or closes the clause
  for (const Mention& mention : mentions(clause)) {
    if (is_predicate(mention)) {
      if (stated || !states(mention)) return false;
      stated = true;
    }
    if (mention.what == cues_.prior) return false;
    if (mention.what != cues_.earlier) continue;
    frames = mention.first_word <= range.begin + 1 || range.end - mention.end_word <= words_of_the_patient;
  }
  return stated && frames;
}

}  // namespace fiducial
