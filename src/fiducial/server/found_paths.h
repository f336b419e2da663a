#pragma once

#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/datasets/dataset_adapter.h"

namespace fiducial {

// What can be shown of some paths.
struct FoundPaths {
  struct Dataset {
    Path folder;
    const DatasetAdapter* adapter = nullptr;
  };
  // What a stage of curation wrote about studies.
  struct Notes {
    std::string stage;
    Path file;
  };
  struct Problem {
    Path path;
    std::string message;
  };

  std::vector<Dataset> datasets;  // those nearest to what was given first
  std::vector<Path> scores;       // folders that `fiducial score` wrote
  std::vector<Path> asked;        // folders that `fiducial run` wrote
  std::vector<Path> predictions;  // folders and files that scores may have been made from
  std::vector<Path> reports;      // tables of reports
  std::vector<Notes> notes;
  std::vector<Problem> problems;  // what could not be looked at
};

// Looks through folders and all below them. Refuses a path that is not there, and one below which nothing can
// be shown.
Result<FoundPaths> find_paths(const std::vector<Path>& given);

}  // namespace fiducial
