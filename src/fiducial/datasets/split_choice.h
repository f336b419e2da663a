#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/result.h"

namespace fiducial {

// The splits of a dataset, and which of them is meant where none is named.
struct SplitChoice {
  enum class Otherwise { refused, the_only_one, the_first };  // where none of the usual ones is there

  std::string place;  // for messages: the file or the folder that has them
  std::vector<std::string> names;
  std::vector<std::string> usual;  // the first that is there
  Otherwise otherwise = Otherwise::refused;
};

// The wanted split, or the one that is meant; an error lists what there is.
Result<std::string> chosen_split(const SplitChoice& choice, const std::optional<std::string>& wanted);

}  // namespace fiducial
