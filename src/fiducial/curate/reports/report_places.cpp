#include "fiducial/curate/reports/report_places.h"

#include <algorithm>

#include "fiducial/base/error.h"

namespace fiducial {

namespace {

constexpr std::size_t most_words = 100;  // of a place that are kept

// With all that is said of it.
const std::string& told_name(const GroundedFinding& finding) {
  if (!finding.many.empty()) return finding.many;
  return finding.term.empty() ? finding.name : finding.term;
}

bool has_view(const std::vector<std::string_view>& views, std::string_view wanted) {
  return std::find(views.begin(), views.end(), wanted) != views.end();
}

}  // namespace

PathNumbers::PathNumbers() {
  const std::vector<std::string>& paths = known_paths();
  for (std::uint32_t i = 0; i < paths.size(); ++i) {
    numbers_.emplace(paths[i], i);
    std::vector<std::uint32_t> lineage;
    for (const std::string& each : with_ancestors(paths[i])) lineage.push_back(of(each));  // sorted before it
    lineages_.push_back(std::move(lineage));
  }
}

const PathNumbers& PathNumbers::known() {
  static const PathNumbers numbers;
  return numbers;
}

std::uint32_t PathNumbers::of(std::string_view path) const {
  const auto found = numbers_.find(path);
  FIDUCIAL_ASSERT(found != numbers_.end());
  return found->second;
}

bool PlaceFindings::states(std::string_view finding) const { return has_view(stated, finding); }
bool PlaceFindings::denies(std::string_view finding) const { return has_view(denied, finding); }

void ReportPlaces::clear() {
  for (const std::uint32_t path : visited_) {
    places_[path] = {};
    is_visited_[path] = false;
  }
  visited_.clear();
}

void ReportPlaces::visit_one(std::uint32_t path) {
  if (is_visited_[path]) return;
  is_visited_[path] = true;
  visited_.push_back(path);
}

void ReportPlaces::visit(const SpokenPath& spoken) {
  const PathNumbers& paths = PathNumbers::known();
  const std::uint32_t path = paths.of(spoken.path);
  for (const std::uint32_t each : paths.lineage(path)) {
    visit_one(each);
    std::vector<TextSpan>& words = places_[each].cleared_words;
    if (spoken.cleared && words.size() < most_words) words.push_back(spoken.clause);
  }
  places_[path].cleared = places_[path].cleared || spoken.cleared;
  places_[path].open = places_[path].open || spoken.open;
}

void ReportPlaces::place(const GroundedFinding& finding) {
  const PathNumbers& paths = PathNumbers::known();
  for (const std::string& name : finding.paths) {
    const std::uint32_t path = paths.of(name);
    for (const std::uint32_t each : paths.lineage(path)) {
      visit_one(each);
      if (!finding.present || places_[each].states(finding.name)) continue;
      places_[each].stated.emplace_back(finding.name);
      places_[each].terms.emplace_back(told_name(finding));
      places_[each].stated_words.push_back(finding.evidence);
    }
    if (!finding.present && !places_[path].denies(finding.name))
      places_[path].denied.emplace_back(finding.name);
  }
}

std::vector<std::uint32_t> ReportPlaces::told_paths() const {
  std::vector<std::uint32_t> told;
  for (const std::uint32_t path : visited_) {
    if (places_[path].stated.empty() && !places_[path].is_clear()) continue;
    const std::vector<std::uint32_t>& lineage = PathNumbers::known().lineage(path);
    told.insert(told.end(), lineage.begin(), lineage.end());
  }
  std::sort(told.begin(), told.end());
  told.erase(std::unique(told.begin(), told.end()), told.end());
  return told;
}

}  // namespace fiducial
