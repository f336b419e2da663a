#include "fiducial/findings/report_labels.h"

#include <algorithm>

namespace fiducial {

std::string_view embedded_labels();

const ConceptRules& ct_rate_label_rules() {
  static const ConceptRules rules = [] {
    Result<ConceptRules> parsed = ConceptRules::parse(embedded_labels(), "label", Lexicon::chest_ct());
    FIDUCIAL_ASSERT(parsed.ok());
    return std::move(parsed).value();
  }();
  return rules;
}

ReportLabeller::ReportLabeller(const ConceptRules& rules)
    : rules_(rules),
      anatomy_(concepts_of_kind(rules.lexicon(), ConceptKind::anatomy)),
      findings_(concepts_of_kind(rules.lexicon(), ConceptKind::finding)),
      guesses_(with_parts(required_concepts(rules.lexicon(), {"maybe", "attributed"}), rules.lexicon())),
      asserting_(required_concepts(rules.lexicon(), {"assert", "exist"})),
      guess_(rules.lexicon().required_concept("guess")),
      not_excluded_(rules.lexicon().required_concept("not_excluded")),
      reader_(rules.lexicon()),
      flags_(rules.names().size()) {
  for (const ConceptRules::Rule& rule : rules.rules()) subjects_.set(rule.subject);
}

// "These appearances may be due to atelectasis": where and that something is there was said elsewhere.
std::span<const Mention> ReportLabeller::without_guesses(const Clause& clause) const {
  const std::span<const Mention> mentions = reader_.mentions(clause);
  if (!clause.concepts[guess_] || (clause.concepts & (anatomy_ | asserting_)).any()) return mentions;
  const auto guess = std::find_if(mentions.begin(), mentions.end(),
                                  [this](const Mention& mention) { return mention.what == guess_; });
  return mentions.first(static_cast<std::size_t>(guess - mentions.begin()));
}

ConceptSet ReportLabeller::only_denied(std::span<const Mention> mentions) const {
  const auto is_denied = [](const Mention& mention) { return mention.denied; };
  if (std::none_of(mentions.begin(), mentions.end(), is_denied)) return {};
  ConceptSet denied;
  ConceptSet said;
  for (const Mention& mention : mentions) {
    add_with_whole(mention.denied ? denied : said, mention.what, rules_.lexicon());
  }
  return denied & ~said & findings_;
}

std::size_t ReportLabeller::end_of_item(std::span<const Mention> mentions, std::size_t first,
                                        Clause& item) const {
  ConceptSet said;
  bool placed = false;  // the last finding has a place in its part or after it
  std::size_t at = first;
  while (at < mentions.size()) {
    ConceptSet part;
    bool guessed = false;  // "nodules, compatible with metastasis" goes on about the nodules
    std::size_t end = at;
    for (; end < mentions.size() && mentions[end].part == mentions[at].part; ++end) {
      const ConceptId what = mentions[end].what;
      guessed = guessed || (guesses_[what] && (part & findings_).none());
      add_with_whole(part, what, rules_.lexicon());
    }
    const bool finds = (part & findings_).any();
    const bool names_place = (part & anatomy_).any();
    if (finds && names_place && placed && !guessed) break;
    said |= part;
    placed = finds ? names_place : placed || (names_place && (said & findings_).any());
    at = end;
  }
  const ConceptSet places = said & anatomy_;
  if (places.none() || (first == 0 && at == mentions.size())) return at;
  item.concepts = said;
  item.known = said;
  item.places = places;
  return at;
}

template <typename Visitor>
void ReportLabeller::visit_firings(std::string_view text, const Visitor& visit) {
  for (const Clause& clause : reader_.read(text)) {
    const bool says_nothing = clause.past || clause.requested || clause.concepts[not_excluded_];
    if (says_nothing || (clause.concepts & subjects_).none()) continue;
    const std::span<const Mention> mentions = without_guesses(clause);
    const ConceptSet absent = only_denied(mentions);
    for (std::size_t first = 0; first < mentions.size();) {
      Clause item = clause;
      const std::size_t end = end_of_item(mentions, first, item);
      item.concepts &= ~absent;
      item.known &= ~absent;
      for (const Mention& mention : mentions.subspan(first, end - first)) {
        if (mention.denied) continue;
        visit_rules(mention.what, mention, item, visit);
        const auto whole = rules_.lexicon().concepts()[mention.what].part_of;
        if (whole) visit_rules(*whole, mention, item, visit);
      }
      first = end;
    }
  }
}

template <typename Visitor>
void ReportLabeller::visit_rules(ConceptId subject, const Mention& mention, const Clause& clause,
                                 const Visitor& visit) const {
  for (const std::uint32_t index : rules_.rules_about(subject)) {
    const ConceptRules::Rule& rule = rules_.rules()[index];
    if (rule.not_if_asked && clause.asked) continue;
    if (rule.holds(clause.known, clause.concepts | clause.places)) visit(index, mention, clause);
  }
}

const std::vector<bool>& ReportLabeller::labels(std::string_view text) {
  std::fill(flags_.begin(), flags_.end(), false);
  visit_firings(text, [this](std::uint32_t rule, const Mention&, const Clause&) {
    flags_[rules_.rules()[rule].name] = true;
  });
  return flags_;
}

std::vector<LabelEvidence> ReportLabeller::evidence(std::string_view text) {
  std::vector<LabelEvidence> found;
  visit_firings(text, [&](std::uint32_t rule, const Mention& mention, const Clause& clause) {
    found.push_back(
        {.label = rules_.rules()[rule].name, .rule = rule, .finding = mention.span, .clause = clause.span});
  });
  return found;
}

}  // namespace fiducial
