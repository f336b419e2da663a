#include "fiducial/findings/finding_phrases.h"

#include <algorithm>

#include "fiducial/base/ascii.h"
#include "fiducial/findings/finding_wording.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

// Findings that an impression is held against; no real report has nearly as many.
constexpr std::size_t most_compared = 2000;

// Codes say what a finding is; where there is none, its own name does.
bool is_same_finding(const FindingPhrase& a, const FindingPhrase& b) {
  const bool a_has_side = a.left || a.right;
  const bool b_has_side = b.left || b.right;
  const bool sides_fit = !a_has_side || !b_has_side || (a.left && b.left) || (a.right && b.right);
  const bool lobes_fit = a.lobes.none() || b.lobes.none() || (a.lobes & b.lobes).any();
  if (a.abnormal != b.abnormal || !sides_fit || !lobes_fit) return false;
  if (!a.category_rule || !b.category_rule)
    return a.finding == b.finding && a.category_rule == b.category_rule;
  const auto name = [](std::size_t rule) { return category_rules().rules()[rule].name; };
  // What has no code but "anything else" is the same only by its own name.
  const bool is_other = category_rules().names()[name(*a.category_rule)] == "12";
  return name(*a.category_rule) == name(*b.category_rule) && (!is_other || a.finding == b.finding);
}

// The last of some findings that is the same as one.
std::optional<std::size_t> last_same(const FindingPhrase& phrase, const std::vector<FindingPhrase>& phrases) {
  const std::size_t oldest = phrases.size() - std::min(phrases.size(), most_compared);
  for (std::size_t i = phrases.size(); i-- > oldest;) {
    if (is_same_finding(phrases[i], phrase)) return i;
  }
  return std::nullopt;
}

// Which of the findings before a sentence it speaks of by its first words: "The former" of the first of two.
std::size_t pointed_at(std::string_view text, const std::vector<std::size_t>& before) {
  return text.starts_with("The former ") || text.starts_with("the former ") ? before.front() : before.back();
}

// Where the report itself has a part of a sentence; the whole sentence where its own words are not at hand.
SourceSpan source_of(const StandardSentence& sentence, const TextSpan& part) {
  if (sentence.words.empty()) return sentence.source;
  const std::size_t begin = sentence.source.span.begin;
  return {sentence.source.sentence, {begin + part.begin, begin + part.end}};
}

void add_span(const SourceSpan& span, FindingPhrase& phrase) {
  const bool is_known = !phrase.spans.empty() && phrase.spans.back() == span;
  if (!is_known && !span.sentence.empty()) phrase.spans.push_back(span);
}

TextSpan span_in(std::string_view text, std::string_view part) {
  const auto begin = static_cast<std::size_t>(part.data() - text.data());
  return {begin, begin + part.size()};
}

// Whether words are a name rather than a sentence: "Kerley lines in the left lung", not "The CT was
// repeated".
bool names_a_thing(std::string_view text) {
  constexpr std::string_view verbs[] = {"is",  "are",  "was", "were", "be", "been",
                                        "has", "have", "had", "do",   "did"};
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = ascii_lower(text.substr(begin, end - begin));
    if (std::find(std::begin(verbs), std::end(verbs), word) != std::end(verbs)) return false;
    begin = end + 1;
  }
  return true;
}

// Adds words to the text of a finding, after a comma.
void append_words(std::string_view words, FindingPhrase& phrase) {
  const std::size_t at = phrase.text.append(", ").size();
  phrase.text.append(words);
  const bool is_word = words.size() > 1 && is_capital(words[0]) && !is_capital(words[1]);
  if (is_word) phrase.text[at] = static_cast<char>(words[0] - 'A' + 'a');
}

}  // namespace

FindingExtractor::FindingExtractor()
    : lexicon_(Lexicon::chest_ct()),
      recommend_(lexicon_.required_concept("recommend")),
      prior_(lexicon_.required_concept("prior")),
      left_(lexicon_.required_concept("left")),
      right_(lexicon_.required_concept("right")),
      bilateral_(lexicon_.required_concept("bilateral")),
      judgement_(lexicon_.required_concept("judge")),
      cannot_exclude_(lexicon_.required_concept("cannot_exclude")),
      polarity_(lexicon_),
      vague_(with_parts(
          required_concepts(lexicon_, {"enlargement", "density", "soft_tissue", "nodular", "fluid"}),
          lexicon_)),
      weak_((vague_ |
             with_parts(
                 required_concepts(lexicon_, {"calcification", "cavity", "lesion", "thickening",
                                              "air_bronchogram", "density_increase", "opacity", "metastasis",
                                              "stenosis", "infiltration", "cyst", "hypodense_lesion"}),
                 lexicon_)) &
            ~required_concepts(lexicon_, {"embolism"})),  // "PE" needs no place to be a finding
      has_own_place_(required_concepts(
          lexicon_,
          {"pleural_effusion", "pericardial_effusion", "pneumothorax", "hiatal_hernia", "cardiomegaly",
           "emphysema", "atelectasis", "ground_glass", "consolidation", "bronchiectasis", "mosaic",
           "steatosis", "gynecomastia", "accessory_spleen", "fracture", "coronary_calcification"})),
      singles_(required_concepts(lexicon_, {"pleural_effusion", "effusion", "pericardial_effusion",
                                            "pneumothorax", "hiatal_hernia", "cardiomegaly"})),
      guesses_(with_parts(required_concepts(lexicon_, {"maybe", "attributed"}), lexicon_)),
      anatomy_(concepts_of_kind(lexicon_, ConceptKind::anatomy)),
      sides_(required_concepts(lexicon_, {"left", "right", "bilateral"})),
      lungs_(with_parts(required_concepts(lexicon_, {"lung"}), lexicon_)),
      lobes_(required_concepts(lexicon_, {"upper_lobe", "middle_lobe", "lower_lobe", "lingula"})),
      telling_(with_parts(required_concepts(lexicon_, {"assert", "exist", "judge", "maybe", "attributed",
                                                       "recommend", "heading", "prior"}),
                          lexicon_)),
      reader_(lexicon_) {}

std::vector<FindingPhrase> FindingExtractor::extract(const StandardReport& report) {
  std::vector<FindingPhrase> phrases;
  for (const auto& section : report.sections) read_sentences(section, phrases);
  read_sentences(report.impressions, phrases);
  if (phrases.empty()) add_lone_finding(report, phrases);
  for (FindingPhrase& phrase : phrases)
    phrase.text = WordingTable::standard().applied(without_capitals(phrase.text));
  return phrases;
}

void FindingExtractor::add_lone_finding(const StandardReport& report, std::vector<FindingPhrase>& phrases) {
  const StandardSentence* lone = nullptr;
  std::size_t sentences = report.impressions.size();
  if (sentences == 1) lone = &report.impressions.front();
  for (const auto& section : report.sections) {
    sentences += section.size();
    if (section.size() == 1) lone = &section.front();
  }
  if (sentences != 1) return;
  const std::string& text = lone->original();
  const std::vector<Clause>& clauses = reader_.read(text);
  if (clauses.size() != 1 || !names_a_thing(text)) return;
  const Clause& clause = clauses.front();
  const bool says_how_it_is =
      clause.denies || clause.asked || clause.past || (clause.concepts & telling_).any();
  if (says_how_it_is || (clause.concepts & anatomy_).none()) return;
  phrases.push_back({.text = std::string(without_end(text)),
                     .sources = {lone->code},
                     .spans = {},
                     .left = clause.known[left_] || clause.known[bilateral_],
                     .right = clause.known[right_] || clause.known[bilateral_],
                     .lobes = clause.known & lobes_,
                     .is_placed = true});
  add_span(source_of(*lone, clause.span), phrases.back());
}

void FindingExtractor::read_sentences(const std::vector<StandardSentence>& sentences,
                                      std::vector<FindingPhrase>& phrases) {
  std::vector<std::size_t> last;
  (void)reader_.read("");  // what was said in another section is not gone on about
  for (const StandardSentence& sentence : sentences) last = read_sentence(sentence, last, phrases);
}

std::vector<std::size_t> FindingExtractor::read_sentence(const StandardSentence& sentence,
                                                         const std::vector<std::size_t>& before,
                                                         std::vector<FindingPhrase>& phrases) {
  std::vector<std::size_t> spoken;
  const std::string& text = sentence.original();
  const auto& clauses = reader_.read_on(text);
  const auto add_source = [&](std::size_t phrase, const TextSpan& span) {
    if (phrases[phrase].sources.back() != sentence.code) phrases[phrase].sources.push_back(sentence.code);
    add_span(source_of(sentence, span), phrases[phrase]);
    if (spoken.empty() || spoken.back() != phrase) spoken.push_back(phrase);
  };
  for (const Clause& clause : clauses) {
    const std::vector<Clause> stretches = stretches_of(clause, text);
    bool draws = false;
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      std::optional<FindingPhrase> phrase = phrase_of(stretches[i], text);
      if (!phrase) continue;
      if (phrase->is_advised) {
        if (const auto known = last_same(*phrase, phrases)) add_source(*known, clause.span);
        continue;
      }
      draws = true;
      const std::string_view words = without_opening(clause.span.of(text));
      if (spoken.empty() && !before.empty() && stretches.size() == 1 &&
          points_back(clause, text, *phrase, phrases[pointed_at(words, before)])) {
        // What it was before, and what it is taken for, is no part of the finding.
        const bool says_more = !clause.concepts[prior_] && (clause.concepts & guesses_).none();
        if (says_more) append_words(phrase->text, phrases[pointed_at(words, before)]);
        add_source(pointed_at(words, before), clause.span);
        continue;
      }
      phrase->spans = {source_of(sentence, stretches[i].span)};
      const std::string_view place = place_words(stretches, i, text);
      if (!place.empty()) {
        phrase->text = placed_words(phrase->text, place);
        add_span(source_of(sentence, span_in(text, place)), *phrase);
      } else if (const std::string_view opening = opening_words(stretches[i], text); !opening.empty()) {
        phrase->text.insert(0, std::string(opening) + ", ");
        add_span(source_of(sentence, span_in(text, opening)), *phrase);
      }
      spoken.push_back(add_phrase(sentence.code, *std::move(phrase), phrases));
    }
    if (!draws && !spoken.empty() && add_measured(clause, text, phrases[spoken.back()]))
      add_span(source_of(sentence, clause.span), phrases[spoken.back()]);
  }
  if (!spoken.empty() || before.empty()) return spoken;
  for (const Clause& clause : clauses) {
    const std::size_t target = pointed_at(without_opening(clause.span.of(text)), before);
    if (add_measured(clause, text, phrases[target])) add_source(target, clause.span);
  }
  return spoken;
}

bool FindingExtractor::points_back(const Clause& clause, std::string_view text, const FindingPhrase& phrase,
                                   const FindingPhrase& before) const {
  if (!phrase.abnormal || !before.abnormal || clause.past || clause.denies) return false;
  if (!opens_with_pointer(without_opening(clause.span.of(text)))) return false;
  bool is_taken_for = false;
  for (const Mention& mention : reader_.mentions(clause)) {
    const Concept& what = lexicon_.concepts()[mention.what];
    if (anatomy_[mention.what]) return false;
    is_taken_for = is_taken_for || guesses_[mention.what];
    const bool says_more = what.kind != ConceptKind::finding || is_taken_for || weak_[mention.what] ||
                           mention.what == before.finding || what.part_of == before.finding;
    if (!says_more) return false;
  }
  return true;
}

bool FindingExtractor::add_measured(const Clause& clause, std::string_view text,
                                    FindingPhrase& phrase) const {
  if (!phrase.abnormal || clause.asked || clause.past || clause.concepts[prior_] ||
      clause.concepts[recommend_])
    return false;
  for (const Mention& mention : reader_.mentions(clause)) {
    const bool elsewhere =
        anatomy_[mention.what] && !(lungs_[mention.what] && lies_in_lungs(phrase.category_rule));
    if (elsewhere) return false;
  }
  std::string_view words = clause.span.of(text);
  const auto is_sign = [](char c) { return c == '(' || c == ')' || c == ' ' || c == ',' || c == ';'; };
  while (!words.empty() && is_sign(words.front())) words.remove_prefix(1);
  while (!words.empty() && is_sign(words.back())) words.remove_suffix(1);
  words = without_end(without_opening(words));
  if (find_measurements(words).empty()) return false;
  append_words(words, phrase);
  return true;
}

// An effusion is one, however many sentences speak of it, unless they name another side.
bool FindingExtractor::is_same_single(const FindingPhrase& known, const FindingPhrase& phrase) const {
  if (!known.abnormal || !phrase.abnormal || phrase.speaks_of_prior || !singles_[known.finding] ||
      !singles_[phrase.finding])
    return false;
  const bool has_side = known.left || known.right;
  const bool goes_beyond = has_side && ((phrase.left && !known.left) || (phrase.right && !known.right));
  return !goes_beyond && is_same_finding(known, phrase);
}

std::size_t FindingExtractor::add_phrase(const std::string& code, FindingPhrase phrase,
                                         std::vector<FindingPhrase>& phrases) const {
  const bool repeats = code.starts_with('I');
  const auto end = phrases.begin() + static_cast<std::ptrdiff_t>(std::min(phrases.size(), most_compared));
  const auto known = std::find_if(phrases.begin(), end, [&](const FindingPhrase& each) {
    return repeats ? is_same_finding(each, phrase) : is_same_single(each, phrase);
  });
  const bool says_more = known != end && !repeats &&
                         (!find_measurements(phrase.text).empty() || (!known->left && !known->right));
  if (says_more && phrase.text != known->text) {
    append_words(phrase.text, *known);
    known->left = known->left || phrase.left;
    known->right = known->right || phrase.right;
  }
  if (known == end) {
    phrase.sources = {code};
    phrases.push_back(std::move(phrase));
    return phrases.size() - 1;
  }
  if (known->sources.back() != code) known->sources.push_back(code);
  for (const SourceSpan& span : phrase.spans) add_span(span, *known);
  return static_cast<std::size_t>(known - phrases.begin());
}

std::optional<FindingPhrase> FindingExtractor::phrase_of(const Clause& clause, std::string_view text) const {
  if (clause.asked || polarity_.is_unassessed(clause)) return std::nullopt;
  const Mention* said = nullptr;  // a finding that is there, before one that is not
  for (const Mention& mention : reader_.mentions(clause)) {
    const bool finding =
        lexicon_.concepts()[mention.what].kind == ConceptKind::finding && !vague_[mention.what];
    if (finding && (said == nullptr || (said->denied && !mention.denied))) said = &mention;
  }
  const std::optional<std::size_t> category = category_of(clause, text);
  if ((said == nullptr && !category) || clause.concepts[cannot_exclude_]) return std::nullopt;
  const bool normal = clause.concepts[judgement_] && (said == nullptr || polarity_.is_normal(*said, clause) ||
                                                      polarity_.is_unassessed(clause));
  const bool is_there = said != nullptr && !polarity_.is_absent(*said, clause);
  const bool abnormal = !normal && (category || is_there);
  return FindingPhrase{.text = said != nullptr && said->stands_for ? named_again(clause, *said, text)
                                                                   : entry_of(clause, said, abnormal, text),
                       .sources = {},
                       .spans = {},
                       .abnormal = abnormal,
                       .speaks_of_prior = clause.concepts[prior_],
                       .category_rule = abnormal ? category : std::nullopt,
                       .finding = said != nullptr ? said->what : ConceptId{},
                       .left = clause.known[left_] || clause.known[bilateral_],
                       .right = clause.known[right_] || clause.known[bilateral_],
                       .lobes = clause.known & lobes_,
                       .is_placed = (clause.known & anatomy_).any(),
                       .is_advised = polarity_.is_only_advice(said, clause, reader_.mentions(clause))};
}

// "a similar appearance is seen in the left lower lobe": what it is called, and where it is.
std::string FindingExtractor::named_again(const Clause& clause, const Mention& said,
                                          std::string_view text) const {
  std::string name = lexicon_.concepts()[said.what].name;
  std::replace(name.begin(), name.end(), '_', ' ');
  for (const Mention& mention : reader_.mentions(clause)) {
    if (mention.span.begin < said.span.end || !(anatomy_[mention.what] || sides_[mention.what])) continue;
    return name + " in " +
           std::string(without_end(text.substr(mention.span.begin, clause.span.end - mention.span.begin)));
  }
  return name;
}

// The words of a clause, and of an entry of a template those of a phrase.
std::string FindingExtractor::entry_of(const Clause& clause, const Mention* said, bool abnormal,
                                       std::string_view text) const {
  const std::string_view words = own_words(clause, said, text);
  const std::optional<std::size_t> answer = answer_of_entry(words);
  if (!abnormal || !answer) return std::string(words);
  const std::size_t begin = static_cast<std::size_t>(words.data() - text.data()) + *answer;
  const std::span<const Mention> mentions = reader_.mentions(clause);
  const auto first = std::find_if(mentions.begin(), mentions.end(),
                                  [begin](const Mention& mention) { return mention.span.begin >= begin; });
  Clause alone = narrowed(clause, clause.first_mention + static_cast<std::size_t>(first - mentions.begin()),
                          clause.end_mention);
  alone.known = alone.concepts;
  alone.places = alone.concepts & anatomy_;
  const bool has_place = alone.places.any() || (said != nullptr && has_own_place_[said->what]);
  return entry_words(words,
                     {.names = said != nullptr && said->span.begin < begin,
                      .is_needed = !has_place || category_of(alone, text) != category_of(clause, text)});
}

// The words of a clause; of one that hangs on another, those of its own finding: "These were thought to be a
// pneumonic infiltration in the left lung" names an infiltration.
std::string_view FindingExtractor::own_words(const Clause& clause, const Mention* said,
                                             std::string_view text) const {
  const std::string_view words = without_end(without_opening(clause.span.of(text)));
  if (said == nullptr || !hangs_on_others(words)) return words;
  const auto begin = static_cast<std::size_t>(words.data() - text.data());
  if (said->span.begin <= begin) return words;
  return words.substr(begin_of_phrase(words, said->span.begin - begin));
}

}  // namespace fiducial
