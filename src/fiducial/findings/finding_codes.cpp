#include <algorithm>
#include <iterator>
#include <string>

#include "fiducial/findings/finding_phrases.h"
#include "fiducial/findings/ontology.h"
#include "fiducial/text/words.h"

// The codes of findings: which rule holds for a clause.
namespace fiducial {

std::string_view embedded_categories();

namespace {

// Words after which a finding only says where another one is, or why.
constexpr std::string_view reference_links[] = {
    " adjacent to ",    " next to ",     " secondary to ", " due to ",       " because of ",
    " caused by ",      " neighboring ", " neighbouring ", " accompanying ", " depending on ",
    " as a result of ", " within the ",  " after ",        " following "};

// "imaging features of pneumonia", "operated for cancer"
bool has_preposition(std::string_view words) {
  constexpr std::string_view prepositions[] = {"of", "for", "to", "in", "with", "by", "from", "as", "that"};
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    const std::string word = ascii_lower(words.substr(0, end));
    if (std::find(std::begin(prepositions), std::end(prepositions), word) != std::end(prepositions))
      return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
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
  const std::string_view between = text.substr(before->span.begin, here->span.begin - before->span.begin);
  for (const std::string_view link : reference_links) {
    const std::size_t at = between.rfind(link);
    if (at == std::string_view::npos) continue;
    // Other places than the finding's own may stand before the words that tie, but not after them.
    const std::size_t tied = before->span.begin + at;
    const bool is_near = std::none_of(
        begin, here, [&](const Mention& each) { return each.span.begin > tied && anatomy_[each.what]; });
    if (is_near) return true;
  }
  return false;
}

std::optional<std::size_t> FindingExtractor::category_of(const Clause& clause, std::string_view text) const {
  const std::span<const Mention> mentions = reader_.mentions(clause);
  // What a finding is taken for is coded only where no more is said than that it is there.
  const bool guesses = (clause.concepts & guesses_).any();
  const auto is_cause = [&](const Mention& mention) {
    return lexicon_.concepts()[mention.what].kind == ConceptKind::disorder &&
           (guesses ||
            has_preposition(text.substr(clause.span.begin, mention.span.begin - clause.span.begin)));
  };
  const auto is_said = [&](ConceptId subject) {
    for (std::size_t i = 0; i < mentions.size(); ++i) {
      const ConceptId what = mentions[i].what;
      const bool names = what == subject || lexicon_.concepts()[what].part_of == subject;
      if (names && !mentions[i].denied && !is_cause(mentions[i]) && !is_reference(clause, i, text))
        return true;
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

bool FindingExtractor::lies_in_lungs(std::optional<std::size_t> rule) {
  if (!rule) return false;
  const std::string& code = category_rules().names()[category_rules().rules()[*rule].name];
  return focal_category(code).has_value() && code != "2e" && code != "2g";
}

}  // namespace fiducial
