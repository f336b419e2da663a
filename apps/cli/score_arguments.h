#pragma once

#include <string>

#include "fiducial/eval/outputs/write_scores.h"

#include "task_arguments.h"

namespace fiducial::cli {

// What 'fiducial score' and 'fiducial plan score' are asked for.
struct ScoreArguments {
  std::string dataset;
  std::string predictions;
  std::string task;
  TaskArguments arguments;
  std::string max_failures = "0";
  bool no_report = false;
  bool is_private = false;
  int min_group = usual_min_group;  // of a private run

  void declare(Verb verb);
  // --help shows the options of the task that was named, else of the one of the dataset that was.
  void show(Verb verb) const;
  TaskRequest request() const;
};

}  // namespace fiducial::cli
