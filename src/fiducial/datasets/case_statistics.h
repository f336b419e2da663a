#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/datasets/co_occurrence.h"
#include "fiducial/datasets/diagnosis_dataset.h"

namespace fiducial {

// What is in a split, or in all of them.
struct DiagnosisStatistics {
  using Counts = std::map<std::string, std::int64_t>;
  using Histogram = std::map<std::int64_t, std::int64_t>;

  std::string name;
  std::int64_t cases = 0;
  std::int64_t hidden = 0;  // cases of a blind copy, whose truth and annotations are not known
  std::int64_t images = 0;
  std::int64_t longitudinal = 0;
  std::int64_t key_is_longest = 0;
  std::int64_t equal_options = 0;
  Histogram images_per_case;
  Histogram modalities_per_case;
  Histogram timepoints;
  Counts images_by_modality;
  Counts cases_by_modality;
  PairCounts modalities_together;  // cases with images of both
  Counts icd_chapters;             // "none" where none is given
  Counts key_letters;

  void add(const DiagnosisCase& entry);
  std::int64_t told() const { return cases - hidden; }  // the cases that the counts of annotations are of
};

// The statistics of every split, with the files they were counted in.
struct CaseStatistics {
  std::string benchmark;
  std::vector<DiagnosisStatistics> splits;
  DiagnosisStatistics all;
  std::vector<std::pair<std::string, Digest>> files;

  Json json() const;  // schema fiducial.case_stats/1
};

Result<CaseStatistics> case_statistics(const std::string& benchmark, const DiagnosisDataset& dataset);

}  // namespace fiducial
