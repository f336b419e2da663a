#include "fiducial/datasets/split_choice.h"

#include <algorithm>

#include "fiducial/base/plain_text.h"
#include "fiducial/base/suggestion.h"

namespace fiducial {

Result<std::string> chosen_split(const SplitChoice& choice, const std::optional<std::string>& wanted) {
  const std::vector<std::string>& names = choice.names;
  const auto is_there = [&names](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (wanted) {
    if (is_there(*wanted)) return *wanted;
    return no_such_name("split", *wanted, names, choice.place + ": ");
  }
  const auto usual = std::find_if(choice.usual.begin(), choice.usual.end(), is_there);
  if (usual != choice.usual.end()) return *usual;
  using Otherwise = SplitChoice::Otherwise;
  const bool takes_first = choice.otherwise == Otherwise::the_first ||
                           (choice.otherwise == Otherwise::the_only_one && names.size() == 1);
  if (takes_first && !names.empty()) return names.front();
  return bad_usage(choice.place + ": no split \"" + choice.usual.front() +
                   "\"; choose one with --split: " + joined(names));
}

}  // namespace fiducial
