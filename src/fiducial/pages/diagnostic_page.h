#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/cases/diagnosis_case.h"

namespace fiducial {

// A case that was not answered right, as the page tells of it.
struct LostCase {
  DiagnosisCase entry;
  std::optional<char> answer;  // A to E; none where it is missing or no letter was found
  bool is_missing = false;
  std::string rule;                      // how the letter was found
  std::vector<std::string> false_steps;  // critical steps that a judge calls false
};

// What a page about answers to questions is made of. Nothing in it depends on time, machine or where folders
// lie.
struct DiagnosticPageInput {
  Json summary;                // docs/formats/summary.md
  std::vector<LostCase> lost;  // the first of those to look at; none in a private report
  std::int64_t lost_in_all = 0;
  std::vector<std::string> command;  // what makes the same scores again, word by word
  bool is_private = false;           // nothing about single cases
};

// The page report.html: one file that needs nothing else.
std::string diagnostic_page(const DiagnosticPageInput& input);

}  // namespace fiducial
