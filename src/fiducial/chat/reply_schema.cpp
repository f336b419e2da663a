#include "fiducial/chat/reply_schema.h"

#include <algorithm>
#include <unordered_set>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/utf8.h"

namespace fiducial {

namespace {

bool is_of_one_type(const Json& value, std::string_view type) {
  if (type == "object") return value.as_object() != nullptr;
  if (type == "array") return value.as_array() != nullptr;
  if (type == "string") return value.as_string() != nullptr;
  if (type == "boolean") return value.as_bool() != nullptr;
  if (type == "null") return value.is_null();
  if (type == "number") return value.as_number().has_value();
  return type == "integer" && value.as_integer() != nullptr;
}

// type is a name or a list of them; schemas of requests come from files, and may hold anything.
bool is_of_type(const Json& value, const Json& type) {
  if (type.as_string() != nullptr) return is_of_one_type(value, *type.as_string());
  if (type.as_array() == nullptr) return true;
  return std::any_of(type.as_array()->begin(), type.as_array()->end(), [&value](const Json& each) {
    return each.as_string() != nullptr && is_of_one_type(value, *each.as_string());
  });
}

std::string type_words(const Json& type) {
  return type.as_string() != nullptr ? *type.as_string() : "one of " + type.compact();
}

std::string shown(const Json& value) {
  constexpr std::size_t most = 60;
  std::string text = value.compact();
  if (text.size() <= most) return text;
  std::size_t cut = most;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0U) == 0x80U) --cut;
  return text.substr(0, cut) + "...";
}

// Holds values against schemas, and knows where in the reply it is.
class FormChecker {
 public:
  using Found = std::optional<FormProblem>;

  Found check(const Json& value, const Json& schema, const std::string& place) const {
    if (const Json* type = schema.find("type")) {
      if (!is_of_type(value, *type))
        return problem("bad_form", place,
                       "expected " + type_words(*type) + ", found " + std::string(value.kind()));
    }
    const Json* choices = schema.find("enum");
    if (choices != nullptr && choices->as_array() != nullptr) {
      if (!is_choice(value, *choices))
        return problem(is_flag(*choices) ? "wrong_flag" : "unknown_code", place,
                       shown(value) + " is not allowed");
    }
    if (value.as_string() != nullptr) return check_length(*value.as_string(), schema, place);
    if (value.as_object() != nullptr) return check_members(value, schema, place);
    return value.as_array() != nullptr ? check_items(*value.as_array(), schema, place) : Found{};
  }

 private:
  static Found problem(std::string code, const std::string& place, const std::string& what) {
    return FormProblem{std::move(code), (place.empty() ? "reply" : place) + ": " + what};
  }

  static std::string place_of(const std::string& above, const std::string& key) {
    return above.empty() ? key : above + "." + key;
  }

  static Found check_length(const std::string& text, const Json& schema, const std::string& place) {
    const Json* most = schema.find("maxLength");
    if (most == nullptr || most->as_integer() == nullptr) return {};
    const auto length = static_cast<std::int64_t>(code_points(text));
    if (length >= integer_at(schema, "minLength") && length <= *most->as_integer()) return {};
    return problem("bad_form", place,
                   "expected " + decimal(integer_at(schema, "minLength")) + " to " + most->compact() +
                       " characters, found " + decimal(length));
  }

  static bool is_choice(const Json& value, const Json& choices) {
    std::string text = value.compact();
    const Json::Array& all = *choices.as_array();
    return std::any_of(all.begin(), all.end(),
                       [&text](const Json& choice) { return choice.compact() == text; });
  }

  static bool is_flag(const Json& choices) {
    const std::string text = choices.compact();
    return text == R"(["Y","N"])" || text == "[0,1]";
  }

  // Texts of a list; a report of ten megabytes has a key a sentence.
  static std::unordered_set<std::string_view> texts_of(const Json* list) {
    std::unordered_set<std::string_view> out;
    if (list == nullptr || list->as_array() == nullptr) return out;
    for (const Json& text : *list->as_array()) {
      if (text.as_string() != nullptr) out.insert(*text.as_string());
    }
    return out;
  }

  static Found check_required(const Json& value, const Json* required, const std::string& place) {
    std::unordered_set<std::string_view> missing = texts_of(required);
    for (const auto& [key, member] : *value.as_object()) missing.erase(key);
    if (missing.empty()) return {};
    const std::string_view first = *std::min_element(missing.begin(), missing.end());
    return problem("missing_key", place, "\"" + std::string(first) + "\" is missing");
  }

  Found check_members(const Json& value, const Json& schema, const std::string& place) const {
    Found status = check_required(value, schema.find("required"), place);
    if (status) return status;
    const Json* properties = schema.find("properties");
    const Json* others = schema.find("additionalProperties");
    const Json* names = schema.find("propertyNames");
    const bool allows_others = others == nullptr || (others->as_bool() != nullptr && *others->as_bool());
    const std::unordered_set<std::string_view> allowed =
        texts_of(names == nullptr ? nullptr : names->find("enum"));
    for (const auto& [key, member] : *value.as_object()) {
      const Json* known = properties == nullptr ? nullptr : properties->find(key);
      if (known == nullptr && others != nullptr && others->as_object() != nullptr) known = others;
      if ((known == nullptr && !allows_others) || (!allowed.empty() && !allowed.contains(key)))
        return problem("extra_key", place, "there is no \"" + key + "\"");
      if (known == nullptr) continue;
      status = check(member, *known, place_of(place, key));
      if (status) return status;
    }
    return {};
  }

  Found check_items(const Json::Array& items, const Json& schema, const std::string& place) const {
    const Json* prefix = schema.find("prefixItems");
    if (prefix != nullptr && prefix->as_array() == nullptr) prefix = nullptr;
    if (prefix != nullptr && items.size() != prefix->as_array()->size())
      return problem(
          "bad_form", place,
          "expected " + decimal(prefix->as_array()->size()) + " values, found " + decimal(items.size()));
    const Json* each = schema.find("items");
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Json* form = prefix != nullptr ? &(*prefix->as_array())[i] : each;
      if (form == nullptr) continue;
      Found status = check(items[i], *form, place_of(place, decimal(i)));
      if (status) return status;
    }
    return {};
  }
};

}  // namespace

Json text_schema() { return Json::object({{"type", "string"}}); }

Json bounded_text_schema(std::int64_t least, std::int64_t most) {
  return text_schema().set("minLength", least).set("maxLength", most);
}

Json enum_schema(const std::vector<std::string>& values) {
  Json list = Json::strings(values);
  return Json::object({{"enum", std::move(list)}});
}

Json list_schema(Json items) { return Json::object({{"type", "array"}, {"items", std::move(items)}}); }

Json exact_object_schema(const std::vector<std::pair<std::string, Json>>& members) {
  Json names = Json::Array{};
  Json properties = Json::Object{};
  for (const auto& [name, form] : members) {
    names.push(name);
    properties.set(name, form);
  }
  return Json::object({{"type", "object"},
                       {"required", std::move(names)},
                       {"properties", std::move(properties)},
                       {"additionalProperties", false}});
}

Json keyed_schema(const std::vector<std::string>& keys, Json member) {
  Json names = Json::strings(keys);
  return Json::object({{"type", "object"},
                       {"required", names},
                       {"propertyNames", Json::object({{"enum", names}})},
                       {"additionalProperties", std::move(member)}});
}

std::optional<FormProblem> form_problem(const Json& reply, const Json& schema) {
  return FormChecker().check(reply, schema, "");
}

}  // namespace fiducial
