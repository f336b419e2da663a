#pragma once

#include <set>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/cases/grounded_case.h"
#include "fiducial/datasets/lint_report.h"

namespace fiducial::rexgroundingct {

// An entry that scoring would accept.
struct LintedEntry {
  std::string pointer;  // its place in the dataset file
  GroundedCase entry;
};

struct LintedSplit {
  std::string name;
  std::vector<LintedEntry> entries;  // the sound ones, each name once
  std::set<std::string> names;       // of broken entries too, where they have one
};

// What could be understood of a dataset file, and what is wrong with it.
struct LintedDocument {
  std::vector<LintedSplit> splits;
  LintProblems problems;

  const LintedSplit* find_split(std::string_view name) const;
};

// Checks everything the dataset file says by itself. file is its name in problems. Unlike
// parse_dataset_file it goes on after an error, so that all of them are told at once.
LintedDocument lint_document(std::string_view text, const std::string& file);

}  // namespace fiducial::rexgroundingct
