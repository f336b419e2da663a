#include "fiducial/findings/finding_phrases.h"

#include <algorithm>

#include "fiducial/base/ascii.h"
#include "fiducial/findings/ontology.h"

namespace fiducial {

std::string_view embedded_categories();

namespace {

// Findings that an impression is held against; no real report has nearly as many.
constexpr std::size_t most_compared = 2000;

// "2) " and "2. " before an item of a list.
std::size_t size_of_item_number(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && at < 2 && is_digit(text[at])) ++at;
  const bool is_number =
      at > 0 && at + 1 < text.size() && (text[at] == ')' || text[at] == '.') && text[at + 1] == ' ';
  return is_number ? at + 2 : 0;
}

// Without the words that only tie a clause to the one before it.
std::string_view without_opening(std::string_view text) {
  constexpr std::string_view openings[] = {
      ",",     " ",         "and ",        "or ",         "but ", "however ", "while ",
      "also ", "although ", "In addition", "in addition", "-",    "with ",    "accompanied by "};
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view opening : openings) {
      if (!text.starts_with(opening)) continue;
      text.remove_prefix(opening.size());
      cut = true;
    }
    if (const std::size_t number = size_of_item_number(text); number > 0) {
      text.remove_prefix(number);
      cut = true;
    }
  }
  return text;
}

// Without the signs and words that tie a text to the one after it: "opacities are", "an area in which".
std::string_view without_end(std::string_view text) {
  constexpr std::string_view endings[] = {
      " ",    ",",   " and", " or",   " in",   " which", " are",  " is",   " was", " were", " with", " of",
      " the", " at", " to",  " that", " also", " has",   " have", " been", " be",  " by",   " on",   ":"};
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view ending : endings) {
      if (!text.ends_with(ending)) continue;
      text.remove_suffix(ending.size());
      cut = true;
    }
  }
  return text;
}

// Words that tie a second finding to a first one.
constexpr std::string_view finding_links[] = {" with ", " accompanied by "};
// Words that may stand before "with" and make it no tie.
constexpr std::string_view not_tied[] = {"consistent", "compatible", "filled",     "correlated",
                                         "accordance", "contact",    "continuity", "connection",
                                         "compared",   "interpreted"};
// Words after which a finding only says where another one is, or why.
constexpr std::string_view reference_links[] = {
    " adjacent to ", " next to ",      " secondary to ", " due to ",       " because of ",    " caused by ",
    " neighboring ", " neighbouring ", " accompanying ", " depending on ", " as a result of "};

// Whether a part of a text holds words that tie the finding after it to the one before.
bool has_link(std::string_view text, std::size_t begin, std::size_t end) {
  std::size_t at = std::string_view::npos;
  for (const std::string_view link : finding_links) at = std::min(at, text.substr(0, end).find(link, begin));
  if (at == std::string_view::npos) return false;
  const std::string_view before = text.substr(0, at);
  return std::none_of(std::begin(not_tied), std::end(not_tied),
                      [before](std::string_view word) { return before.ends_with(word); });
}

// Where the last comma, "and", "or" or "with" begins; 0 where there is none.
std::size_t last_conjunction(std::string_view text) {
  std::size_t at = 0;
  for (const std::string_view sign : {",", " and ", " or ", " with ", " accompanied by "}) {
    const std::size_t found = text.rfind(sign);
    if (found != std::string_view::npos) at = std::max(at, found);
  }
  return at;
}

// Whether a code is of lungs and airways: their findings share a place, those of other organs have their own.
bool lies_in_lungs(std::optional<std::size_t> rule) {
  if (!rule) return false;
  const std::string& code = category_rules().names()[category_rules().rules()[*rule].name];
  return focal_category(code).has_value() && code != "2e" && code != "2g";
}

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
  return name(*a.category_rule) == name(*b.category_rule);
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

bool clause_end(char c) { return c == ',' || c == ';' || c == ':' || c == '(' || c == ')'; }

// Whether a text begins with words that stand for something said before: "They", "The appearance", "The
// nodules described".
bool opens_with_pointer(std::string_view text) {
  constexpr std::size_t longest_opening = 40;
  constexpr std::string_view pointers[] = {
      "it ",          "they ",        "this ",        "these ",       "those ",          "the former ",
      "the latter ",  "the lesion ",  "the lesions ", "the largest ", "the appearance ", "the appearances ",
      "the finding ", "the findings "};
  std::string opening(text.substr(0, longest_opening));
  for (char& c : opening) {
    if (is_capital(c)) c = static_cast<char>(c - 'A' + 'a');
  }
  const bool is_described = opening.starts_with("the ") && (opening.find(" described") != std::string::npos ||
                                                            opening.find(" mentioned") != std::string::npos);
  return is_described || std::any_of(std::begin(pointers), std::end(pointers),
                                     [&opening](std::string_view each) { return opening.starts_with(each); });
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

// Whether a text begins with words that stand for a finding, or hang on one, that it does not name: "which",
// "is observed". "The largest of the nodules" names it.
bool hangs_on_others(std::string_view text) {
  constexpr std::string_view hanging[] = {"which ", "that ", "whose ", "is ",
                                          "are ",   "was ",  "were ",  "where "};
  if (text.starts_with("The largest") || text.starts_with("the largest")) return false;
  return opens_with_pointer(text) ||
         std::any_of(std::begin(hanging), std::end(hanging),
                     [text](std::string_view each) { return text.starts_with(each); });
}

// Where the noun phrase begins that ends at a byte: after the last verb, preposition or sign before it.
std::size_t begin_of_phrase(std::string_view text, std::size_t noun) {
  constexpr std::string_view bounds[] = {"to",   "of",    "as",   "with", "in",   "by",   "for",    "is",
                                         "are",  "was",   "were", "be",   "a",    "an",   "the",    "gained",
                                         "has",  "have",  "and",  "or",   "that", "show", "shows",  "showed",
                                         "than", "which", "it",   "on",   "at",   "from", "became", "into"};
  std::size_t begin = noun;
  while (begin > 0) {
    const std::size_t end = text.find_last_not_of(' ', begin - 1);
    if (end == std::string_view::npos || clause_end(text[end])) break;
    const std::size_t space = text.find_last_of(' ', end);
    const std::size_t word = space == std::string_view::npos ? 0 : space + 1;
    const std::string_view each = text.substr(word, end + 1 - word);
    if (std::find(std::begin(bounds), std::end(bounds), each) != std::end(bounds)) break;
    begin = word;
  }
  return begin == 0 ? noun : begin;
}

// Adds words to the text of a finding, after a comma.
void append_words(std::string_view words, FindingPhrase& phrase) {
  const std::size_t at = phrase.text.append(", ").size();
  phrase.text.append(words);
  const bool is_word = words.size() > 1 && is_capital(words[0]) && !is_capital(words[1]);
  if (is_word) phrase.text[at] = static_cast<char>(words[0] - 'A' + 'a');
}

}  // namespace

const ConceptRules& category_rules() {
  static const ConceptRules rules = [] {
    Result<ConceptRules> parsed = ConceptRules::parse(embedded_categories(), "category", Lexicon::chest_ct());
    FIDUCIAL_ASSERT(parsed.ok());
    return std::move(parsed).value();
  }();
  return rules;
}

std::optional<bool> focal_category(std::string_view code) {
  const OntologyCode* known = find_ontology_code(code);
  return known == nullptr ? std::nullopt : known->focal;
}

std::string abstention_reason(const FindingPhrase& phrase) {
  const Concept& what = Lexicon::chest_ct().concepts()[phrase.finding];
  if (!phrase.abnormal) return "denied, or said to be normal";
  if (what.kind != ConceptKind::finding) return "no finding that the rules know";
  std::string name = what.name;
  std::replace(name.begin(), name.end(), '_', ' ');
  return phrase.is_placed ? "no rule holds for " + name + " in this place" : name + " of no named organ";
}

FindingExtractor::FindingExtractor()
    : lexicon_(Lexicon::chest_ct()),
      recommend_(lexicon_.required_concept("recommend")),
      prior_(lexicon_.required_concept("prior")),
      left_(lexicon_.required_concept("left")),
      right_(lexicon_.required_concept("right")),
      bilateral_(lexicon_.required_concept("bilateral")),
      judgement_(lexicon_.required_concept("judge")),
      polarity_(lexicon_),
      vague_(with_parts(
          required_concepts(lexicon_, {"enlargement", "density", "soft_tissue", "nodular", "fluid"}),
          lexicon_)),
      weak_(vague_ | with_parts(required_concepts(
                                    lexicon_, {"calcification", "cavity", "lesion", "thickening",
                                               "air_bronchogram", "density_increase", "opacity", "metastasis",
                                               "stenosis", "infiltration", "cyst", "hypodense_lesion"}),
                                lexicon_)),
      guesses_(with_parts(required_concepts(lexicon_, {"maybe", "attributed"}), lexicon_)),
      anatomy_(concepts_of_kind(lexicon_, ConceptKind::anatomy)),
      sides_(required_concepts(lexicon_, {"left", "right", "bilateral"})),
      lungs_(with_parts(required_concepts(lexicon_, {"lung"}), lexicon_)),
      lobes_(required_concepts(lexicon_, {"upper_lobe", "middle_lobe", "lower_lobe", "lingula"})),
      reader_(lexicon_) {}

std::vector<FindingPhrase> FindingExtractor::extract(const StandardReport& report) {
  std::vector<FindingPhrase> phrases;
  for (const auto& section : report.sections) read_sentences(section, phrases);
  read_sentences(report.impressions, phrases);
  for (FindingPhrase& phrase : phrases) phrase.text = WordingTable::standard().applied(phrase.text);
  return phrases;
}

void FindingExtractor::read_sentences(const std::vector<StandardSentence>& sentences,
                                      std::vector<FindingPhrase>& phrases) {
  std::vector<std::size_t> last;
  for (const StandardSentence& sentence : sentences) last = read_sentence(sentence, last, phrases);
}

std::vector<std::size_t> FindingExtractor::read_sentence(const StandardSentence& sentence,
                                                         const std::vector<std::size_t>& before,
                                                         std::vector<FindingPhrase>& phrases) {
  std::vector<std::size_t> spoken;
  const std::string& text = sentence.original();
  const auto& clauses = reader_.read(text);
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
        phrase->text.append(" in ").append(place);
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

std::size_t FindingExtractor::add_phrase(const std::string& code, FindingPhrase phrase,
                                         std::vector<FindingPhrase>& phrases) {
  const bool repeats = code.starts_with('I');
  const auto end = phrases.begin() + static_cast<std::ptrdiff_t>(std::min(phrases.size(), most_compared));
  const auto known =
      repeats ? std::find_if(phrases.begin(), end,
                             [&](const FindingPhrase& each) { return is_same_finding(each, phrase); })
              : end;
  if (known == end) {
    phrase.sources = {code};
    phrases.push_back(std::move(phrase));
    return phrases.size() - 1;
  }
  if (known->sources.back() != code) known->sources.push_back(code);
  for (const SourceSpan& span : phrase.spans) add_span(span, *known);
  return static_cast<std::size_t>(known - phrases.begin());
}

bool FindingExtractor::opens_stretch(std::span<const Mention> part) const {
  const bool placed = std::any_of(part.begin(), part.end(),
                                  [this](const Mention& mention) { return anatomy_[mention.what]; });
  for (const Mention& mention : part) {
    if (guesses_[mention.what]) return false;
    if (lexicon_.concepts()[mention.what].kind != ConceptKind::finding) continue;
    if (!weak_[mention.what] || placed) return true;
  }
  return false;
}

Clause FindingExtractor::narrowed(const Clause& clause, std::size_t first_mention,
                                  std::size_t end_mention) const {
  Clause out = clause;
  out.first_mention = first_mention;
  out.end_mention = end_mention;
  out.concepts.reset();
  for (const Mention& mention : reader_.mentions(out)) add_with_whole(out.concepts, mention.what, lexicon_);
  out.concepts[judgement_] = clause.concepts[judgement_];
  out.concepts[prior_] = clause.concepts[prior_];
  if ((out.concepts & sides_).none()) out.concepts |= clause.concepts & sides_;
  out.places = out.concepts & anatomy_;
  out.known = out.concepts;
  if ((out.known & sides_).none()) out.known |= clause.known & sides_;
  if (out.places.any()) return out;
  out.places = clause.places;
  out.known |= clause.known & anatomy_;
  return out;
}

std::vector<Clause> FindingExtractor::stretches_of(const Clause& clause, std::string_view text) const {
  const std::span<const Mention> mentions = reader_.mentions(clause);
  const bool denies =
      std::any_of(mentions.begin(), mentions.end(), [](const Mention& mention) { return mention.denied; });
  std::vector<Clause> stretches{narrowed(clause, clause.first_mention, clause.first_mention)};
  bool found = false;  // the last stretch has a finding
  const auto is_tied = [&](std::size_t next) {
    return has_link(text, mentions[next - 1].span.end, mentions[next].span.begin);
  };
  const auto is_strong = [this](const Mention& mention) {
    return lexicon_.concepts()[mention.what].kind == ConceptKind::finding && !weak_[mention.what];
  };
  for (std::size_t first = 0, end = 0; first < mentions.size() && !denies; first = end) {
    ++end;
    while (end < mentions.size() && mentions[end].part == mentions[first].part && !is_tied(end)) ++end;
    const std::span<const Mention> part = mentions.subspan(first, end - first);
    // "a nodule with calcification in the thyroid": what is tied needs a name of its own.
    const bool is_weak = first > 0 && is_tied(first) && std::none_of(part.begin(), part.end(), is_strong);
    const bool opens = opens_stretch(part) && !is_weak;
    const std::size_t begin = opens && found ? clause.first_mention + first : stretches.back().first_mention;
    const Clause grown = narrowed(clause, begin, clause.first_mention + end);
    found = found || opens;
    if (begin == stretches.back().first_mention) {
      stretches.back() = grown;
      continue;
    }
    const auto code = category_of(grown, text);
    const auto before = category_of(stretches.back(), text);
    const auto name = [](std::size_t rule) { return category_rules().rules()[rule].name; };
    if (!code || !before || name(*code) == name(*before)) {
      stretches.back() = narrowed(clause, stretches.back().first_mention, clause.first_mention + end);
    } else {
      stretches.push_back(grown);
    }
  }
  if (stretches.size() == 1) return {clause};
  set_spans(stretches, text);
  return stretches;
}

void FindingExtractor::set_spans(std::vector<Clause>& stretches, std::string_view text) const {
  for (std::size_t i = 1; i < stretches.size(); ++i) {
    const std::size_t after = reader_.mentions(stretches[i - 1]).back().span.end;
    const std::size_t before = reader_.mentions(stretches[i]).front().span.begin;
    const std::size_t cut = after + last_conjunction(text.substr(after, before - after));
    stretches[i - 1].span.end = cut;
    stretches[i].span.begin = cut;
  }
}

std::string_view FindingExtractor::place_words(const std::vector<Clause>& stretches, std::size_t index,
                                               std::string_view text) const {
  const auto names = [&](std::size_t i, const ConceptSet& wanted) {
    const std::span<const Mention> mentions = reader_.mentions(stretches[i]);
    return std::any_of(mentions.begin(), mentions.end(),
                       [&wanted](const Mention& mention) { return wanted[mention.what]; });
  };
  if (stretches.size() == 1 || names(index, anatomy_ | sides_) ||
      !lies_in_lungs(category_of(stretches[index], text))) {
    return {};
  }
  std::size_t from = index + 1;
  while (from < stretches.size() && !names(from, lungs_)) ++from;
  for (std::size_t i = index; from == stretches.size() && i-- > 0;) {
    if (names(i, lungs_)) from = i;
  }
  if (from == stretches.size() || !lies_in_lungs(category_of(stretches[from], text))) return {};
  TextSpan words;
  for (const Mention& mention : reader_.mentions(stretches[from])) {
    const bool places = lungs_[mention.what] || sides_[mention.what];
    const bool finds = lexicon_.concepts()[mention.what].kind == ConceptKind::finding;
    if (places && words.end == 0) words.begin = mention.span.begin;
    if (places) words.end = mention.span.end;
    if (finds && words.end != 0) break;
  }
  return words.of(text);
}

std::string_view FindingExtractor::opening_words(const Clause& clause, std::string_view text) const {
  const bool is_placed = (clause.concepts & anatomy_).any();
  const ConceptSet wanted = is_placed ? sides_ & ~clause.concepts : anatomy_;
  const bool continues = !is_placed || ((clause.concepts & sides_).none() && (clause.known & sides_).any());
  if (!continues || (clause.opening & wanted).none()) return {};
  return without_end(clause.opening_words.of(text));
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
  if (said == nullptr && !category) return std::nullopt;
  const bool normal = clause.concepts[judgement_] && (said == nullptr || polarity_.is_normal(*said, clause) ||
                                                      polarity_.is_unassessed(clause));
  const bool abnormal = !normal && (category || (said != nullptr && !said->denied));
  return FindingPhrase{.text = std::string(own_words(clause, said, text)),
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

bool FindingExtractor::is_reference(const Clause& clause, std::size_t mention, std::string_view text) const {
  const std::span<const Mention> mentions = reader_.mentions(clause);
  const auto is_finding = [this](const Mention& each) {
    return lexicon_.concepts()[each.what].kind == ConceptKind::finding && !weak_[each.what];
  };
  const auto begin = mentions.begin();
  const auto here = begin + static_cast<std::ptrdiff_t>(mention);
  if (!is_finding(*here)) return false;
  const auto before = std::find_if(std::reverse_iterator(here), std::reverse_iterator(begin), is_finding);
  if (before == std::reverse_iterator(begin) || before->part != here->part) return false;
  const std::string_view between = text.substr(before->span.end, here->span.begin - before->span.end);
  for (const std::string_view link : reference_links) {
    const std::size_t at = between.rfind(link);
    if (at == std::string_view::npos) continue;
    // Other places than the finding's own may stand before the words that tie, but not after them.
    const std::size_t tied = before->span.end + at;
    const bool is_near = std::none_of(
        begin, here, [&](const Mention& each) { return each.span.begin > tied && anatomy_[each.what]; });
    if (is_near) return true;
  }
  return false;
}

std::optional<std::size_t> FindingExtractor::category_of(const Clause& clause, std::string_view text) const {
  const std::span<const Mention> mentions = reader_.mentions(clause);
  const auto is_said = [&](ConceptId subject) {
    for (std::size_t i = 0; i < mentions.size(); ++i) {
      const ConceptId what = mentions[i].what;
      const bool names = what == subject || lexicon_.concepts()[what].part_of == subject;
      if (names && !mentions[i].denied && !is_reference(clause, i, text)) return true;
    }
    return false;
  };
  // "a nodule without lymph nodes" is a nodule: what is denied alone excludes nothing.
  ConceptSet denied;
  ConceptSet said = anatomy_;
  for (const Mention& mention : reader_.mentions(clause))
    add_with_whole(mention.denied ? denied : said, mention.what, lexicon_);
  const ConceptSet near = (clause.concepts | clause.places) & ~(denied & ~said);
  const std::vector<ConceptRules::Rule>& rules = category_rules().rules();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].holds(clause.known, near) && is_said(rules[i].subject)) return i;
  }
  return std::nullopt;
}

}  // namespace fiducial
