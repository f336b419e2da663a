#include "task_arguments.h"

#include <algorithm>

#include "fiducial/base/plain_text.h"

#include "option_arguments.h"

namespace fiducial::cli {

namespace {

using Kind = TaskOption::Kind;

bool names_files(const TaskOption& option) {
  return option.kind == Kind::path || option.kind == Kind::named_paths;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

}  // namespace

void TaskArguments::add(const TaskOption& option, const Task& task) {
  const auto [found, is_new] = arguments_.try_emplace(option.name);
  Argument& argument = found->second;
  if (is_new) {
    argument.option = option;
    order_.push_back(option.name);
  }
  argument.tasks.push_back(task.id);
  for (const std::string& value : option.name == "metrics" ? task.metrics : option.choices) {
    if (std::find(argument.values.begin(), argument.values.end(), value) == argument.values.end())
      argument.values.push_back(value);
  }
}

void TaskArguments::declare(Verb verb, Which which) {
  for (const Task& task : all_tasks()) {
    for (const TaskOption& option : options_of(task)) {
      if (which == Which::all || names_files(option)) add(option, task);
    }
  }
  for (const std::string& name : order_) {
    Argument& argument = arguments_.at(name);
    const std::string help = option_help(argument.option);
    if (argument.option.kind == Kind::flag) {
      argument.declared.push_back(verb.add_flag("--" + name, argument.is_set, help));
    } else if (argument.option.kind == Kind::named_paths) {
      argument.declared.push_back(verb.add_option("--" + name, argument.several, help));
    } else {
      argument.declared.push_back(verb.add_option("--" + name, argument.single, help));
      argument.declared.front().suggests(argument.values);
    }
  }
  show(nullptr);
}

OptionValues TaskArguments::values() const {
  OptionValues out;
  for (const auto& [name, argument] : arguments_) {
    const Kind kind = argument.option.kind;
    std::vector<std::string> values = argument.several;
    if (kind == Kind::texts || kind == Kind::numbers) {
      values = split_at_commas(argument.single);
    } else if (!argument.single.empty()) {
      values = {argument.single};
    }
    if (argument.is_set) values = {"true"};
    if (!values.empty()) out.emplace(name, std::move(values));
  }
  return out;
}

void TaskArguments::show(const Task* task) const {
  const std::vector<TaskOption> wanted = task == nullptr ? std::vector<TaskOption>() : options_of(*task);
  for (const auto& [name, argument] : arguments_) {
    const auto found =
        std::find_if(wanted.begin(), wanted.end(),
                     [&wanted_name = name](const TaskOption& each) { return each.name == wanted_name; });
    if (task != nullptr && found == wanted.end()) {
      argument.declared.front().heading("");
      continue;
    }
    const TaskOption& option = task == nullptr ? argument.option : *found;
    const bool is_common = argument.tasks.size() == all_tasks().size();
    argument.declared.front().heading(
        task != nullptr || is_common ? option.heading : option.heading + " (" + joined(argument.tasks) + ")");
    argument.declared.front().help(option_help(option));
  }
}

}  // namespace fiducial::cli
