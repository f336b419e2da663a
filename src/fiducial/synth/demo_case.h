#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/synth/chest_volume.h"
#include "fiducial/synth/finding_facts.h"
#include "fiducial/synth/report_text.h"

namespace fiducial {

// What one case of the corpus is to be, before anything is painted.
struct DemoCasePlan {
  int patient = 1;
  char scan = 'a';
  int reconstruction = 1;
  std::string split;  // "train", "val" or "test"
  std::string protocol;
  std::vector<FindingPlan> findings;

  std::string patient_name() const;  // "train_12"
  std::string study_name() const;    // "train_12_a"
  std::string file_name() const;     // "train_12_a_1.nii.gz"
};

// How many cases a corpus has, and how large their volumes are.
struct DemoSize {
  int train = 4;
  int val = 2;
  int test = 6;
  Extent extent{192, 160, 104};
};

// Volumes that take no time, and volumes as scanners write them: "small" and "full"; none of another name.
std::optional<Extent> demo_extent(std::string_view size);

// The cases in the order they are written. One patient of the training split has two scans, and one of the
// test split where it has two cases; no patient is in two splits.
std::vector<DemoCasePlan> plan_cases(std::uint64_t seed, const DemoSize& size);

// A painted case: the scan, one channel of entity ids per finding, and the words that fit them.
struct DemoCase {
  ChestVolume chest;
  Contrast contrast = Contrast::none;
  std::vector<PaintedFinding> findings;
  std::vector<FindingFacts> facts;  // of the same findings
  ReportParts report;
};

// Depends on the seed and the plan only. The anatomy follows the patient, all else the scan.
DemoCase make_case(std::uint64_t seed, const DemoCasePlan& plan, const Extent& extent);

}  // namespace fiducial
