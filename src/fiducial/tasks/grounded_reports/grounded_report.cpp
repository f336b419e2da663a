#include "fiducial/tasks/grounded_reports/grounded_report.h"

#include <algorithm>
#include <tuple>

#include "fiducial/findings/sentence_regions.h"

namespace fiducial {

namespace {

bool names_side(const std::vector<std::string>& paths, const std::string& side) {
  return std::any_of(paths.begin(), paths.end(), [&side](const std::string& path) {
    return (" " + path + " ").find(" " + side + " ") != std::string::npos ||
           path.find("/" + side + " ") != std::string::npos;
  });
}

std::string region_head(const std::string& path) { return path.substr(0, path.find('/')); }

}  // namespace

bool ReportFact::fits(const ReportFact& other) const {
  const bool names_none = (!left && !right) || (!other.left && !other.right);
  return finding == other.finding && (names_none || (left && other.left) || (right && other.right));
}

bool ReportFact::shares_region(const ReportFact& other) const {
  return std::any_of(regions.begin(), regions.end(),
                     [&other](const std::string& region) { return other.regions.contains(region); });
}

std::vector<std::string> FactFinder::places_of(const GroundedSentence& sentence,
                                               const GroundedFinding& finding) {
  if (sentence.regions.empty()) return finding.paths;
  std::vector<std::string> out;
  const std::vector<std::string>& known = chest_region_rules().names();
  for (const std::string& region : sentence.regions) {
    if (region.find('/') != std::string::npos ||
        std::find(known.begin(), known.end(), region) != known.end()) {
      out.push_back(region);
      continue;
    }
    for (std::string& path : grounder_.paths(region)) out.push_back(std::move(path));
  }
  return out;
}

std::vector<ReportFact> FactFinder::facts(const std::vector<GroundedSentence>& sentences) {
  std::vector<ReportFact> out;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    std::set<std::tuple<std::string, bool, bool>> said;
    for (const GroundedFinding& finding : grounder_.findings(sentences[i].text)) {
      if (!finding.present) continue;
      ReportFact fact{.finding = finding.name,
                      .left = names_side(finding.paths, "left"),
                      .right = names_side(finding.paths, "right"),
                      .sentence = i};
      if (!said.emplace(fact.finding, fact.left, fact.right).second) continue;
      fact.places = places_of(sentences[i], finding);
      for (const std::string& place : fact.places) fact.regions.insert(region_head(place));
      out.push_back(std::move(fact));
    }
  }
  return out;
}

std::vector<FactMatch> match_facts(const std::vector<ReportFact>& reference,
                                   const std::vector<ReportFact>& prediction,
                                   const std::vector<std::vector<double>>& dice) {
  std::vector<FactMatch> pairs;
  for (std::size_t r = 0; r < reference.size(); ++r) {
    for (std::size_t p = 0; p < prediction.size(); ++p) {
      if (!reference[r].fits(prediction[p])) continue;
      pairs.push_back({r, p, dice.empty() ? 0 : dice[reference[r].sentence][prediction[p].sentence],
                       reference[r].shares_region(prediction[p])});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const FactMatch& a, const FactMatch& b) {
    return a.dice != b.dice ? a.dice > b.dice : a.shares_region && !b.shares_region;
  });
  std::vector<bool> used_reference(reference.size());
  std::vector<bool> used_prediction(prediction.size());
  std::vector<FactMatch> out;
  for (const FactMatch& pair : pairs) {
    if (used_reference[pair.reference] || used_prediction[pair.prediction]) continue;
    used_reference[pair.reference] = used_prediction[pair.prediction] = true;
    out.push_back(pair);
  }
  return out;
}

}  // namespace fiducial
