#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/cases/grounded_case.h"

namespace fiducial {

// How often sentences are drawn in training, by case and channel: sentence_weights.csv of curate training.
class SentenceWeightTable {
 public:
  // Columns VolumeName, Finding and Weight; Text, where there is one, is held against the dataset's. Refuses
  // weights that are no positive numbers, and a finding that occurs twice.
  static Result<SentenceWeightTable> read(const Path& path);

  // An error names a finding that the table lacks, or has in other words.
  Result<double> of(const GroundedCase& entry, const Finding& finding) const;

 private:
  struct Row {
    double weight = 1;
    std::uint64_t line = 0;
    std::string text;
  };

  std::string path_;
  bool has_texts_ = false;
  std::map<std::pair<std::string, std::int64_t>, Row> rows_;
};

}  // namespace fiducial
