#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/file.h"

namespace fiducial {

// A command to run and what it may use.
struct ChildCommand {
  std::vector<std::string> words;  // the program, found by PATH, and its arguments
  Path folder;                     // where it runs
  int timeout_s = 600;
};

// How a child process ended.
struct ChildEnd {
  int status = 0;          // exit status; 128 + signal where one ended it
  bool timed_out = false;  // killed, with all its own children, when its time was over
  std::string tail;        // the last of what it printed to both streams
};

// Runs a command to its end. An error means that it could not be started.
Result<ChildEnd> run_child(const ChildCommand& command);

}  // namespace fiducial
