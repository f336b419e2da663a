#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fiducial/base/json.h"

namespace fiducial {

// Builders of the JSON Schemas that replies are held against.
Json text_schema();
// So many characters, from the least to the most.
Json bounded_text_schema(std::int64_t least, std::int64_t most);
Json enum_schema(const std::vector<std::string>& values);
Json list_schema(Json items);
// Every key must be there, and no other may.
Json exact_object_schema(const std::vector<std::pair<std::string, Json>>& members);

// The same, where all members have one form; the keys, not the form, are written once each.
Json keyed_schema(const std::vector<std::string>& keys, Json member);

struct FormProblem {
  std::string code;
  std::string text;  // where it is, and what is wrong there
};

// Holds a reply against a schema: type, enum, minLength, maxLength, required, properties, propertyNames,
// additionalProperties, items and prefixItems. The first thing wrong, or nothing: bad_form, missing_key,
// extra_key, unknown_code for a text that is none of an enum, wrong_flag where the enum is Y and N or 0
// and 1.
std::optional<FormProblem> form_problem(const Json& reply, const Json& schema);

}  // namespace fiducial
