#include "option_arguments.h"

#include "fiducial/base/plain_text.h"

namespace fiducial::cli {

std::string option_help(const TaskOption& option) {
  std::string out = option.help;
  for (std::size_t i = 0; i < option.choices.size(); ++i) out += (i == 0 ? ": " : ", ") + option.choices[i];
  return option.fallback.empty() ? out : out + " (default: " + option.fallback + ")";
}

void OptionArguments::add(const std::vector<TaskOption>& options, const std::string& of) {
  for (const TaskOption& option : options) {
    const auto [found, is_new] = arguments_.try_emplace(option.name);
    if (is_new) {
      found->second.option = option;
      order_.push_back(option.name);
    }
    found->second.of.push_back(of);
  }
}

void OptionArguments::declare(Verb verb) {
  for (const std::string& name : order_) {
    Argument& argument = arguments_.at(name);
    const std::string help = option_help(argument.option);
    const std::string heading = "Of " + joined(argument.of);
    if (argument.option.kind == TaskOption::Kind::flag) {
      verb.add_flag("--" + name, argument.is_set, help)->heading(heading);
    } else if (argument.option.kind == TaskOption::Kind::texts) {
      verb.add_option("--" + name, argument.several, help)->heading(heading);
    } else {
      verb.add_option("--" + name, argument.single, help)->suggests(argument.option.choices).heading(heading);
    }
  }
}

OptionValues OptionArguments::values() const {
  OptionValues out;
  for (const auto& [name, argument] : arguments_) {
    std::vector<std::string> values = argument.several;
    if (!argument.single.empty()) values = {argument.single};
    if (argument.is_set) values = {"true"};
    if (!values.empty()) out.emplace(name, std::move(values));
  }
  return out;
}

}  // namespace fiducial::cli
