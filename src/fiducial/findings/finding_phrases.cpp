#include "fiducial/findings/finding_phrases.h"

#include <algorithm>

namespace fiducial {

std::string_view embedded_categories();

namespace {

// Findings that an impression is held against; no real report has nearly as many.
constexpr std::size_t most_compared = 2000;

// Without the words that only tie a clause to the one before it.
std::string_view without_opening(std::string_view text) {
  constexpr std::string_view openings[] = {",",         " ",           "and ",        "or ",
                                           "but ",      "however ",    "while ",      "also ",
                                           "although ", "In addition", "in addition", "-"};
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view opening : openings) {
      if (!text.starts_with(opening)) continue;
      text.remove_prefix(opening.size());
      cut = true;
    }
  }
  return text;
}

bool is_same_finding(const FindingPhrase& a, const FindingPhrase& b) {
  const bool a_has_side = a.left || a.right;
  const bool b_has_side = b.left || b.right;
  const bool sides_fit = !a_has_side || !b_has_side || (a.left == b.left && a.right == b.right);
  return a.finding == b.finding && a.abnormal == b.abnormal && a.category_rule == b.category_rule &&
         sides_fit;
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
  if (code.size() != 2 || (code[0] != '1' && code[0] != '2') || code[1] < 'a') return std::nullopt;
  return code[0] == '2';
}

FindingExtractor::FindingExtractor()
    : lexicon_(Lexicon::chest_ct()),
      recommend_(lexicon_.required_concept("recommend")),
      prior_(lexicon_.required_concept("prior")),
      left_(lexicon_.required_concept("left")),
      right_(lexicon_.required_concept("right")),
      bilateral_(lexicon_.required_concept("bilateral")),
      judgement_(lexicon_.required_concept("judge")),
      vague_(required_concepts(lexicon_, {"enlargement", "density", "soft_tissue", "nodular", "fluid"})),
      reader_(lexicon_) {}

std::vector<FindingPhrase> FindingExtractor::extract(const StandardReport& report) {
  std::vector<FindingPhrase> phrases;
  for (const auto& section : report.sections) {
    for (const StandardSentence& sentence : section) read_sentence(sentence, phrases);
  }
  for (const StandardSentence& sentence : report.impressions) read_sentence(sentence, phrases);
  return phrases;
}

void FindingExtractor::read_sentence(const StandardSentence& sentence, std::vector<FindingPhrase>& phrases) {
  const bool repeats = sentence.code.starts_with('I');
  for (const Clause& clause : reader_.read(sentence.text)) {
    std::optional<FindingPhrase> phrase = phrase_of(clause, sentence.text);
    if (!phrase) continue;
    const auto end = phrases.begin() + static_cast<std::ptrdiff_t>(std::min(phrases.size(), most_compared));
    const auto known =
        repeats ? std::find_if(phrases.begin(), end,
                               [&](const FindingPhrase& each) { return is_same_finding(each, *phrase); })
                : end;
    if (known == end) {
      phrase->sources = {sentence.code};
      phrases.push_back(*std::move(phrase));
    } else if (known->sources.back() != sentence.code) {
      known->sources.push_back(sentence.code);
    }
  }
}

std::optional<FindingPhrase> FindingExtractor::phrase_of(const Clause& clause, std::string_view text) const {
  if (clause.asked || clause.concepts[recommend_]) return std::nullopt;
  const Mention* said = nullptr;  // a finding that is there, before one that is not
  for (const Mention& mention : reader_.mentions(clause)) {
    const bool finding =
        lexicon_.concepts()[mention.what].kind == ConceptKind::finding && !vague_[mention.what];
    if (finding && (said == nullptr || (said->denied && !mention.denied))) said = &mention;
  }
  const std::optional<std::size_t> category = category_of(clause);
  if (said == nullptr && !category) return std::nullopt;
  const bool normal = clause.concepts[judgement_];
  const bool abnormal = !normal && (category || (said != nullptr && !said->denied));
  return FindingPhrase{.text = std::string(without_opening(clause.span.of(text))),
                       .sources = {},
                       .abnormal = abnormal,
                       .speaks_of_prior = clause.concepts[prior_],
                       .category_rule = abnormal ? category : std::nullopt,
                       .finding = said != nullptr ? said->what : ConceptId{},
                       .left = clause.concepts[left_] || clause.concepts[bilateral_],
                       .right = clause.concepts[right_] || clause.concepts[bilateral_]};
}

std::optional<std::size_t> FindingExtractor::category_of(const Clause& clause) const {
  const auto is_said = [&](ConceptId subject) {
    const std::span<const Mention> mentions = reader_.mentions(clause);
    return std::any_of(mentions.begin(), mentions.end(), [&](const Mention& mention) {
      return !mention.denied &&
             (mention.what == subject || lexicon_.concepts()[mention.what].part_of == subject);
    });
  };
  const std::vector<ConceptRules::Rule>& rules = category_rules().rules();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].holds(clause.known, clause.concepts | clause.places) && is_said(rules[i].subject)) return i;
  }
  return std::nullopt;
}

}  // namespace fiducial
