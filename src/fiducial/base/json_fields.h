#pragma once

#include <string>

#include "fiducial/base/json.h"

namespace fiducial {

// Reads typed fields out of a parsed document. pointer names the place of the value (RFC 6901), so that a
// wrong type or a missing key says where it is, what was expected and what was found.
Result<const Json*> required_field(const Json& object, const std::string& key, const std::string& pointer);
Result<const Json::Object*> expect_object(const Json& value, const std::string& pointer);
Result<const Json::Array*> expect_array(const Json& value, const std::string& pointer);
Result<std::string> expect_string(const Json& value, const std::string& pointer);
Result<std::int64_t> expect_integer(const Json& value, const std::string& pointer);

// An error at a place inside a document.
Error at_pointer(const std::string& pointer, std::string message);

}  // namespace fiducial
