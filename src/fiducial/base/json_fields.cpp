#include "fiducial/base/json_fields.h"

namespace fiducial {

namespace {

Error wrong_kind(const std::string& pointer, const std::string& expected, const Json& found) {
  return at_pointer(pointer, "expected " + expected + ", found " + std::string(found.kind()));
}

}  // namespace

Error at_pointer(const std::string& pointer, std::string message) {
  return {ErrorCode::invalid_data, std::move(message), Place{.pointer = pointer.empty() ? "/" : pointer}};
}

Result<const Json*> required_field(const Json& object, const std::string& key, const std::string& pointer) {
  if (object.as_object() == nullptr) return wrong_kind(pointer, "object", object);
  const Json* value = object.find(key);
  if (value == nullptr) return at_pointer(pointer, "key \"" + key + "\" is missing");
  return value;
}

Result<const Json::Object*> expect_object(const Json& value, const std::string& pointer) {
  if (const auto* object = value.as_object()) return object;
  return wrong_kind(pointer, "object", value);
}

Result<const Json::Array*> expect_array(const Json& value, const std::string& pointer) {
  if (const auto* array = value.as_array()) return array;
  return wrong_kind(pointer, "array", value);
}

Result<std::string> expect_string(const Json& value, const std::string& pointer) {
  if (const auto* text = value.as_string()) return *text;
  return wrong_kind(pointer, "string", value);
}

Result<std::int64_t> expect_integer(const Json& value, const std::string& pointer) {
  if (const auto* integer = value.as_integer()) return *integer;
  return wrong_kind(pointer, "integer", value);
}

}  // namespace fiducial
