#pragma once

#include <cstdint>
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
  std::string input;  // what it finds on its standard input
  // Its standard output is an answer to be kept apart; else that goes to the tail like its words.
  bool keeps_output = false;
  std::uint64_t max_output_bytes = std::uint64_t{1} << 30;
};

// How a child process ended.
struct ChildEnd {
  int status = 0;                // exit status; 128 + signal where one ended it
  bool timed_out = false;        // killed, with all its own children, when its time was over
  bool too_much_output = false;  // killed in the same way for what it wrote
  std::string tail;              // the last of what it printed to both streams, or to standard error
  std::string output;            // what it answered, where that is kept
};

// Runs a command to its end. It dies with this process. An error means that it could not be started.
Result<ChildEnd> run_child(const ChildCommand& command);

}  // namespace fiducial
