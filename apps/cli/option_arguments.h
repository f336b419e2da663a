#pragma once

#include <map>
#include <string>
#include <vector>

#include "fiducial/eval/task/task.h"

#include "verb.h"

namespace fiducial::cli {

// Options that several things declare, as arguments of a verb: each name once, under the names of those that
// take it. Must stay where it is once declared.
class OptionArguments {
 public:
  void add(const std::vector<TaskOption>& options, const std::string& of);
  void declare(Verb verb);
  // What was typed, by name.
  OptionValues values() const;

 private:
  struct Argument {
    TaskOption option;
    std::vector<std::string> of;
    std::string single;
    std::vector<std::string> several;
    bool is_set = false;
  };
  std::vector<std::string> order_;
  std::map<std::string, Argument> arguments_;  // entries never move
};

// The help of an option with its choices and what is taken where it is not given.
std::string option_help(const TaskOption& option);

}  // namespace fiducial::cli
