#pragma once

#include <string>
#include <vector>

#include "fiducial/base/json.h"

namespace fiducial {

// What a page about the tasks of a benchmark is made of: tables, masks, or grounded reports. Nothing in it
// depends on time, machine or where folders lie.
struct TaskPageInput {
  Json summary;                      // docs/formats/summary.md
  std::vector<std::string> command;  // what makes the same scores again, word by word
  bool is_private = false;           // nothing about single cases
};

// The page report.html: one file that needs nothing else.
std::string task_page(const TaskPageInput& input);

}  // namespace fiducial
