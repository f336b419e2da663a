#pragma once

#include <map>
#include <string>
#include <vector>

#include "fiducial/tasks/all_tasks.h"

#include "verb.h"

namespace fiducial::cli {

// The options of all tasks as arguments of a verb: each name once, whatever tasks have it.
class TaskArguments {
 public:
  // All options, or only those that name files.
  enum class Which { all, files };

  void declare(Verb verb, Which which);
  // What was typed, by name.
  OptionValues values() const;
  // --help shows the options of one task, under its headings and in its words; without one those of all
  // tasks.
  void show(const Task* task) const;

 private:
  struct Argument {
    TaskOption option;
    std::vector<std::string> tasks;   // ids of those that have it
    std::vector<std::string> values;  // that completion offers
    std::string single;
    std::vector<std::string> several;
    bool is_set = false;
    std::vector<DeclaredOption> declared;  // one
  };

  void add(const TaskOption& option, const Task& task);

  std::vector<std::string> order_;
  std::map<std::string, Argument> arguments_;  // entries never move
};

}  // namespace fiducial::cli
