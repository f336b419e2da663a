#include "completion_words.h"

#include <algorithm>

#include "usage_error.h"

namespace fiducial::cli {

namespace {

using Words = std::vector<CompletionWord>;

const OptionFacts* find_option(const std::vector<OptionFacts>& options, const std::string& name) {
  const auto found = std::find_if(options.begin(), options.end(), [&name](const OptionFacts& option) {
    return std::find(option.names.begin(), option.names.end(), name) != option.names.end();
  });
  return found == options.end() ? nullptr : &*found;
}

// In a list "dice,su" the last word is completed, and what stands before it is kept.
Words values_after(const OptionFacts& option, const std::string& before, const std::string& typed) {
  const std::size_t comma = typed.rfind(',');
  const std::size_t begin = comma == std::string::npos ? 0 : comma + 1;
  Words out;
  for (const std::string& value : option.values) {
    if (value.starts_with(typed.substr(begin))) out.push_back({before + typed.substr(0, begin) + value, ""});
  }
  return out;
}

Words option_names(const std::vector<OptionFacts>& options, const std::string& typed) {
  Words out;
  for (const OptionFacts& option : options) {
    if (option.is_argument) continue;
    for (const std::string& name : option.names) {
      if (name.starts_with("--") && name.starts_with(typed)) out.push_back({name, option.help});
    }
  }
  return out;
}

Words verb_names(Verb above, const std::string& typed) {
  Words out;
  for (const Verb& verb : above.subcommands()) {
    if (verb.name().starts_with(typed)) out.push_back({verb.name(), verb.summary()});
  }
  return out;
}

// Values of the first argument that has some: "completion SHELL".
Words argument_values(const std::vector<OptionFacts>& options, const std::string& typed) {
  for (const OptionFacts& option : options) {
    if (option.is_argument && !option.values.empty()) return values_after(option, "", typed);
  }
  return {};
}

}  // namespace

Words completion_words(Verb root, const std::vector<std::string>& typed) {
  if (typed.empty()) return verb_names(root, "");
  std::vector<std::string> before(typed.begin(), typed.end() - 1);
  const std::string& current = typed.back();
  if (!before.empty() && before.front() == "help")
    return verb_names(typed_verb(root, {before.begin() + 1, before.end()}).verb, current);
  const Verb verb = typed_verb(root, before).verb;
  const std::vector<OptionFacts> options = verb.options();
  const std::size_t equals = current.find('=');
  if (current.starts_with("--") && equals != std::string::npos) {
    const OptionFacts* option = find_option(options, current.substr(0, equals));
    return option == nullptr
               ? Words{}
               : values_after(*option, current.substr(0, equals + 1), current.substr(equals + 1));
  }
  const OptionFacts* option = before.empty() ? nullptr : find_option(options, before.back());
  if (option != nullptr && option->takes_value) return values_after(*option, "", current);
  if (current.starts_with('-')) return option_names(options, current);
  return verb.subcommands().empty() ? argument_values(options, current) : verb_names(verb, current);
}

}  // namespace fiducial::cli
