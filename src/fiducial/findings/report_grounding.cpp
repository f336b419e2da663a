#include "fiducial/findings/report_grounding.h"

#include <algorithm>
#include <utility>

#include "fiducial/findings/finding_terms.h"
#include "fiducial/findings/phrase_pattern.h"
#include "fiducial/findings/prior_sizes.h"

namespace fiducial {

std::string_view embedded_names();
std::string_view embedded_questions();

namespace {

const ConceptRules& name_rules() {
  static const ConceptRules rules = [] {
    Result<ConceptRules> parsed = ConceptRules::parse(embedded_names(), "name", Lexicon::chest_ct());
    FIDUCIAL_ASSERT(parsed.ok());
    return std::move(parsed).value();
  }();
  return rules;
}

std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::optional<ConceptId> whole_of(ConceptId what) { return Lexicon::chest_ct().concepts()[what].part_of; }

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

std::string asked_finding(std::string_view finding) {
  constexpr std::pair<std::string_view, std::string_view> said[] = {
      {"mosaic", "mosaic attenuation"},
      {"pleuroparenchymal", "pleuroparenchymal scarring"},
      {"ground glass", "ground-glass opacity"},
      {"atheroma", "atherosclerotic plaque"},
      {"sequela", "scarring"},
      {"dependent change", "dependent density"},
      {"fibrosis", "fibrotic change"},
      {"bone lesion", "lytic or sclerotic bone lesion"},
      {"degeneration", "degenerative change"},
      {"nodular", "nodular change"},
      {"device", "medical device"},
      {"height loss", "loss of vertebral height"}};
  for (const auto& [name, words] : said) {
    if (finding == name) return std::string(words);
    // With its number, size and distribution before it: "patchy ground glass".
    if (finding.ends_with(name) && finding.size() > name.size() &&
        finding[finding.size() - name.size() - 1] == ' ')
      return std::string(finding.substr(0, finding.size() - name.size())).append(words);
  }
  return std::string(finding);
}

// "the left lung", but "left rib 4" and "T4".
std::string asked_region(std::string_view region) {
  if (region.empty()) return "";
  if (region.back() >= '0' && region.back() <= '9') return std::string(region);
  const std::size_t open = region.rfind(" (");  // "thoracic vertebrae 4 (t4)"
  if (region.back() == ')' && open != std::string_view::npos) {
    std::string level(region.substr(open + 2, region.size() - open - 3));
    if (!level.empty() && level[0] >= 'a' && level[0] <= 'z')
      level[0] = static_cast<char>(level[0] - 'a' + 'A');
    return "vertebra " + level;
  }
  std::string out = "the " + std::string(region);
  replace_all(out, "bronchie", "bronchi");
  return out;
}

}  // namespace

ReportGrounder::ReportGrounder()
    : names_(name_rules()),
      polarity_(Lexicon::chest_ct()),
      anatomy_(concepts_of_kind(Lexicon::chest_ct(), ConceptKind::anatomy)),
      placed_(required_concepts(Lexicon::chest_ct(), {"lesion", "thickening", "enlargement"})),
      hedges_(required_concepts(Lexicon::chest_ct(), {"hedge", "guess", "recommend", "not_a_denial"})),
      disorders_(concepts_of_kind(Lexicon::chest_ct(), ConceptKind::disorder)),
      findings_(concepts_of_kind(Lexicon::chest_ct(), ConceptKind::finding)),
      enlargement_(Lexicon::chest_ct().required_concept("enlargement")),
      reader_(Lexicon::chest_ct(), Effusions::each_named) {
  const Lexicon& lexicon = Lexicon::chest_ct();
  cues_ = {.novelty = lexicon.required_concept("novelty"),
           .others = lexicon.required_concept("others"),
           .guess = lexicon.required_concept("guess"),
           .unsure = lexicon.required_concept("unsure"),
           .not_excluded = lexicon.required_concept("not_excluded"),
           .deny_before = lexicon.required_concept("deny_before"),
           .deny_after = lexicon.required_concept("deny_after"),
           .judgement = lexicon.required_concept("judge"),
           .assertion = lexicon.required_concept("assert"),
           .existence = lexicon.required_concept("exist")};
}

std::vector<GroundedFinding> ReportGrounder::findings(std::string_view text) {
  std::vector<GroundedFinding> found;
  for (const Clause& clause : reader_.read(text)) add_findings(text, clause, found);
  return found;
}

std::vector<std::string> ReportGrounder::paths(std::string_view sentence) {
  std::vector<std::string> found;
  for (const Clause& clause : reader_.read(sentence)) {
    for (std::string& path : placer_.paths_of(clause, reader_, sentence)) found.push_back(std::move(path));
  }
  return deepest(std::move(found));
}

GroundedText ReportGrounder::ground(std::string_view text) {
  GroundedText out;
  for (const Clause& clause : reader_.read(text)) {
    add_findings(text, clause, out.findings);
    add_spoken(text, clause, out.spoken);
  }
  return out;
}

void ReportGrounder::add_spoken(std::string_view text, const Clause& clause,
                                std::vector<SpokenPath>& spoken) const {
  const bool denies = clause.concepts[cues_.deny_before] || clause.concepts[cues_.deny_after];
  const bool clears = (denies || clause.concepts[cues_.judgement]) && !polarity_.is_unassessed(clause);
  const std::span<const Mention> mentions = reader_.mentions(clause);
  const bool finds = std::any_of(mentions.begin(), mentions.end(), [&](const Mention& mention) {
    return findings_[mention.what] && !polarity_.is_absent(mention, clause);
  });
  const bool says = clause.concepts[cues_.assertion] || clause.concepts[cues_.existence];
  const bool is_open = finds || clause.asked || (says && !clears) || polarity_.is_unassessed(clause);
  for (std::string& path : placer_.paths_of(clause, reader_, text))
    spoken.push_back({std::move(path), clears, is_open, clause.span});
}

// "The aorta is enlarged" finds something, "enlarged" alone does not say what.
std::string ReportGrounder::name_of(const Mention& mention, const Clause& clause) const {
  const std::vector<Concept>& concepts = Lexicon::chest_ct().concepts();
  if (disorders_[mention.what] && (clause.concepts & hedges_).any()) return "";
  if (placer_.is_finding(mention)) return spaced(concepts[mention.what].name);
  if (!placed_[mention.what]) return "";
  const Mention* nearest = nullptr;
  const auto words_to = [&mention](const Mention& other) {
    return other.first_word < mention.first_word ? mention.first_word - other.end_word
                                                 : other.first_word - mention.end_word;
  };
  for (const Mention& other : reader_.mentions(clause)) {
    if (other.part == mention.part && placer_.is_finding(other)) return "";
    if (anatomy_[other.what] && (nearest == nullptr || words_to(other) < words_to(*nearest)))
      nearest = &other;
  }
  if (nearest == nullptr) return "";
  const std::string name = spaced(concepts[mention.what].name);
  return mention.what == enlargement_ ? name + " of the " + spaced(concepts[nearest->what].name) : name;
}

std::string ReportGrounder::name_at(const Mention& mention, const Clause& clause,
                                    const FindingPlace& place) const {
  ConceptSet said = place.concepts | (clause.concepts & ~anatomy_);
  add_with_whole(said, mention.what, Lexicon::chest_ct());
  for (std::optional<ConceptId> what = mention.what; what; what = whole_of(*what)) {
    for (const std::uint32_t each : names_.rules_about(*what)) {
      const ConceptRules::Rule& rule = names_.rules()[each];
      if (rule.holds(said, said)) return spaced(names_.names()[rule.name]);
    }
  }
  return "";
}

bool ReportGrounder::depends_on_place(ConceptId finding) const {
  for (std::optional<ConceptId> what = finding; what; what = whole_of(*what)) {
    if (!names_.rules_about(*what).empty()) return true;
  }
  return false;
}

// "possible consolidation" and "consolidation cannot be excluded" state none.
bool ReportGrounder::is_certain(const Mention& mention, const Clause& clause) const {
  for (const Mention& cue : reader_.mentions(clause)) {
    if (cue.what == cues_.not_excluded && mention.first_word < cue.first_word) return false;
    if ((cue.what == cues_.unsure || cue.what == cues_.guess) && mention.first_word > cue.first_word)
      return false;
  }
  return true;
}

// The finding that a size is of: the one of its part of the clause, or of the whole clause; nothing where
// there are several.
std::optional<std::size_t> ReportGrounder::owner_of(const Measurement& size, const Clause& clause,
                                                    const std::vector<const Mention*>& findings) const {
  if (findings.size() == 1) return 0;
  std::optional<std::size_t> owner;
  for (const NumberMention& number : reader_.numbers(clause)) {
    if (number.span.begin < size.span.begin || number.span.end > size.span.end) continue;
    for (std::size_t i = 0; i < findings.size(); ++i) {
      if (findings[i]->part != number.part || owner == i) continue;
      if (owner) return std::nullopt;
      owner = i;
    }
  }
  return owner;
}

// "nodules in both lungs, the largest 4 mm in the right lower lobe", "4 mm nodules in both lungs, the largest
// in the right lower lobe": the right lower lobe.
std::string ReportGrounder::path_of_size(std::string_view text, const Measurement& size, const Clause& clause,
                                         const GroundedFinding& measured) const {
  const auto is_place = [&measured](const std::string& path) {
    return std::find(measured.paths.begin(), measured.paths.end(), path) != measured.paths.end();
  };
  std::vector<std::string> beside = placer_.paths_beside(size.span, clause, reader_, text);
  // What is said of a place and of a part of it is said of the part: then it was not this part that was
  // measured.
  const bool is_vague = !std::all_of(beside.begin(), beside.end(), is_place);
  if (is_vague) beside = placer_.paths_in_part(part_of_largest(text, clause), clause, reader_, text);
  std::erase_if(beside, [&is_place](const std::string& path) { return !is_place(path); });
  return shared_path(beside.empty() ? measured.paths : beside);
}

// The part of a clause that says where the largest of several lies.
std::optional<std::uint32_t> ReportGrounder::part_of_largest(std::string_view text,
                                                             const Clause& clause) const {
  const std::string_view words = clause.span.of(text);
  const std::size_t at = std::min(words.find("largest"), words.find("biggest"));
  if (at == std::string_view::npos) return std::nullopt;
  for (const Mention& mention : reader_.mentions(clause)) {
    if (mention.span.begin > clause.span.begin + at && anatomy_[mention.what]) return mention.part;
  }
  return std::nullopt;
}

void ReportGrounder::add_findings(std::string_view text, const Clause& clause,
                                  std::vector<GroundedFinding>& found) const {
  if (clause.asked || clause.past || polarity_.is_unassessed(clause)) return;
  std::vector<const Mention*> findings;
  std::vector<GroundedFinding> here;
  for (const Mention& mention : reader_.mentions(clause)) {
    std::string name = name_of(mention, clause);
    const bool is_renamed = depends_on_place(mention.what);
    if (name.empty() && !is_renamed) continue;
    FindingPlace place = placer_.place_of(mention, clause, reader_, text);
    if (is_renamed) {
      if (std::string other = name_at(mention, clause, place); !other.empty()) name = std::move(other);
    }
    if (name.empty()) continue;
    FindingTerms terms =
        finding_terms(name, text.substr(clause.span.begin, mention.span.begin - clause.span.begin));
    findings.push_back(&mention);
    here.push_back({.name = std::move(name),
                    .term = std::move(terms.one),
                    .many = std::move(terms.many),
                    .present = !polarity_.is_absent(mention, clause),
                    .certain = is_certain(mention, clause),
                    .paths = std::move(place.paths),
                    .sizes = {},
                    .size_path = {},
                    .evidence = mention.span});
  }
  if (findings.empty()) return;
  for (const auto& [size, prior] : sizes_of_clause(text, clause, reader_)) {
    if (prior) continue;
    const auto owner = owner_of(size, clause, findings);
    if (!owner) continue;
    GroundedFinding& measured = here[*owner];
    measured.sizes.push_back(size);
    if (measured.sizes.size() == 1) measured.size_path = path_of_size(text, size, clause, measured);
  }
  for (GroundedFinding& finding : here) {
    // "no new nodule", "no other nodule": there may be some.
    if (finding.present || !(clause.concepts[cues_.novelty] || clause.concepts[cues_.others]))
      found.push_back(std::move(finding));
  }
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
  const std::string place = asked_region(region);
  std::string what = asked_finding(finding);
  // "enlargement of the aorta in the aorta"
  if (!place.empty() && what.ends_with(" of " + place)) what.resize(what.size() - place.size() - 4);
  if (speaks_of_many(finding)) {  // "Are multiple nodules seen", not "Is any multiple nodules seen"
    replace_all(out, "Is there any ", "Are there ");
    replace_all(out, "Is any {finding}", "Are {finding}");
    replace_all(out, "any ", "");
  }
  replace_all(out, "{finding}", what);
  replace_all(out, "the {region}", place);
  replace_all(out, "{region}", region);
  return out;
}

}  // namespace fiducial
