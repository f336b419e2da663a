#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/json.h"

namespace fiducial {

// Reads typed fields out of a parsed document. pointer names the place of the value (RFC 6901), so that a
// wrong type or a missing key says where it is, what was expected and what was found.
Result<const Json*> required_field(const Json& object, const std::string& key, const std::string& pointer);
Result<const Json::Object*> expect_object(const Json& value, const std::string& pointer);
Result<const Json::Array*> expect_array(const Json& value, const std::string& pointer);
Result<std::string> expect_string(const Json& value, const std::string& pointer);
Result<std::int64_t> expect_integer(const Json& value, const std::string& pointer);

// The same, of a member that must be there.
Result<std::string> required_string(const Json& object, const std::string& key, const std::string& pointer);
Result<std::int64_t> required_integer(const Json& object, const std::string& key, const std::string& pointer);

// What an object holds under a key, for readers to whom a missing member and one of another kind are the
// same: nothing.
const std::string* find_string(const Json& object, std::string_view key);
const Json::Array* find_array(const Json& object, std::string_view key);
const Json::Object* find_object(const Json& object, std::string_view key);
std::string text_at(const Json& object, std::string_view key);      // else ""
std::int64_t integer_at(const Json& object, std::string_view key);  // else 0
std::optional<double> number_at(const Json& object, std::string_view key);
std::optional<bool> flag_at(const Json& object, std::string_view key);
// The texts of a list; what is no text is passed over.
std::vector<std::string> strings_of(const Json& list);
std::vector<std::string> strings_at(const Json& object, std::string_view key);

// An error at a place inside a document.
Error at_pointer(const std::string& pointer, std::string message);

}  // namespace fiducial
