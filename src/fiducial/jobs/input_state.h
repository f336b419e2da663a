#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"

namespace fiducial {

// A file or folder that work reads, and what it is read as.
struct JobInput {
  std::string role;  // "dataset", "volumes"
  Path path;
};

// What is read of a case: files, or folders of them. What is not there counts nothing.
struct CaseInput {
  std::string name;
  std::vector<JobInput> files;
};

// How a case's files look: their names, sizes and times of change, without reading them.
struct CaseState {
  std::uint64_t bytes = 0;
  std::string digest;
  std::vector<std::pair<std::string, std::uint64_t>> by_role;
};
CaseState state_of_case(const CaseInput& entry);

// How inputs look that no single case is read from: every plain file that is named or lies in a folder that
// is, by size and time of change; with its SHA-256 up to 256 MiB. Files of single cases (.nii, .nii.gz) are
// left out.
Result<Json> state_of_inputs(const std::vector<JobInput>& inputs);

// An integrity error that names the first file that is not what it was.
Outcome check_inputs(const Json& planned, const Json& found);

}  // namespace fiducial
