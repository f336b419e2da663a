#pragma once

#include <string>

#include "fiducial/base/json.h"

namespace fiducial {

// The value of a summary that stands for it in lists: the one its task says tells most, else the first.
struct Headline {
  std::string slot;             // "" where the summary has no values
  const Json* value = nullptr;  // of the summary
};

Headline headline_of(const Json& summary);

}  // namespace fiducial
