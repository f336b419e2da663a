#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fiducial/base/result.h"

#include "console.h"
#include "verb.h"

namespace fiducial::cli {

// Does the work of a verb once its options are parsed; returns the exit status.
using CommandBody = std::function<Result<int>(Console&)>;

// A verb of the command line: one file in commands/, one line in all_commands.def.
struct Command {
  std::string name;
  std::string summary;
  std::string example;  // shown by --help; must work as it stands with the right files
  // Declares options and arguments on the verb and returns what to do with them.
  std::function<CommandBody(Verb verb)> define;
  bool shows_others = false;  // what other verbs take
  std::string heading = {};   // under which --help lists it, from all_commands.def
};

// Every verb, in the order of all_commands.def.
std::vector<Command> all_commands();

}  // namespace fiducial::cli
