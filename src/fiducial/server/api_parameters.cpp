#include "fiducial/server/api_parameters.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fiducial/base/json.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/suggestion.h"

namespace fiducial {

namespace {

constexpr auto parameters = std::to_array<ApiParameter>({
#define API_PARAMETER(name, type, limit, description) {#name, type, limit, description},
#include "fiducial/server/api_parameters.def"
#undef API_PARAMETER
});

Json limits_of(const ApiParameter& parameter) {
  return parse_json("{" + std::string(parameter.limit) + "}").value();
}

Outcome check_number(const ApiParameter& parameter, std::string_view value) {
  const auto number = parse_double(value);
  const bool is_whole = parameter.type == "integer";
  const auto refuse = [&](const std::string& expected) {
    return bad_usage("parameter \"" + std::string(parameter.name) + "\" is \"" + std::string(value) +
                     "\"; expected " + expected);
  };
  if (!number || !std::isfinite(*number) || (is_whole && !parse_integer(value)))
    return refuse(is_whole ? "a whole number" : "a number");
  const Json limits = limits_of(parameter);
  const auto least = number_at(limits, "minimum");
  const auto most = number_at(limits, "maximum");
  const auto above = number_at(limits, "exclusiveMinimum");
  if (least && *number < *least) return refuse("at least " + shortest(*least));
  if (most && *number > *most) return refuse("at most " + shortest(*most));
  if (above && *number <= *above) return refuse("more than " + shortest(*above));
  return done();
}

}  // namespace

std::span<const ApiParameter> all_api_parameters() { return parameters; }

const ApiParameter* find_api_parameter(std::string_view name) {
  const auto* const found = std::ranges::find(parameters, name, &ApiParameter::name);
  return found == parameters.end() ? nullptr : found;
}

Outcome check_parameter(std::string_view name, std::string_view value) {
  const ApiParameter* parameter = find_api_parameter(name);
  FIDUCIAL_ASSERT(parameter != nullptr);
  if (parameter->type != "string") return check_number(*parameter, value);
  const std::vector<std::string> choices = strings_at(limits_of(*parameter), "enum");
  if (choices.empty() || std::ranges::find(choices, value) != choices.end()) return done();
  return no_such_name(name, value, choices);
}

}  // namespace fiducial
