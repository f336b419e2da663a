#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/json_fields.h"

namespace fiducial {

// A slot of a summary, read back.
struct ReportedValue {
  std::optional<double> value;
  std::string reason;  // why there is no value, or no interval for want of patients
  std::optional<double> low;
  std::optional<double> high;
  std::int64_t n = 0;
  std::int64_t n_undefined = 0;
  std::int64_t n_failed = 0;
  std::string metric;
  std::int64_t version = 0;
  std::string unit;       // "mm"; empty for plain numbers
  bool is_share = false;  // higher is better, and it lies between 0 and 1 as far as can be seen
  bool lower_is_better = false;
};

// The value at a slot of "metrics", "official" or a group; nothing where there is no such slot. A share of
// cases has its Wilson interval.
std::optional<ReportedValue> reported_value(const Json* slots, std::string_view slot);

// A member of a summary, or nullptr where any step of the way is missing.
const Json* summary_at(const Json& summary, std::initializer_list<std::string_view> way);
std::string summary_text(const Json& summary, std::initializer_list<std::string_view> way);
std::int64_t summary_count(const Json& summary, std::initializer_list<std::string_view> way);
std::optional<double> summary_number(const Json& summary, std::initializer_list<std::string_view> way);

// What a slot is called on a page: by its own title, by that of the metric behind it, or by its own words.
std::string slot_title(std::string_view slot, std::string_view metric = {});

// Slots that have a title of their own.
std::vector<std::string> titled_slots();

// "0.232", "3.13 mm", or "undefined".
std::string value_text(const ReportedValue& value);
// "0.109 – 0.356", "2.75 – 3.50 mm", empty where there is no interval.
std::string interval_text(const ReportedValue& value);

}  // namespace fiducial
