#include "fiducial/curate/reports/sentence_weights.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace fiducial {

namespace {

bool has_known_size(const Finding& finding) { return finding.voxels && *finding.voxels > 0; }

// The lower one of two in the middle; 1 where no size is known.
double median_voxels(const std::vector<const Finding*>& findings) {
  std::vector<std::int64_t> known;
  known.reserve(findings.size());
  for (const Finding* finding : findings) {
    if (has_known_size(*finding)) known.push_back(*finding->voxels);
  }
  if (known.empty()) return 1;
  const auto middle = known.begin() + static_cast<std::ptrdiff_t>((known.size() - 1) / 2);
  std::nth_element(known.begin(), middle, known.end());
  return static_cast<double>(*middle);
}

}  // namespace

std::vector<double> sentence_weights(const std::vector<const Finding*>& findings,
                                     const SentenceWeightRule& rule) {
  std::map<std::string_view, double> of_category;
  for (const Finding* finding : findings) ++of_category[category_group(*finding)];
  const double median = median_voxels(findings);
  std::vector<double> out;
  out.reserve(findings.size());
  double sum = 0;
  for (const Finding* finding : findings) {
    const double size = has_known_size(*finding) ? static_cast<double>(*finding->voxels) : median;
    out.push_back(1 / (std::pow(of_category.at(category_group(*finding)), rule.category_power) *
                       std::pow(size, rule.size_power)));
    sum += out.back();
  }
  for (double& weight : out) weight *= static_cast<double>(out.size()) / sum;
  return out;
}

}  // namespace fiducial
