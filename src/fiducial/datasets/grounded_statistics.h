#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/json.h"
#include "fiducial/base/note.h"
#include "fiducial/base/progress.h"
#include "fiducial/base/result.h"
#include "fiducial/datasets/co_occurrence.h"
#include "fiducial/datasets/grounded_dataset.h"

namespace fiducial {

// A count of something for each of many things. Things without a known count are left out of all of it.
struct CountDistribution {
  std::map<std::int64_t, std::int64_t> histogram;  // how many things have that count

  void add(std::int64_t count) { ++histogram[count]; }
  std::int64_t known() const;  // things
  std::int64_t total() const;  // sum of counts, or the largest number where it is larger
  double mean() const;         // 0 when nothing is known
  std::int64_t least() const { return histogram.empty() ? 0 : histogram.begin()->first; }
  std::int64_t greatest() const { return histogram.empty() ? 0 : histogram.rbegin()->first; }
  std::int64_t at(std::int64_t count) const;
  std::int64_t above(std::int64_t count) const;
};

// Findings by size: ten to the power of edge / 2 is the least number of voxels in a bin.
struct SizeBin {
  int half_decade = 0;
  std::int64_t findings = 0;
};

// A measure of many things, of those where it is known.
struct ValueDistribution {
  std::vector<double> values;  // ascending

  void add(std::optional<double> value);
  double mean() const;    // 0 when nothing is known
  double median() const;  // the lower one of two in the middle; 0 when nothing is known
  std::int64_t between(double low, double high) const;  // values v with low <= v < high
};

// What is in one split, or in all of them.
struct SplitStatistics {
  std::string name;
  std::int64_t scans = 0;
  std::int64_t findings = 0;
  std::int64_t patients = 0;
  std::int64_t unique_texts = 0;
  std::int64_t focal = 0;
  std::int64_t non_focal = 0;
  std::int64_t uncategorized = 0;
  std::map<std::string, std::int64_t> categories;  // by code, of those that the ontology has
  std::map<std::string, std::int64_t> protocols;   // scans; "" where none is given
  CountDistribution findings_per_scan;
  CountDistribution entities;    // a finding
  CountDistribution voxels;      // a finding
  CountDistribution components;  // a finding, 18 neighbours; known only where masks were read
  ValueDistribution ml;          // a finding; known where its mask or CT says how large voxels are
  ValueDistribution mm;          // a finding: the diameter of a ball of its volume
  ValueDistribution hu;          // a finding: the mean of its voxels; known only where CTs were read
  PairCounts together;           // scans with findings of both

  double focal_share() const;  // of the findings with a category; 0 when there is none
  std::vector<SizeBin> sizes() const;
};

// Patients that two splits have in common.
struct SharedPatients {
  std::string a;
  std::string b;
  std::int64_t patients = 0;
};

struct GroundedStatistics {
  std::vector<SplitStatistics> splits;
  SplitStatistics all;
  std::map<std::string, std::string> category_titles;  // by code
  std::vector<SharedPatients> shared_patients;         // every pair of splits
  Notes notes;
};

using Splits = std::vector<std::pair<std::string, std::vector<GroundedCase>>>;
using CategoryTitles = std::map<std::string, std::string>;  // by code

// All cases of a dataset, as it lists them.
Splits splits_of(const GroundedDataset& dataset);

// Counts what the dataset lists. Categories of the ontology are counted also where no finding has them.
GroundedStatistics statistics_of(const Splits& splits, const CategoryTitles& ontology = {});

// Counts entities, voxels and components in the masks instead; where a mask is absent they are not known, and
// a note says for how many cases. A mask that cannot be read, or has another number of channels, is an error.
// With a folder of CTs findings are measured in them (finding_measures.h); a note says how many are absent.
Result<GroundedStatistics> statistics_of_masks(const GroundedDataset& dataset, const CategoryTitles& ontology,
                                               const Executor& executor, Progress& progress,
                                               const std::optional<Path>& volumes = std::nullopt);

// Where statistics come from: the dataset file, or the masks.
struct StatisticsSource {
  std::string benchmark;
  std::string file;
  Digest digest;
  std::string counted_from;  // "dataset" or "masks"
};

Json statistics_json(const GroundedStatistics& statistics,
                     const StatisticsSource& source);  // fiducial.stats/1

}  // namespace fiducial
