#pragma once

#include <cstdint>
#include <string_view>

#include "fiducial/base/json.h"

namespace fiducial::ask_test {

// A value that a JSON Schema allows, chosen by a number: equal numbers, equal values. Knows what structured
// output of the vendors knows: types, enum, const, properties, items, anyOf, bounds of numbers and lists.
Json schema_instance(const Json& schema, std::uint64_t choice);

}  // namespace fiducial::ask_test
