#include "fiducial/curate/reports/report_denials.h"

#include <algorithm>
#include <optional>

#include "fiducial/curate/reports/control_words.h"
#include "fiducial/curate/reports/report_sources.h"
#include "fiducial/text/sentences.h"

namespace fiducial {

namespace {

bool lies_in(const std::string& path, const std::string& place) {
  return path == place || path.starts_with(place + "/");
}

// The sentence that a byte lies in.
TextSpan sentence_at(std::string_view text, std::size_t byte) {
  for (const Sentence& sentence : split_sentences(text)) {
    if (byte < sentence.span.end) return sentence.span;
  }
  return {0, text.size()};
}

// Whether words stand before a denied finding, up to what it is joined by, that make it a lesser one: "no
// significant effusion".
bool is_narrowed(std::string_view before) {
  const ControlWords& known = ControlWords::known();
  const std::vector<std::string> words = lower_words(before.substr(before.find_last_of(",;:") + 1));
  for (std::size_t i = words.size(); i-- > 0;) {
    const std::string& word = words[i];
    if (word == "no" || word == "not" || word == "without" || word == "or" || word == "and" || word == "nor")
      return false;
    if (known.narrows.contains(word)) return true;
  }
  return false;
}

// How a prompt asks for a finding where it is denied: by name alone, or with the lung; nothing for parts of
// lungs.
std::optional<std::string> prompt_for(const std::string& name, const std::vector<std::string>& paths) {
  std::set<std::string> nodes;
  for (const std::string& path : paths) {
    if (std::count(path.begin(), path.end(), '/') > 1) nodes.emplace(node_of(path));
  }
  if (nodes.empty() || nodes == std::set<std::string>{"left lung", "right lung"}) return name;
  if (nodes.size() == 1 && (nodes.contains("left lung") || nodes.contains("right lung")))
    return name + " in the " + *nodes.begin();
  return std::nullopt;
}

Json denial_source(const ReportRow& row, const ReportText& text, const TextSpan& words,
                   const TextSpan& sentence) {
  return Json::object({{"report", std::string(row.id)},
                       {"column", std::string(text.column)},
                       {"sentence", SentenceCodes(text.text, text.section).at(words.begin)},
                       {"begin", static_cast<std::int64_t>(words.begin)},
                       {"end", static_cast<std::int64_t>(words.end)},
                       {"words", std::string(sentence.of(text.text))}});
}

}  // namespace

bool ReportDenial::covers(const std::vector<std::string>& places) const {
  return !places.empty() && std::all_of(places.begin(), places.end(), [this](const std::string& place) {
    return std::any_of(paths.begin(), paths.end(),
                       [&place](const std::string& path) { return lies_in(place, path); });
  });
}

bool ReportStatements::speaks_of(const std::string& family) const {
  return std::any_of(spoken.begin(), spoken.end(),
                     [&family](const SpokenFinding& each) { return each.family == family; });
}

bool SpokenFinding::may_be(const SpokenFinding& other) const {
  if (family != other.family) return false;
  if ((left || right) && (other.left || other.right) && !(left && other.left) && !(right && other.right))
    return false;
  if (paths.empty() || other.paths.empty()) return true;
  return std::any_of(paths.begin(), paths.end(), [&other](const std::string& path) {
    return std::any_of(other.paths.begin(), other.paths.end(), [&path](const std::string& place) {
      return lies_in(path, place) || lies_in(place, path);
    });
  });
}

void DenialReader::read_text(const ReportRow& row, const ReportText& text, ReportStatements& out) {
  const ControlWords& known = ControlWords::known();
  for (GroundedFinding& found : grounder_.findings(text.text)) {
    if (found.present) continue;
    out.denied_families.insert(known.family_of(found.name));
    const auto asked = known.asked.find(found.name);
    if (asked == known.asked.end() || !found.certain || !found.sizes.empty() || found.paths.empty()) continue;
    const TextSpan sentence = sentence_at(text.text, found.evidence.begin);
    if (ControlWords::names_any(known.limits, sentence.of(text.text)) ||
        is_narrowed(text.text.substr(sentence.begin, found.evidence.begin - sentence.begin)))
      continue;
    const auto prompt = prompt_for(asked->second.prompt, found.paths);
    if (!prompt) continue;
    out.denials.push_back({.finding = found.name,
                           .prompt = *prompt,
                           .paths = std::move(found.paths),
                           .source = denial_source(row, text, found.evidence, sentence)});
  }
  for (SpokenFinding& each : spoken(text.text)) out.spoken.push_back(std::move(each));
}

std::vector<SpokenFinding> DenialReader::spoken(std::string_view text) {
  const ControlWords& known = ControlWords::known();
  std::vector<SpokenFinding> out;
  const std::vector<Fact> facts = facts_.read(text);
  for (GroundedFinding& found : grounder_.findings(text)) {
    if (!found.present) continue;
    SpokenFinding one{known.family_of(found.name), std::move(found.paths)};
    for (const Fact& fact : facts) {
      if (fact.evidence.begin >= found.evidence.end || found.evidence.begin >= fact.evidence.end) continue;
      one.left = one.left || fact.left;
      one.right = one.right || fact.right;
    }
    out.push_back(std::move(one));
  }
  // What is asked, likely or left open speaks of a finding, too.
  for (const Fact& fact : facts) {
    if (!fact.present && fact.certainty == Certainty::stated) continue;
    std::string name = facts_.lexicon().concepts()[fact.finding].name;
    std::replace(name.begin(), name.end(), '_', ' ');
    out.push_back({known.family_of(name), fact.paths, fact.left, fact.right});
  }
  return out;
}

ReportStatements DenialReader::read(const ReportRow& row) {
  ReportStatements out;
  for (const ReportText& text : row.texts) read_text(row, text, out);
  const ControlWords& known = ControlWords::known();
  std::set<std::string> seen;
  std::erase_if(out.denials, [&](const ReportDenial& denial) {
    return out.speaks_of(known.family_of(denial.finding)) || !seen.insert(denial.finding).second;
  });
  return out;
}

}  // namespace fiducial
