#include <algorithm>

#include "fiducial/findings/report_clauses.h"

// Of ClauseReader: where one clause ends and the next begins.
namespace fiducial {

std::optional<std::size_t> ClauseReader::denial_before(WordRange range) const {
  std::optional<std::size_t> denial;
  bool denies = false;
  for (std::size_t i = next_mention_; i < mentions_.size() && mentions_[i].first_word < range.end; ++i) {
    if (mentions_[i].first_word < range.begin) continue;
    if (mentions_[i].what == cues_.deny_before) {
      denial = i;
      denies = false;
    }
    denies = denies || findings_[mentions_[i].what];
  }
  return denies ? denial : std::nullopt;
}

bool ClauseReader::begins_statement(std::uint32_t comma, std::size_t denial) const {
  constexpr std::string_view articles[] = {"a", "an"};
  constexpr std::string_view amounts[] = {"minimal",  "mild",    "slight", "small",
                                          "moderate", "massive", "trace"};
  const auto is_one_of = [this](std::uint32_t word, const auto& list) {
    return word < sentence_.size() &&
           std::find(std::begin(list), std::end(list), word_text(word)) != std::end(list);
  };
  std::uint32_t end = comma + 1;
  while (end < sentence_.size() && !(is_conjunction(end) && words_[sentence_[end]].size() == 1)) ++end;
  const ConceptSet after = concepts_between(comma, end);
  if ((after & findings_).none() || after[cues_.deny_before]) return false;
  // "without a mass, a nodule": the articles are of one list.
  const std::uint32_t denied = mentions_[denial].end_word;
  constexpr std::string_view several[] = {"few"};  // "a few nodules" may be one of a list
  if (is_one_of(comma + 1, articles) && !is_one_of(comma + 2, several) && !is_one_of(denied, articles))
    return true;
  constexpr std::string_view subjects[] = {"it", "they", "this", "these"};
  if (is_one_of(comma + 1, subjects)) return true;
  const bool is_number = comma + 1 < end && words_[sentence_[comma + 1]].role == WordRole::number;
  if (is_number || is_one_of(comma + 1, amounts)) return true;
  const ConceptSet side_before = concepts_between(denied, comma) & sides_;
  const ConceptSet side_after = after & sides_;
  const ConceptSet left_open =
      concepts_between(comma, static_cast<std::uint32_t>(sentence_.size())) & stating_;
  // "in the right lung, a few nodules in both lungs" may be a list; left and right are two things.
  if ((side_before | side_after)[bilateral_]) return false;
  return side_before.count() == 1 && side_after.count() == 1 && side_before != side_after && left_open.none();
}

void ClauseReader::split_at_commas(WordRange range) {
  for (std::uint32_t word = range.begin + 1; word < range.end; ++word) {
    if (!is_conjunction(word) || words_[sentence_[word]].size() != 1) continue;
    const auto denial = denial_before({range.begin, word});
    if (!denial || !begins_statement(word, *denial)) continue;
    split_at_predicates({range.begin, word});
    range.begin = word;
  }
  split_at_predicates(range);
}

void ClauseReader::split_at_predicates(WordRange range) {
  const Mention* predicate = nullptr;
  const Mention* existence = nullptr;
  for (std::size_t i = next_mention_; i < mentions_.size() && mentions_[i].first_word < range.end; ++i) {
    const Mention& mention = mentions_[i];
    if (!is_predicate(mention)) continue;
    const bool opens = mention.what == cues_.existence;
    std::optional<std::uint32_t> cut;
    if (opens) {
      cut = mention.first_word;
    } else if (predicate != nullptr && !takes_back(*predicate, mention)) {
      const Cut found = cut_after(*predicate, mention.first_word);
      cut = found.before_subject ? found.before_subject : found.last_conjunction;
    } else if (predicate == nullptr && existence != nullptr && mention.what == cues_.deny_after) {
      cut = last_comma_between(*existence, mention);
    }
    if (cut && *cut > range.begin) {
      add_clause({range.begin, *cut});
      range.begin = *cut;
    }
    predicate = opens ? nullptr : &mention;
    if (opens) existence = &mention;
  }
  // "The heart could not be evaluated, and nodules in both lungs": a judgement says nothing of a finding
  // after it.
  if (predicate != nullptr && is_judgement(*predicate)) {
    if (const auto cut = cut_after(*predicate, range.end).before_subject) {
      add_clause({range.begin, *cut});
      range.begin = *cut;
    }
  }
  add_clause(range);
}

ClauseReader::Cut ClauseReader::cut_after(const Mention& predicate, std::uint32_t end) const {
  Cut cut;
  const Mention* mention = &predicate + 1;
  const Mention* const last = mentions_.data() + mentions_.size();
  for (std::uint32_t word = predicate.end_word; word < end; ++word) {
    while (mention != last && mention->first_word < word) ++mention;
    const bool subject = mention != last && mention->first_word == word &&
                         (findings_[mention->what] || mention->what == cues_.deny_before);
    if (subject && cut.last_conjunction) {
      cut.before_subject = cut.last_conjunction;
      return cut;
    }
    if (is_conjunction(word)) cut.last_conjunction = word;
  }
  return cut;
}

// "There are plaques in the aorta, effusion was not detected": the comma, if a finding stands before it.
std::optional<std::uint32_t> ClauseReader::last_comma_between(const Mention& existence,
                                                              const Mention& denial) const {
  std::optional<std::uint32_t> first_finding;
  for (const Mention* mention = &existence + 1; mention != &denial && !first_finding; ++mention) {
    if (findings_[mention->what]) first_finding = mention->first_word;
  }
  if (!first_finding) return std::nullopt;
  for (std::uint32_t word = denial.first_word; word-- > *first_finding + 1;) {
    if (is_conjunction(word) && words_[sentence_[word]].id == unknown_word &&
        words_[sentence_[word]].size() == 1)
      return word;
  }
  return std::nullopt;
}

}  // namespace fiducial
