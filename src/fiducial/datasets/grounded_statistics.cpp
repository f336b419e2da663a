#include "fiducial/datasets/grounded_statistics.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

// A split being counted, with what must be remembered until its end.
struct Tally {
  SplitStatistics counts;
  std::set<std::string> patients;
  std::set<std::string> texts;

  Tally(std::string name, const CategoryTitles& categories) {
    counts.name = std::move(name);
    for (const auto& category : categories) counts.categories[category.first] = 0;
  }

  void add_finding(const Finding& finding) {
    ++counts.findings;
    texts.insert(finding.text);
    if (finding.category_title.empty()) {
      ++counts.uncategorized;
    } else {
      ++counts.categories[finding.category];
    }
    if (finding.focality) ++(*finding.focality == Focality::focal ? counts.focal : counts.non_focal);
    if (finding.entities) counts.entities.add(*finding.entities);
    if (finding.voxels) counts.voxels.add(*finding.voxels);
  }

  void add_case(const GroundedCase& entry) {
    ++counts.scans;
    ++counts.protocols[entry.protocol];
    patients.insert(entry.patient);
    if (entry.lists_findings) counts.findings_per_scan.add(static_cast<std::int64_t>(entry.findings.size()));
    for (const Finding& finding : entry.findings) add_finding(finding);
    add_together(entry);
  }

  void add_together(const GroundedCase& entry) {
    std::set<std::string> codes;
    for (const Finding& finding : entry.findings) {
      if (!finding.category_title.empty()) codes.insert(finding.category);
    }
    add_pairs(codes, counts.together);
  }

  SplitStatistics finished() {
    counts.patients = static_cast<std::int64_t>(patients.size());
    counts.unique_texts = static_cast<std::int64_t>(texts.size());
    return counts;
  }
};

std::int64_t common(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::count_if(a.begin(), a.end(), [&b](const std::string& each) { return b.contains(each); });
}

// Of the ontology, and of the categories that findings have besides.
CategoryTitles titles_of(const Splits& splits, CategoryTitles titles) {
  for (const auto& split : splits) {
    for (const GroundedCase& entry : split.second) {
      for (const Finding& finding : entry.findings) {
        if (!finding.category_title.empty()) titles.emplace(finding.category, finding.category_title);
      }
    }
  }
  return titles;
}

void note_placeholder(const SplitStatistics& split, Notes& notes) {
  constexpr std::int64_t too_many_to_be_chance = 20;
  if (split.entities.known() < too_many_to_be_chance || split.entities.greatest() != 1) return;
  notes.push_back({"entity_counts_placeholder",
                   "every finding of " + split.name + " has one entity: a placeholder, not a count"});
}

// The least number of voxels of a bin; integers from 10^(edge/2) on.
bool reaches(std::int64_t voxels, int half_decade) {
  std::int64_t power = 1;
  for (int i = 0; i < half_decade / 2; ++i) power *= 10;
  // voxels >= power * sqrt(10), in integers.
  if (half_decade % 2 == 0) return voxels >= power;
  return static_cast<double>(voxels) >= static_cast<double>(power) * 3.1622776601683795;
}

int half_decade_of(std::int64_t voxels) {
  int out = 0;
  while (out < 36 && reaches(voxels, out + 1)) ++out;
  return out;
}

}  // namespace

std::int64_t CountDistribution::known() const { return above(-1); }

std::int64_t CountDistribution::total() const {
  std::int64_t out = 0;
  for (const auto& [count, things] : histogram) {
    std::int64_t product = 0;
    const bool is_too_large =
        __builtin_mul_overflow(count, things, &product) || __builtin_add_overflow(out, product, &out);
    if (is_too_large) return std::numeric_limits<std::int64_t>::max();
  }
  return out;
}

double CountDistribution::mean() const {
  const std::int64_t things = known();
  return things == 0 ? 0 : static_cast<double>(total()) / static_cast<double>(things);
}

std::int64_t CountDistribution::at(std::int64_t count) const {
  const auto found = histogram.find(count);
  return found == histogram.end() ? 0 : found->second;
}

std::int64_t CountDistribution::above(std::int64_t count) const {
  std::int64_t out = 0;
  for (auto each = histogram.upper_bound(count); each != histogram.end(); ++each) out += each->second;
  return out;
}

void ValueDistribution::add(std::optional<double> value) {
  if (value) values.insert(std::upper_bound(values.begin(), values.end(), *value), *value);
}

double ValueDistribution::mean() const {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double ValueDistribution::median() const { return values.empty() ? 0 : values[(values.size() - 1) / 2]; }

std::int64_t ValueDistribution::between(double low, double high) const {
  return std::lower_bound(values.begin(), values.end(), high) -
         std::lower_bound(values.begin(), values.end(), low);
}

double SplitStatistics::focal_share() const {
  const std::int64_t categorized = focal + non_focal;
  return categorized == 0 ? 0 : static_cast<double>(focal) / static_cast<double>(categorized);
}

std::vector<SizeBin> SplitStatistics::sizes() const {
  std::map<int, std::int64_t> bins;
  for (const auto& [count, findings_of_size] : voxels.histogram) {
    if (count > 0) bins[half_decade_of(count)] += findings_of_size;
  }
  std::vector<SizeBin> out;
  if (bins.empty()) return out;
  for (int edge = bins.begin()->first; edge <= bins.rbegin()->first; ++edge)
    out.push_back({edge, bins[edge]});
  return out;
}

Splits splits_of(const GroundedDataset& dataset) {
  Splits out;
  for (const std::string& name : dataset.split_names()) out.emplace_back(name, *dataset.find_split(name));
  return out;
}

GroundedStatistics statistics_of(const Splits& splits, const CategoryTitles& ontology) {
  GroundedStatistics out{.category_titles = titles_of(splits, ontology)};
  Tally all("all", out.category_titles);
  std::vector<Tally> tallies;
  for (const auto& [name, cases] : splits) {
    tallies.emplace_back(name, out.category_titles);
    for (const GroundedCase& entry : cases) {
      tallies.back().add_case(entry);
      all.add_case(entry);
    }
  }
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    for (std::size_t j = i + 1; j < tallies.size(); ++j) {
      out.shared_patients.push_back(
          {tallies[i].counts.name, tallies[j].counts.name, common(tallies[i].patients, tallies[j].patients)});
    }
  }
  for (Tally& tally : tallies) {
    out.splits.push_back(tally.finished());
    note_placeholder(out.splits.back(), out.notes);
  }
  out.all = all.finished();
  return out;
}

}  // namespace fiducial
