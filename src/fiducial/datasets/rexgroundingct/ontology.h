#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace fiducial::rexgroundingct {

// One annotated category of the benchmark's ontology.
struct Category {
  std::string_view code;
  std::string_view title;
  bool focal = false;
};

// The annotated leaves 1a..1f (typically non-focal) and 2a..2h (typically focal).
std::optional<Category> find_category(std::string_view code);

// Titles of all of them, by code.
std::map<std::string, std::string> category_titles();

// The group name of findings whose code is not one of them.
inline constexpr std::string_view uncategorized = "uncategorized";

// The group a finding's code belongs to: the code itself, or uncategorized.
std::string_view category_group(std::string_view code);

}  // namespace fiducial::rexgroundingct
