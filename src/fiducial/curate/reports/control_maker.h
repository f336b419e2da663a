#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "fiducial/base/random.h"
#include "fiducial/cases/grounded_case.h"
#include "fiducial/curate/reports/changed_findings.h"
#include "fiducial/curate/reports/report_denials.h"
#include "fiducial/datasets/controls/control_prompts.h"

namespace fiducial {

// How many prompts of a kind a case gets at most.
struct ControlCounts {
  std::int64_t paraphrases = 0;  // of a finding
  std::int64_t denied = 0;       // of a case
  std::int64_t others = 0;
  std::int64_t silent = 0;
};

// A finding of the split, as prompts for other patients are taken from it.
struct OfferedFinding {
  std::string case_name;
  std::string patient;
  std::int64_t index = 0;
  std::string text;
  std::string name;  // what it is, where it is one thing
  std::vector<std::string> paths;
};

// The findings of cases that a prompt for another patient may be.
std::vector<OfferedFinding> offered_findings(const std::vector<GroundedCase>& cases);

// Makes the prompts of cases, by rule and seed. Keeps memory; one thread at a time.
class ControlMaker {
 public:
  ControlMaker(const ControlCounts& counts, std::uint64_t seed, std::vector<OfferedFinding> offered)
      : counts_(counts), seed_(seed), offered_(std::move(offered)) {}

  // The prompts of a case in the order they are asked in; `visible` are its findings that have voxels, and
  // `said` what its report says, where it has one.
  std::vector<ControlPrompt> prompts_of(const GroundedCase& entry, const std::vector<const Finding*>& visible,
                                        const ReportStatements* said);

 private:
  // Whether the prompt is a new one: no two prompts of a case have the same words.
  bool add(ControlPrompt prompt);
  // All that the case's report and findings state or leave open.
  std::vector<SpokenFinding> spoken_of(const GroundedCase& entry, const ReportStatements* said);
  void add_paraphrases(std::size_t finding, Random& random);
  // A swap whose words may hold too of the case is no control.
  void add_swaps(std::size_t finding, const std::vector<SpokenFinding>& spoken);
  bool may_hold_too(const std::string& text, const std::vector<SpokenFinding>& spoken);
  void add_denied(const ReportStatements& said, const std::vector<SpokenFinding>& spoken, Random& random);
  // Findings of other patients: those that this report denies where they lie, and, apart, those of which it
  // says nothing.
  void add_others(const GroundedCase& entry, const ReportStatements& said,
                  const std::vector<SpokenFinding>& spoken, Random& random);
  // No prompt's place tells what it is for.
  std::vector<ControlPrompt> shuffled(Random& random);

  ControlCounts counts_;
  std::uint64_t seed_;
  std::vector<OfferedFinding> offered_;
  FindingChanger changer_;
  DenialReader reader_;
  std::vector<ControlPrompt> prompts_;
  std::set<std::string> texts_;
};

}  // namespace fiducial
