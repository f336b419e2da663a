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

Result<std::string> required_string(const Json& object, const std::string& key, const std::string& pointer) {
  FIDUCIAL_TRY(const Json* value, required_field(object, key, pointer));
  return expect_string(*value, pointer + "/" + key);
}

Result<std::int64_t> required_integer(const Json& object, const std::string& key,
                                      const std::string& pointer) {
  FIDUCIAL_TRY(const Json* value, required_field(object, key, pointer));
  return expect_integer(*value, pointer + "/" + key);
}

const std::string* find_string(const Json& object, std::string_view key) {
  const Json* value = object.find(key);
  return value == nullptr ? nullptr : value->as_string();
}

const Json::Array* find_array(const Json& object, std::string_view key) {
  const Json* value = object.find(key);
  return value == nullptr ? nullptr : value->as_array();
}

const Json::Object* find_object(const Json& object, std::string_view key) {
  const Json* value = object.find(key);
  return value == nullptr ? nullptr : value->as_object();
}

std::string text_at(const Json& object, std::string_view key) {
  const std::string* text = find_string(object, key);
  return text == nullptr ? std::string() : *text;
}

std::int64_t integer_at(const Json& object, std::string_view key) {
  const Json* value = object.find(key);
  return value == nullptr || value->as_integer() == nullptr ? 0 : *value->as_integer();
}

std::optional<double> number_at(const Json& object, std::string_view key) {
  const Json* value = object.find(key);
  return value == nullptr ? std::nullopt : value->as_number();
}

std::optional<bool> flag_at(const Json& object, std::string_view key) {
  const Json* value = object.find(key);
  return value == nullptr || value->as_bool() == nullptr ? std::nullopt : std::optional(*value->as_bool());
}

std::vector<std::string> strings_of(const Json& list) {
  std::vector<std::string> out;
  if (list.as_array() == nullptr) return out;
  for (const Json& item : *list.as_array()) {
    if (const std::string* text = item.as_string()) out.push_back(*text);
  }
  return out;
}

std::vector<std::string> strings_at(const Json& object, std::string_view key) {
  const Json* value = object.find(key);
  return value == nullptr ? std::vector<std::string>() : strings_of(*value);
}

}  // namespace fiducial
