#include "fiducial/curate/reports/control_maker.h"

#include <algorithm>
#include <optional>

#include "fiducial/curate/reports/control_words.h"

namespace fiducial {

namespace {

// The one thing that a text states, with all its places; nothing where it states several.
std::optional<GroundedFinding> only_finding(const std::string& text, ReportGrounder& grounder) {
  std::optional<GroundedFinding> out;
  for (GroundedFinding& each : grounder.findings(text)) {
    if (!each.present) return std::nullopt;
    if (out && out->name != each.name) return std::nullopt;
    if (!out) {
      out = std::move(each);
    } else {
      out->paths.insert(out->paths.end(), each.paths.begin(), each.paths.end());
    }
  }
  return out;
}

bool speaks_of(const std::vector<SpokenFinding>& spoken, const std::string& family) {
  return std::any_of(spoken.begin(), spoken.end(),
                     [&family](const SpokenFinding& each) { return each.family == family; });
}

const ReportDenial* denial_of(const OfferedFinding& finding, const ReportStatements& said) {
  for (const ReportDenial& denial : said.denials) {
    if (denial.finding == finding.name && denial.covers(finding.paths)) return &denial;
  }
  return nullptr;
}

}  // namespace

std::vector<OfferedFinding> offered_findings(const std::vector<GroundedCase>& cases) {
  ReportGrounder grounder;
  std::vector<OfferedFinding> out;
  for (const GroundedCase& entry : cases) {
    for (const Finding& finding : entry.findings) {
      if (ControlWords::names_any(ControlWords::known().points, finding.text)) continue;
      auto only = only_finding(finding.text, grounder);
      if (!only || !ControlWords::known().asked.contains(only->name)) continue;
      out.push_back({entry.name, entry.patient, finding.index, finding.text, only->name, only->paths});
    }
  }
  return out;
}

std::vector<ControlPrompt> ControlMaker::prompts_of(const GroundedCase& entry,
                                                    const std::vector<const Finding*>& visible,
                                                    const ReportStatements* said) {
  Random random(seed_, "controls of " + entry.name);
  prompts_.clear();
  texts_.clear();
  for (const Finding* finding : visible) {
    add({.kind = ControlKind::finding,
         .text = finding->text,
         .category = finding->category,
         .origin = Json::object({{"finding", finding->index}})});
  }
  const std::size_t findings = prompts_.size();
  const std::vector<SpokenFinding> spoken = spoken_of(entry, said);
  for (std::size_t i = 0; i < findings; ++i) {
    add_paraphrases(i, random);
    add_swaps(i, spoken);
  }
  if (said != nullptr) {
    add_denied(*said, spoken, random);
    add_others(entry, *said, spoken, random);
  }
  return shuffled(random);
}

bool ControlMaker::add(ControlPrompt prompt) {
  if (!texts_.insert(prompt.text).second) return false;
  prompts_.push_back(std::move(prompt));
  return true;
}

std::vector<SpokenFinding> ControlMaker::spoken_of(const GroundedCase& entry, const ReportStatements* said) {
  std::vector<SpokenFinding> out;
  if (said != nullptr) out = said->spoken;
  for (const Finding& finding : entry.findings) {
    for (SpokenFinding& each : reader_.spoken(finding.text)) out.push_back(std::move(each));
  }
  return out;
}

void ControlMaker::add_paraphrases(std::size_t finding, Random& random) {
  std::vector<ChangedFinding> all = changer_.paraphrases(prompts_[finding].text);
  for (std::int64_t left = counts_.paraphrases; left > 0 && !all.empty();) {
    const std::size_t at = random.below(all.size());
    if (add({.kind = ControlKind::paraphrase,
             .text = all[at].text,
             .finding = static_cast<std::int64_t>(finding),
             .category = prompts_[finding].category,
             .origin = Json::object({{"rule", all[at].rule}})}))
      --left;
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

void ControlMaker::add_swaps(std::size_t finding, const std::vector<SpokenFinding>& spoken) {
  for (ChangedFinding& each : changer_.swapped(prompts_[finding].text)) {
    if (may_hold_too(each.text, spoken)) continue;
    add({.kind = each.rule == "side" ? ControlKind::swapped_side : ControlKind::swapped_lobe,
         .text = std::move(each.text),
         .finding = static_cast<std::int64_t>(finding),
         .category = prompts_[finding].category,
         .origin = Json::object({{"rule", each.rule}})});
  }
}

bool ControlMaker::may_hold_too(const std::string& text, const std::vector<SpokenFinding>& spoken) {
  const std::vector<SpokenFinding> said = reader_.spoken(text);
  return std::any_of(said.begin(), said.end(), [&spoken](const SpokenFinding& each) {
    return std::any_of(spoken.begin(), spoken.end(),
                       [&each](const SpokenFinding& other) { return each.may_be(other); });
  });
}

void ControlMaker::add_denied(const ReportStatements& said, const std::vector<SpokenFinding>& spoken,
                              Random& random) {
  std::vector<const ReportDenial*> all;
  for (const ReportDenial& denial : said.denials) {
    if (!speaks_of(spoken, ControlWords::known().family_of(denial.finding))) all.push_back(&denial);
  }
  for (std::int64_t left = counts_.denied; left > 0 && !all.empty();) {
    const std::size_t at = random.below(all.size());
    if (add({.kind = ControlKind::denied,
             .text = all[at]->prompt,
             .category = {},
             .origin = Json::object({{"name", all[at]->finding}, {"denied_by", all[at]->source}})}))
      --left;
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

void ControlMaker::add_others(const GroundedCase& entry, const ReportStatements& said,
                              const std::vector<SpokenFinding>& spoken, Random& random) {
  std::vector<const OfferedFinding*> all;
  for (const OfferedFinding& each : offered_) {
    if (each.patient != entry.patient && !speaks_of(spoken, ControlWords::known().family_of(each.name)))
      all.push_back(&each);
  }
  std::int64_t others = counts_.others;
  std::int64_t silent = counts_.silent;
  while (others + silent > 0 && !all.empty()) {
    const std::size_t at = random.below(all.size());
    const OfferedFinding& each = *all[at];
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
    const ReportDenial* denial = denial_of(each, said);
    const bool is_unread =
        denial == nullptr && !said.denied_families.contains(ControlWords::known().family_of(each.name));
    if (denial == nullptr && !is_unread) continue;  // denied elsewhere
    if ((is_unread ? silent : others) == 0) continue;
    Json origin = Json::object({{"name", each.name}, {"case", each.case_name}, {"finding", each.index}});
    if (denial != nullptr) origin.set("denied_by", denial->source);
    const bool is_new = add({.kind = is_unread ? ControlKind::silent : ControlKind::other_patient,
                             .text = each.text,
                             .category = {},
                             .origin = std::move(origin)});
    if (is_new) --(is_unread ? silent : others);
  }
}

std::vector<ControlPrompt> ControlMaker::shuffled(Random& random) {
  std::vector<std::size_t> order(prompts_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<std::int64_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<std::int64_t>(i);
  std::vector<ControlPrompt> out;
  for (const std::size_t from : order) {
    out.push_back(std::move(prompts_[from]));
    if (is_changed_finding(out.back().kind))
      out.back().finding = place[static_cast<std::size_t>(out.back().finding)];
  }
  return out;
}

}  // namespace fiducial
