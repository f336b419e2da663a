#include "fiducial/eval/private_outputs.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/eval/aggregate.h"

namespace fiducial {

namespace {

// Cases behind a group, at least: a finding-wise value is of no more cases than findings.
std::int64_t cases_behind(const Json& slots) {
  for (const char* slot : {"accuracy", "dice_per_case", "dice_per_finding", "hit_rate"}) {
    if (const Json* value = slots.find(slot))
      return integer_at(*value, "n") + integer_at(*value, "n_undefined");
  }
  return 0;
}

// The published scorer stops at a certain case; which one is not told.
Json unnamed_reasons(const Json& slots) {
  Json out = slots;
  for (const auto& [slot, value] : *slots.as_object()) {
    const Json* reason = value.find("reason");
    if (reason == nullptr || !reason->as_string()->starts_with(official_stops_at)) continue;
    Json told = value;
    out.set(slot, told.set("reason", std::string(official_stops_at) + "a prediction it cannot read"));
  }
  return out;
}

// The size below which groups of one kind are left out. What is left out could be worked out from the whole
// and the other groups, so it must hold enough cases together too: else the next larger groups go with it.
std::int64_t least_told(const Json::Object& groups) {
  std::vector<std::int64_t> sizes;
  for (const auto& [label, slots] : groups) sizes.push_back(cases_behind(slots));
  std::sort(sizes.begin(), sizes.end());
  std::int64_t least = least_private_cases, left_out = 0;
  for (const std::int64_t size : sizes) {
    if (size >= least_private_cases && (left_out == 0 || left_out >= least_private_cases)) break;
    left_out += size;
    least = std::max(least, size + 1);
  }
  return least;
}

Json large_groups(const Json& kinds) {
  Json out = Json::object({});
  for (const auto& [kind, groups] : *kinds.as_object()) {
    const std::int64_t least = least_told(*groups.as_object());
    Json kept = Json::object({});
    for (const auto& [label, slots] : *groups.as_object()) {
      if (cases_behind(slots) >= least) kept.set(label, unnamed_reasons(slots));
    }
    out.set(kind, std::move(kept));
  }
  return out;
}

Json counted_remarks(const Json& remarks) {
  std::vector<std::pair<std::string, std::int64_t>> counts;
  for (const Json& remark : *remarks.as_array()) {
    const std::string& code = *remark.find("code")->as_string();
    const auto known =
        std::find_if(counts.begin(), counts.end(), [&](const auto& one) { return one.first == code; });
    if (known == counts.end()) {
      counts.emplace_back(code, 1);
    } else {
      ++known->second;
    }
  }
  Json out = Json(Json::Array{});
  for (const auto& [code, count] : counts) {
    out.push(Json::object({{"case", withheld}, {"code", code}, {"text", decimal(count) + " in all"}}));
  }
  return out;
}

Json unnamed_orientation(const Json& verdict) {
  if (verdict.is_null()) return verdict;
  Json out = verdict;
  return out.set("cases", Json::Array(verdict.find("cases")->as_array()->size(), Json(withheld)));
}

}  // namespace

Json private_summary(const Json& summary) {
  Json out = summary;
  for (const char* slots : {"metrics", "official"}) {
    if (const Json* values = summary.find(slots)) out.set(slots, unnamed_reasons(*values));
  }
  for (const char* groups : {"groups", "official_groups"}) {
    if (const Json* kinds = summary.find(groups)) out.set(groups, large_groups(*kinds));
  }
  if (const Json* verdict = summary.find("orientation"))
    out.set("orientation", unnamed_orientation(*verdict));
  if (const Json* remarks = summary.find("remarks")) out.set("remarks", counted_remarks(*remarks));
  return out;
}

Json private_plan(const Json& plan) {
  Json out = plan;
  return out.set("files", Json::Array{});
}

}  // namespace fiducial
