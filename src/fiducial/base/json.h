#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "fiducial/base/result.h"

namespace fiducial {

// A JSON value. Objects keep the order of their members, so what we write is the same every time.
class Json {
 public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;

  Json() = default;
  Json(std::nullptr_t) {}                                       // NOLINT: implicit by design
  Json(bool value) : value_(value) {}                           // NOLINT
  Json(int value) : value_(std::int64_t{value}) {}              // NOLINT
  Json(std::int64_t value) : value_(value) {}                   // NOLINT
  Json(std::uint64_t value);                                    // NOLINT
  Json(double value) : value_(value) {}                         // NOLINT
  Json(const char* value) : value_(std::string(value)) {}       // NOLINT
  Json(std::string_view value) : value_(std::string(value)) {}  // NOLINT
  Json(std::string value) : value_(std::move(value)) {}         // NOLINT
  Json(Array value) : value_(std::move(value)) {}               // NOLINT
  Json(Object value) : value_(std::move(value)) {}              // NOLINT
  static Json object(std::initializer_list<Member> members) { return Object(members); }
  static Json array(std::initializer_list<Json> items) { return Array(items); }
  // An array of texts, from any list of them.
  template <std::ranges::input_range Texts>
  static Json strings(const Texts& texts) {
    Array out;
    for (const auto& text : texts) out.emplace_back(std::string_view(text));
    return out;
  }

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  const bool* as_bool() const { return std::get_if<bool>(&value_); }
  // Integers of 2^63 and more are kept and written exactly, but are no as_integer().
  const std::int64_t* as_integer() const { return std::get_if<std::int64_t>(&value_); }
  const std::uint64_t* as_large_integer() const { return std::get_if<std::uint64_t>(&value_); }
  const std::string* as_string() const { return std::get_if<std::string>(&value_); }
  const Array* as_array() const { return std::get_if<Array>(&value_); }
  const Object* as_object() const { return std::get_if<Object>(&value_); }
  std::optional<double> as_number() const;  // integers too
  std::string_view kind() const;            // "object", "string", ... for messages

  // The member of an object, or nullptr.
  const Json* find(std::string_view key) const;

  // Builders: a null value becomes an object or an array.
  Json& set(std::string key, Json value);  // appends or replaces; returns *this
  Json& push(Json value);

  // Compact, or indented by two spaces with a final newline. Numbers are shortest round-trip text.
  std::string compact() const;
  std::string pretty() const;

 private:
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object> value_;
};

// Appends a text as JSON writes it, in quotes: for lines that are written by the million.
void append_json_text(std::string& out, std::string_view text);

// RFC 8259 with UTF-8 checked, nesting limited and duplicate keys refused. Errors name line and byte.
Result<Json> parse_json(std::string_view text);

}  // namespace fiducial
