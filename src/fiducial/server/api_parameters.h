#pragma once

#include <span>
#include <string_view>

#include "fiducial/base/result.h"

namespace fiducial {

// A parameter that routes take in their path or query: one line in api_parameters.def.
struct ApiParameter {
  std::string_view name;
  std::string_view type;   // of JSON Schema
  std::string_view limit;  // further words of its schema, "\"minimum\":0"; may be empty
  std::string_view description;
};

std::span<const ApiParameter> all_api_parameters();
const ApiParameter* find_api_parameter(std::string_view name);

// Whether a value is what the parameter takes; the error names both.
Outcome check_parameter(std::string_view name, std::string_view value);

}  // namespace fiducial
