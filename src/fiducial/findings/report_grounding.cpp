#include "fiducial/findings/report_grounding.h"

#include <algorithm>

#include "fiducial/findings/phrase_pattern.h"

namespace fiducial {

std::string_view embedded_paths();
std::string_view embedded_questions();

namespace {

std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

}  // namespace

std::vector<std::string> with_ancestors(const std::string& path) {
  std::vector<std::string> out;
  for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1)) {
    out.push_back(path.substr(0, at));
  }
  out.push_back(path);
  return out;
}

const ConceptRules& path_rules() {
  static const ConceptRules rules = [] {
    Result<ConceptRules> parsed = ConceptRules::parse(embedded_paths(), "path", Lexicon::chest_ct());
    FIDUCIAL_ASSERT(parsed.ok());
    return std::move(parsed).value();
  }();
  return rules;
}

const std::vector<std::string>& known_paths() {
  static const std::vector<std::string> paths = [] {
    std::vector<std::string> out;
    for (const std::string& path : path_rules().names()) {
      for (std::string& each : with_ancestors(path)) out.push_back(std::move(each));
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }();
  return paths;
}

std::vector<std::string> deepest(std::vector<std::string> paths) {
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    const bool goes_on = std::any_of(paths.begin(), paths.end(), [&path](const std::string& other) {
      return other.starts_with(path + "/");
    });
    if (!goes_on) out.push_back(path);
  }
  return out;
}

std::string_view node_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

ReportGrounder::ReportGrounder()
    : rules_(path_rules()),
      sides_(required_concepts(rules_.lexicon(), {"left", "right", "bilateral"})),
      vague_(required_concepts(rules_.lexicon(), {"enlargement", "density", "soft_tissue", "nodular", "fluid",
                                                  "lesion", "thickening", "cardiothoracic_ratio"})),
      hedges_(required_concepts(rules_.lexicon(), {"hedge", "guess", "recommend", "not_a_denial"})),
      disorders_(concepts_of_kind(rules_.lexicon(), ConceptKind::disorder)),
      judgement_(*rules_.lexicon().find_concept("judge")),
      reader_(rules_.lexicon()) {
  placing_ = concepts_of_kind(rules_.lexicon(), ConceptKind::anatomy) | sides_;
}

std::vector<GroundedFinding> ReportGrounder::findings(std::string_view text) {
  std::vector<GroundedFinding> found;
  for (const Clause& clause : reader_.read(text)) {
    if (!clause.asked) add_findings(text, clause, found);
  }
  return found;
}

std::vector<std::string> ReportGrounder::paths(std::string_view sentence) {
  constexpr Stretch whole_clause{.begin = 0, .end = ~std::uint32_t{0}};
  std::vector<std::string> found;
  for (const Clause& clause : reader_.read(sentence)) {
    for (std::string& path : clause_paths(clause, whole_clause)) found.push_back(std::move(path));
  }
  return deepest(std::move(found));
}

void ReportGrounder::add_findings(std::string_view text, const Clause& clause,
                                  std::vector<GroundedFinding>& found) const {
  const Lexicon& lexicon = rules_.lexicon();
  const std::size_t first = found.size();
  for (const Mention& mention : reader_.mentions(clause)) {
    if (!is_finding(mention) || (disorders_[mention.what] && (clause.concepts & hedges_).any())) continue;
    found.push_back({.name = spaced(lexicon.concepts()[mention.what].name),
                     .present = !mention.denied && !clause.concepts[judgement_],
                     .paths = clause_paths(clause, stretch_of(mention, clause)),
                     .sizes = {}});
  }
  // A size belongs to a finding only where the clause has no other.
  if (found.size() == first + 1) found.back().sizes = find_measurements(clause.span.of(text));
}

bool ReportGrounder::is_finding(const Mention& mention) const {
  const bool is_seen = rules_.lexicon().concepts()[mention.what].kind == ConceptKind::finding;
  return (is_seen || disorders_[mention.what]) && !vague_[mention.what];
}

// "a nodule in the left lung and a cyst in the kidney": each finding has the places after it, up to the next
// one, and all have those before the first. Where that gives none, the places of the whole clause.
ReportGrounder::Stretch ReportGrounder::stretch_of(const Mention& finding, const Clause& clause) const {
  constexpr std::uint32_t no_end = ~std::uint32_t{0};
  Stretch stretch{.preface_end = no_end, .begin = finding.part, .end = no_end};
  for (const Mention& mention : reader_.mentions(clause)) {
    if (!is_finding(mention)) continue;
    stretch.preface_end = std::min(stretch.preface_end, mention.part);
    if (mention.part > finding.part) stretch.end = std::min(stretch.end, mention.part);
  }
  const ConceptSet places = placing_ & ~sides_;
  for (const Mention& mention : reader_.mentions(clause)) {
    if (places[mention.what] && stretch.holds(mention.part)) return stretch;
  }
  return {.preface_end = 0, .begin = 0, .end = no_end};
}

// A part of the clause that names a side speaks of that side alone: "the right upper and the left lower
// lobe".
std::vector<std::string> ReportGrounder::clause_paths(const Clause& clause, const Stretch& stretch) const {
  const Lexicon& lexicon = rules_.lexicon();
  std::vector<ConceptSet> groups(1);
  std::uint32_t part = 0;
  ConceptSet pending;  // of the part that is being read
  const auto close_part = [&] {
    const bool new_side = (pending & sides_).any() && (groups.back() & sides_).any();
    if (new_side) groups.emplace_back();
    groups.back() |= pending;
    pending.reset();
  };
  for (const Mention& mention : reader_.mentions(clause)) {
    if (!stretch.holds(mention.part)) continue;
    if (mention.part != part) close_part();
    part = mention.part;
    if (placing_[mention.what]) add_with_whole(pending, mention.what, lexicon);
  }
  close_part();
  ConceptSet said;  // what is found, for rules that know a place by it
  for (const Mention& mention : reader_.mentions(clause)) {
    if (!placing_[mention.what] && stretch.holds(mention.part)) add_with_whole(said, mention.what, lexicon);
  }
  const ConceptSet shared =
      said | ((clause.concepts & placing_ & ~sides_).none() ? clause.known : ConceptSet());
  std::vector<std::string> paths;
  for (const ConceptSet& group : groups) {
    for (const ConceptRules::Rule& rule : rules_.rules()) {
      if (rule.holds(group | shared, group | shared)) paths.push_back(rules_.names()[rule.name]);
    }
  }
  return deepest(std::move(paths));
}

const std::map<std::string, std::vector<std::string>>& question_templates() {
  static const std::map<std::string, std::vector<std::string>> templates = [] {
    std::map<std::string, std::vector<std::string>> out;
    for (const RuleLine& line : rule_lines(embedded_questions())) {
      const std::size_t colon = line.text.find(": ");
      FIDUCIAL_ASSERT(colon != std::string_view::npos);
      out[std::string(line.text.substr(0, colon))].emplace_back(line.text.substr(colon + 2));
    }
    return out;
  }();
  return templates;
}

std::string filled_question(std::string_view words, std::string_view finding, std::string_view region) {
  std::string out(words);
  replace_all(out, "{finding}", finding);
  replace_all(out, "{region}", region);
  return out;
}

}  // namespace fiducial
