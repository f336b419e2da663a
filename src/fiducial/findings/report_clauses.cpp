#include "fiducial/findings/report_clauses.h"

#include <algorithm>

namespace fiducial {

namespace {

constexpr std::size_t deepest_parenthesis = 4;
// Text without an end is cut here, so that no input costs more than linear time.
constexpr std::size_t longest_sentence = 500;
// "not observed in the patient's previous examination" speaks of the past.
constexpr std::uint32_t words_to_examination = 5;
// "in the previous examination of the patient" ends a clause.
constexpr std::uint32_t words_of_the_patient = 3;
// "Right pleural effusion: 5 mm" is an entry of a template; more words are a sentence.
constexpr std::size_t longest_entry = 4;
// "not clearly seen"
constexpr std::uint32_t longest_answer = 4;

}  // namespace

ClauseReader::ClauseReader(const Lexicon& lexicon, Effusions effusions)
    : lexicon_(lexicon),
      cues_{.deny_before = lexicon.required_concept("deny_before"),
            .deny_after = lexicon.required_concept("deny_after"),
            .deny_next = lexicon.required_concept("deny_next"),
            .assertion = lexicon.required_concept("assert"),
            .existence = lexicon.required_concept("exist"),
            .judgement = lexicon.required_concept("judge"),
            .unassessed = lexicon.required_concept("unassessed"),
            .breaker = lexicon.required_concept("breaker"),
            .prior = lexicon.required_concept("prior"),
            .current = lexicon.required_concept("current"),
            .earlier = lexicon.required_concept("earlier"),
            .growth = lexicon.required_concept("increase")},
      anatomy_(concepts_of_kind(lexicon, ConceptKind::anatomy)),
      findings_(concepts_of_kind(lexicon, ConceptKind::finding)),
      going_on_(required_concepts(lexicon, {"goes_on", "stability", "current", "enlargement", "increase",
                                            "not_a_denial", "deny_after", "judge", "breaker"})),
      copulas_{lexicon.word("is"), lexicon.word("are"), lexicon.word("was"), lexicon.word("were")},
      sides_(required_concepts(lexicon, {"left", "right", "bilateral"})),
      amounts_(required_concepts(
          lexicon, {"enlargement", "increase", "thickening", "density", "cardiothoracic_ratio"})),
      stating_(required_concepts(lexicon, {"deny_before", "deny_after", "assert", "judge"})),
      linking_words_{lexicon.word("in"), lexicon.word("of")},
      no_(lexicon.word("no")),
      none_(lexicon.word("none")),
      levels_(deepest_parenthesis + 1) {
  for (const char* level : {"upper", "middle", "lower"}) {
    const std::string name(level);
    lobe_levels_.push_back(
        {lexicon.required_concept(name + "_level"), lexicon.required_concept(name + "_lobe")});
  }
  if (effusions == Effusions::as_written) return;
  effusions_ = {{lexicon.required_concept("pleura"), lexicon.required_concept("pleural_effusion")},
                {lexicon.required_concept("pericardium"), lexicon.required_concept("pericardial_effusion")}};
}

std::span<const Mention> ClauseReader::mentions(const Clause& clause) const {
  return std::span(mentions_).subspan(clause.first_mention, clause.end_mention - clause.first_mention);
}

std::span<const NumberMention> ClauseReader::numbers(const Clause& clause) const {
  return std::span(numbers_).subspan(clause.first_number, clause.end_number - clause.first_number);
}

const std::vector<Clause>& ClauseReader::read(std::string_view text) {
  text_ = text;
  read_words(text, lexicon_, words_);
  mentions_.clear();
  numbers_.clear();
  clauses_.clear();
  last_places_.reset();
  denied_list_.reset();
  std::size_t depth = 0;
  for (std::uint32_t i = 0; i < words_.size(); ++i) {
    switch (words_[i].role) {
      case WordRole::open:
        if (const std::uint32_t last = take_answer(i, levels_[depth]); last > i) {
          i = last + 1;  // "effusion (none)"
          break;
        }
        depth = std::min(depth + 1, deepest_parenthesis);
        break;
      case WordRole::close:
        if (depth > 0) finish_sentence(levels_[depth--], false);
        break;
      case WordRole::question: {
        const std::uint32_t last = take_answer(i, levels_[depth]);
        finish_sentence(levels_[depth], last == i);
        i = last;
        break;
      }
      case WordRole::pause:
        if (opens_denied_list(levels_[depth])) break;
        if (const std::uint32_t last = take_answer(i, levels_[depth]); last > i) {
          i = last;
        } else if (depth == 0 && heads_entry(levels_[0])) {
          break;
        }
        finish_sentence(levels_[depth], false);
        break;
      case WordRole::stop:
        for (; depth > 0; --depth) finish_sentence(levels_[depth], false);
        if (!goes_on_in_list(i + 1)) finish_sentence(levels_[0], false);
        if (denied_list_ && levels_[0].empty()) levels_[0].push_back(*denied_list_);
        break;
      default:
        levels_[depth].push_back(i);
        if (levels_[depth].size() == longest_sentence) finish_sentence(levels_[depth], false);
    }
  }
  for (; depth > 0; --depth) finish_sentence(levels_[depth], false);
  finish_sentence(levels_[0], false);
  return clauses_;
}

// "Absent: effusion, pneumothorax" reads as "no effusion, pneumothorax".
bool ClauseReader::opens_denied_list(std::vector<std::uint32_t>& sentence) {
  if (sentence.empty() || sentence.size() > longest_answer) return false;
  std::array<WordId, longest_answer> ids{};
  for (std::size_t i = 0; i < sentence.size(); ++i) ids[i] = words_[sentence[i]].id;
  const auto match = lexicon_.longest_match(std::span(ids.data(), sentence.size()));
  if (!match || match->words != sentence.size()) return false;
  if (match->what != cues_.deny_before && match->what != cues_.deny_after) return false;
  words_[sentence.front()].id = no_;
  sentence.resize(1);
  denied_list_ = sentence.front();
  return true;
}

// Whether a list that is denied has another item, of those that begin with a dash or a bullet.
bool ClauseReader::goes_on_in_list(std::uint32_t next) {
  if (!denied_list_) return false;
  const bool is_item =
      next < words_.size() && (words_[next].role == WordRole::join || words_[next].role == WordRole::stop);
  const bool is_open = levels_[0].size() == 1 && levels_[0].front() == *denied_list_;
  if (!is_item) denied_list_.reset();
  return is_item && is_open;
}

// "Heart: enlarged", "Pleural effusion: small, left": places and findings alone, and what is said of them.
bool ClauseReader::heads_entry(const std::vector<std::uint32_t>& sentence) const {
  if (sentence.empty() || sentence.size() > longest_entry) return false;
  std::array<WordId, longest_entry> ids{};
  for (std::size_t i = 0; i < sentence.size(); ++i) ids[i] = words_[sentence[i]].id;
  for (std::size_t at = 0; at < sentence.size();) {
    if (ids[at] == unknown_word) return false;
    const auto match = lexicon_.longest_match(std::span(ids.data() + at, sentence.size() - at));
    if (!match || !(anatomy_[match->what] || findings_[match->what] || sides_[match->what])) return false;
    at += match->words;
  }
  return true;
}

std::uint32_t ClauseReader::take_answer(std::uint32_t colon, std::vector<std::uint32_t>& sentence) {
  const std::optional<std::uint32_t> end = sentence.empty() ? std::nullopt : end_of_denial(colon + 1);
  if (!end) return colon;
  words_[colon + 1].id = none_;
  words_[colon + 1].role = WordRole::word;
  words_[colon + 1].end = words_[*end - 1].end;
  sentence.push_back(colon + 1);
  return *end - 1;
}

std::optional<std::uint32_t> ClauseReader::end_of_denial(std::uint32_t word) const {
  const auto ends = [this](std::uint32_t at) {
    if (at >= words_.size()) return true;
    const ReportWord& next = words_[at];
    const bool comma = next.role == WordRole::conjunction && next.size() == 1;
    return next.role == WordRole::stop || next.role == WordRole::close || next.role == WordRole::pause ||
           comma;
  };
  if (is_mark_of_absence(word)) {
    const std::uint32_t end = word + (is_mark_of_absence(word + 1) ? 2 : 1);  // "--"
    if (ends(end)) return end;
  }
  std::array<WordId, longest_answer> ids{};
  std::uint32_t count = 0;
  for (; count < longest_answer && word + count < words_.size(); ++count) {
    const ReportWord& each = words_[word + count];
    if (each.role != WordRole::word || each.id == unknown_word) break;
    ids[count] = each.id;
  }
  const auto match = lexicon_.longest_match(std::span(ids.data(), count));
  if (!match) return std::nullopt;
  const auto end = word + static_cast<std::uint32_t>(match->words);
  const bool denies = match->what == cues_.deny_after || match->what == cues_.deny_before;
  return denies && ends(end) ? std::optional(end) : std::nullopt;
}

// "Effusion: 0", "Effusion: N", "Effusion: -"
bool ClauseReader::is_mark_of_absence(std::uint32_t word) const {
  if (word >= words_.size()) return false;
  const std::string_view text = text_.substr(words_[word].begin, words_[word].size());
  return words_[word].role == WordRole::join || text == "0" || text == "N" || text == "n" ||
         text == "false" || text == "False" || text == "FALSE";
}

void ClauseReader::finish_sentence(std::vector<std::uint32_t>& words, bool asked) {
  if (words.empty()) return;
  sentence_.swap(words);
  words.clear();
  asked_ = asked;
  sentence_places_.reset();
  opening_places_.reset();
  opening_words_ = {};
  const std::size_t first_clause = clauses_.size();
  find_mentions();
  WordRange range{0, 0};
  for (std::size_t i = next_mention_; i < mentions_.size(); ++i) {
    if (mentions_[i].what != cues_.breaker || mentions_[i].first_word == 0) continue;
    range.end = mentions_[i].first_word;
    split_at_commas(range);
    range.begin = range.end;
  }
  range.end = static_cast<std::uint32_t>(sentence_.size());
  if (const auto comma = asked ? comma_before_guess(range) : std::nullopt) {
    asked_ = false;
    split_at_commas({range.begin, *comma});
    asked_ = true;
    range.begin = *comma;
  }
  split_at_commas(range);
  if (sentence_places_.none()) return;
  // A place named later in the sentence is nearer than one of the sentence before.
  const auto placed = [this](const Clause& clause) { return (clause.concepts & anatomy_).any(); };
  const auto first = clauses_.begin() + static_cast<std::ptrdiff_t>(first_clause);
  const auto first_placed = std::find_if(first, clauses_.end(), placed);
  std::for_each(first, first_placed, [&](Clause& clause) { clause.places = first_placed->places; });
  last_places_ = sentence_places_;
}

// "Ground glass in both lungs, infective process?" asks for the process alone: the comma, where what follows
// names no finding and no place.
std::optional<std::uint32_t> ClauseReader::comma_before_guess(WordRange range) const {
  for (std::uint32_t word = range.end; word-- > range.begin + 1;) {
    if (!is_conjunction(word) || words_[sentence_[word]].size() != 1) continue;
    const ConceptSet guess = concepts_between(word, range.end);
    const bool states = (concepts_between(range.begin, word) & findings_).any();
    return states && (guess & (findings_ | anatomy_)).none() ? std::optional(word) : std::nullopt;
  }
  return std::nullopt;
}

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
  if ((side_before | side_after)[lexicon_.required_concept("bilateral")]) return false;
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

void ClauseReader::add_clause(WordRange range) {
  if (range.begin >= range.end) return;
  Clause clause{.span = {words_[sentence_[range.begin]].begin, words_[sentence_[range.end - 1]].end},
                .asked = asked_};
  clause.first_mention = next_mention_;
  clause.end_mention = clause.first_mention;
  while (clause.end_mention < mentions_.size() && mentions_[clause.end_mention].first_word < range.end) {
    add_with_whole(clause.concepts, mentions_[clause.end_mention++].what, lexicon_);
  }
  next_mention_ = clause.end_mention;
  clause.first_number = next_number_;
  while (next_number_ < numbers_.size() && numbers_[next_number_].word < range.end) ++next_number_;
  clause.end_number = next_number_;
  clause.places = clause.concepts & anatomy_;
  if (clause.places.any()) sentence_places_ = clause.places;
  clause.known = clause.concepts;
  if (clause.places.none()) {
    clause.known |= sentence_places_;
    clause.places = sentence_places_.any() ? sentence_places_ : last_places_;
  }
  clause.past = is_past(clause, range);
  inherit_sides(clause);
  decide_denials(clause, range);
  clauses_.push_back(clause);
}

// "In the right lung, there is a nodule": what opens a sentence holds for the clauses after it that name no
// side, and no place of another organ.
void ClauseReader::inherit_sides(Clause& clause) {
  const ConceptSet own_places = clause.concepts & anatomy_;
  const ConceptSet own_sides = clause.concepts & sides_;
  const bool opens = (clause.concepts & (findings_ | stating_)).none();
  clause.opening = opening_places_;
  clause.opening_words = opening_words_;
  if (opens && (own_places | own_sides).any()) {
    opening_places_ = own_places | own_sides;
    opening_words_ = clause.span;
  } else if (own_sides.none()) {
    const ConceptSet opening = opening_places_ & anatomy_;
    if (own_places.none() || opening.none() || (own_places & opening).any())
      clause.known |= opening_places_ & sides_;
  }
}

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
