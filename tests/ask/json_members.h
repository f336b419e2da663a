#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fiducial/base/json.h"

namespace fiducial::ask_test {

// Members of an object that are there and of their kind, or nothing.
inline std::optional<std::string> text_at(const Json& json, std::string_view name) {
  const Json* found = json.find(name);
  if (found == nullptr || found->as_string() == nullptr) return std::nullopt;
  return *found->as_string();
}

inline std::optional<std::int64_t> number_at(const Json& json, std::string_view name) {
  const Json* found = json.find(name);
  if (found == nullptr || found->as_integer() == nullptr) return std::nullopt;
  return *found->as_integer();
}

inline std::optional<bool> switch_at(const Json& json, std::string_view name) {
  const Json* found = json.find(name);
  if (found == nullptr || found->as_bool() == nullptr) return std::nullopt;
  return *found->as_bool();
}

}  // namespace fiducial::ask_test
