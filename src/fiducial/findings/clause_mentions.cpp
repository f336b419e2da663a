#include <algorithm>

#include "fiducial/findings/report_clauses.h"

// Of ClauseReader: the phrases of a sentence, and what they are.
namespace fiducial {

void ClauseReader::find_mentions() {
  next_mention_ = mentions_.size();
  next_number_ = numbers_.size();
  sentence_ids_.clear();
  for (const std::uint32_t word : sentence_) sentence_ids_.push_back(words_[word].id);
  const std::span<const WordId> ids(sentence_ids_);
  std::uint32_t part = 0;
  for (std::uint32_t i = 0; i < ids.size();) {
    if (is_conjunction(i)) ++part;
    const ReportWord& word = words_[sentence_[i]];
    if (word.role == WordRole::number)
      numbers_.push_back({.span = {word.begin, word.end}, .word = i, .part = part});
    const auto match = lexicon_.begins_phrase(ids[i]) ? lexicon_.longest_match(ids.subspan(i)) : std::nullopt;
    if (!match) {
      ++i;
      continue;
    }
    const auto end = i + static_cast<std::uint32_t>(match->words);
    mentions_.push_back({.what = match->what,
                         .span = {words_[sentence_[i]].begin, words_[sentence_[end - 1]].end},
                         .first_word = i,
                         .end_word = end,
                         .part = part});
    name_lobes_before(mentions_.size() - 1);
    name_effusion_before(mentions_.size() - 1);
    i = end;
  }
  name_similar();
}

// "A similar appearance is seen in the left lower lobe", but not "Covid-19 may cause a similar appearance".
void ClauseReader::name_similar() {
  if (!last_finding_) return;
  const auto first = mentions_.begin() + static_cast<std::ptrdiff_t>(next_mention_);
  const bool is_placed =
      std::any_of(first, mentions_.end(), [this](const Mention& mention) { return anatomy_[mention.what]; });
  for (auto mention = first; is_placed && mention != mentions_.end(); ++mention) {
    if (mention->what != cues_.similar) continue;
    mention->what = *last_finding_;
    mention->stands_for = true;
  }
}

// Words of levels that are joined to a lobe after them are lobes too; sides may stand between.
void ClauseReader::name_lobes_before(std::size_t lobe) {
  const auto is_lobe = [this](ConceptId what) {
    return std::any_of(lobe_levels_.begin(), lobe_levels_.end(),
                       [what](const LobeLevel& level) { return level.lobe == what; });
  };
  if (!is_lobe(mentions_[lobe].what)) return;
  for (std::size_t i = lobe; i-- > next_mention_;) {
    Mention& mention = mentions_[i];
    if (!joins_words(mention.end_word, mentions_[i + 1].first_word)) return;
    const auto level = std::find_if(lobe_levels_.begin(), lobe_levels_.end(),
                                    [&](const LobeLevel& each) { return each.word == mention.what; });
    if (level != lobe_levels_.end()) {
      mention.what = level->lobe;
    } else if (!sides_[mention.what]) {
      return;
    }
  }
}

// "pleural or pericardial effusion"
void ClauseReader::name_effusion_before(std::size_t effusion) {
  const bool named = std::any_of(effusions_.begin(), effusions_.end(), [&](const NamedEffusion& each) {
    return each.effusion == mentions_[effusion].what;
  });
  if (!named || effusion == next_mention_) return;
  Mention& before = mentions_[effusion - 1];
  if (before.part == mentions_[effusion].part ||
      !joins_words(before.end_word, mentions_[effusion].first_word))
    return;
  for (const NamedEffusion& each : effusions_) {
    if (each.place == before.what) before.what = each.effusion;
  }
}

bool ClauseReader::joins_words(std::uint32_t begin, std::uint32_t end) const {
  for (std::uint32_t word = begin; word < end; ++word) {
    const ReportWord& each = words_[sentence_[word]];
    if (each.role != WordRole::conjunction && each.role != WordRole::join) return false;
  }
  return true;
}

bool ClauseReader::is_conjunction(std::uint32_t word) const {
  return words_[sentence_[word]].role == WordRole::conjunction;
}

bool ClauseReader::is_judgement(const Mention& mention) const {
  return mention.what == cues_.judgement || mention.what == cues_.unassessed;
}

bool ClauseReader::is_predicate(const Mention& mention) const {
  return mention.what == cues_.assertion || mention.what == cues_.deny_after || is_judgement(mention) ||
         mention.what == cues_.existence;
}

std::string_view ClauseReader::word_text(std::uint32_t word) const {
  const ReportWord& each = words_[sentence_[word]];
  return text_.substr(each.begin, each.size());
}

ConceptSet ClauseReader::concepts_between(std::uint32_t begin, std::uint32_t end) const {
  ConceptSet out;
  for (std::size_t i = next_mention_; i < mentions_.size() && mentions_[i].first_word < end; ++i) {
    if (mentions_[i].first_word >= begin) add_with_whole(out, mentions_[i].what, lexicon_);
  }
  return out;
}

}  // namespace fiducial
