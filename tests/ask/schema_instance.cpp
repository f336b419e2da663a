#include "schema_instance.h"

#include <algorithm>

#include "fiducial/base/number_text.h"

namespace fiducial::ask_test {

namespace {

std::int64_t integer_at(const Json& schema, std::string_view name, std::int64_t otherwise) {
  const Json* found = schema.find(name);
  return found != nullptr && found->as_integer() != nullptr ? *found->as_integer() : otherwise;
}

// The type, or the first of several.
std::string_view type_of(const Json& schema) {
  const Json* type = schema.find("type");
  if (type != nullptr && type->as_array() != nullptr && !type->as_array()->empty())
    type = &type->as_array()->front();
  return type != nullptr && type->as_string() != nullptr ? std::string_view(*type->as_string()) : "object";
}

Json object_instance(const Json& schema, std::uint64_t choice) {
  Json out = Json::Object{};
  const Json* properties = schema.find("properties");
  if (properties == nullptr || properties->as_object() == nullptr) return out;
  for (const auto& [name, property] : *properties->as_object())
    out.set(name, schema_instance(property, choice++));
  return out;
}

Json text_instance(const Json& schema, std::uint64_t choice) {
  std::string text = "seen " + decimal(choice % 1000);
  const auto least = static_cast<std::size_t>(integer_at(schema, "minLength", 0));
  while (text.size() < least) text += " and seen";
  return text;
}

}  // namespace

Json schema_instance(const Json& schema, std::uint64_t choice) {
  if (const Json* fixed = schema.find("const")) return *fixed;
  for (const std::string_view name : {"enum", "anyOf", "oneOf"}) {
    const Json* choices = schema.find(name);
    if (choices == nullptr || choices->as_array() == nullptr || choices->as_array()->empty()) continue;
    const Json& chosen = choices->as_array()->at(choice % choices->as_array()->size());
    return name == "enum" ? chosen : schema_instance(chosen, choice);
  }
  const std::string_view type = type_of(schema);
  if (type == "string" || type == "STRING") return text_instance(schema, choice);
  if (type == "boolean" || type == "BOOLEAN") return choice % 2 == 0;
  if (type == "integer" || type == "number" || type == "INTEGER" || type == "NUMBER") {
    const std::int64_t least = integer_at(schema, "minimum", 0);
    const std::int64_t most = integer_at(schema, "maximum", least + 2);
    return least + static_cast<std::int64_t>(choice % static_cast<std::uint64_t>(most - least + 1));
  }
  if (type == "array" || type == "ARRAY") {
    Json out = Json::Array{};
    const Json* items = schema.find("items");
    const std::int64_t count = std::max<std::int64_t>(integer_at(schema, "minItems", 1), 1);
    for (std::int64_t i = 0; i < count && items != nullptr; ++i) {
      out.push(schema_instance(*items, choice + static_cast<std::uint64_t>(i)));
    }
    return out;
  }
  if (type == "null") return {};
  return object_instance(schema, choice);
}

}  // namespace fiducial::ask_test
