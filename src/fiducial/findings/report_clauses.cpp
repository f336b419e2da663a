#include "fiducial/findings/report_clauses.h"

#include <algorithm>

#include "fiducial/base/ascii.h"

namespace fiducial {

namespace {

constexpr std::size_t deepest_parenthesis = 4;
// Text without an end is cut here, so that no input costs more than linear time.
constexpr std::size_t longest_sentence = 500;
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
            .growth = lexicon.required_concept("increase"),
            .similar = lexicon.required_concept("similar"),
            .same_place = lexicon.required_concept("same_place")},
      anatomy_(concepts_of_kind(lexicon, ConceptKind::anatomy)),
      findings_(concepts_of_kind(lexicon, ConceptKind::finding)),
      going_on_(required_concepts(lexicon, {"goes_on", "stability", "current", "enlargement", "increase",
                                            "not_a_denial", "deny_after", "judge", "breaker"})),
      copulas_{lexicon.word("is"), lexicon.word("are"), lexicon.word("was"), lexicon.word("were")},
      sides_(required_concepts(lexicon, {"left", "right", "bilateral"})),
      bilateral_(lexicon.required_concept("bilateral")),
      amounts_(required_concepts(
          lexicon, {"enlargement", "increase", "thickening", "density", "cardiothoracic_ratio"})),
      stating_(required_concepts(lexicon, {"deny_before", "deny_after", "assert", "judge"})),
      linking_words_{lexicon.word("in"), lexicon.word("of")},
      no_(lexicon.word("no")),
      none_(lexicon.word("none")),
      not_(lexicon.word("not")),
      enlarged_(lexicon.word("enlarged")),
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
  last_places_.reset();
  last_finding_.reset();
  earlier_places_.reset();
  return read_on(text);
}

const std::vector<Clause>& ClauseReader::read_on(std::string_view text) {
  text_ = text;
  read_words(text, lexicon_, words_);
  mentions_.clear();
  numbers_.clear();
  clauses_.clear();
  if (last_places_.any()) earlier_places_ = last_places_;
  last_places_.reset();
  denied_list_.reset();
  heads_request_ = false;
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
      case WordRole::question:
        i = take_question(i, depth);
        break;
      case WordRole::pause:
        if (opens_denied_list(levels_[depth])) break;
        if (const std::uint32_t last = take_answer(i, levels_[depth]); last > i) {
          i = last;
        } else if (depth == 0 && heads_entry(levels_[0])) {
          break;
        }
        if (is_request_heading(written(levels_[depth]))) heads_request_ = true;
        finish_sentence(levels_[depth], false);
        break;
      case WordRole::stop:
        for (; depth > 0; --depth) finish_sentence(levels_[depth], false);
        if (!goes_on_in_list(i + 1)) finish_sentence(levels_[0], false);
        if (denied_list_ && levels_[0].empty()) levels_[0].push_back(*denied_list_);
        heads_request_ = false;
        break;
      case WordRole::join:
        // "Pleura - calcified plaques" is an entry, as with a colon.
        if (depth == 0 && heads_line(i)) break;
        [[fallthrough]];
      default:
        levels_[depth].push_back(i);
        if (levels_[depth].size() == longest_sentence) finish_sentence(levels_[depth], false);
    }
  }
  for (; depth > 0; --depth) finish_sentence(levels_[depth], false);
  finish_sentence(levels_[0], false);
  return clauses_;
}

// What a question mark at word i asks, and its last word.
std::uint32_t ClauseReader::take_question(std::uint32_t i, std::size_t depth) {
  std::vector<std::uint32_t>& sentence = levels_[depth];
  // "?pneumothorax" asks before it names.
  const bool asks_ahead = i + 1 < words_.size() && words_[i + 1].begin == words_[i].end &&
                          (depth == 0 || sentence.empty()) &&
                          (i == 0 || words_[i - 1].end < words_[i].begin || sentence.empty());
  if (asks_ahead) {
    finish_sentence(sentence, false);
    heads_request_ = true;
    return i;
  }
  const std::uint32_t last = take_answer(i, sentence);
  finish_sentence(sentence, last == i);
  return last;
}

// Whether a dash ends the places that a line begins with, and something else begins after it.
bool ClauseReader::heads_line(std::uint32_t dash) const {
  const std::vector<std::uint32_t>& sentence = levels_[0];
  if (dash + 1 >= words_.size() || sentence.empty() || sentence.back() + 1 != dash) return false;
  const ReportWord& first = words_[sentence.front()];
  const bool opens_line = first.begin == 0 || text_[first.begin - 1] == '\n';
  const ReportWord& next = words_[dash + 1];
  const bool stands_apart = words_[dash - 1].end < words_[dash].begin && words_[dash].end < next.begin;
  const bool begins = is_capital(text_[next.begin]) || is_digit(text_[next.begin]);
  return opens_line && stands_apart && begins && heads_entry(sentence);
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
  // "Lymph nodes: not enlarged" has none to tell of.
  const bool is_small = match->words == 2 && ids[0] == not_ && ids[1] == enlarged_;
  const bool denies = is_small || match->what == cues_.deny_after || match->what == cues_.deny_before;
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
  requested_ = heads_request_ || ends_not_applicable(written(sentence_));
  asked_ = asked || requested_;
  sentence_places_.reset();
  sentence_sides_.reset();
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
  if (const auto request = begin_of_request(written(sentence_)); request && *request >= range.begin) {
    split_at_commas({range.begin, static_cast<std::uint32_t>(*request)});
    asked_ = requested_ = true;
    range.begin = static_cast<std::uint32_t>(*request);
  }
  if (const auto comma = asked && !requested_ ? comma_before_guess(range) : std::nullopt) {
    asked_ = false;
    split_at_commas({range.begin, *comma});
    asked_ = true;
    range.begin = *comma;
  }
  split_at_commas(range);
  remember_finding(first_clause);
  if (sentence_places_.none()) return;
  // A place named later in the sentence is nearer than one of the sentence before.
  const auto placed = [this](const Clause& clause) { return (clause.concepts & anatomy_).any(); };
  const auto first = clauses_.begin() + static_cast<std::ptrdiff_t>(first_clause);
  const auto first_placed = std::find_if(first, clauses_.end(), placed);
  std::for_each(first, first_placed, [&](Clause& clause) { clause.places = first_placed->places; });
  last_places_ = sentence_places_ | sentence_sides_;
}

// The first finding that a sentence states is what "a similar appearance" after it stands for.
void ClauseReader::remember_finding(std::size_t first_clause) {
  for (std::size_t i = first_clause; i < clauses_.size(); ++i) {
    for (const Mention& mention : mentions(clauses_[i])) {
      if (!findings_[mention.what] || mention.denied) continue;
      last_finding_ = mention.what;
      return;
    }
  }
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

void ClauseReader::add_clause(WordRange range) {
  if (range.begin >= range.end) return;
  Clause clause{.span = {words_[sentence_[range.begin]].begin, words_[sentence_[range.end - 1]].end},
                .asked = asked_,
                .requested = requested_};
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
  if (clause.places.any()) {
    sentence_places_ = clause.places;
    sentence_sides_ = clause.concepts & sides_;
  }
  clause.known = clause.concepts;
  if (clause.places.none()) {
    const bool is_same = clause.concepts[cues_.same_place] && sentence_places_.none();
    const ConceptSet& before = last_places_.any() ? last_places_ : earlier_places_;
    clause.known |= is_same ? before : sentence_places_;
    clause.places = sentence_places_.any() ? sentence_places_ : last_places_ & anatomy_;
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

}  // namespace fiducial
