#include "fiducial/tasks/finding_masks/conformance_differences.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

// Sums in another order may change the last bits of these.
bool is_mean(std::string_view key) {
  for (const std::string_view start : {"mean", "overall", "hit_rate", "instance_"}) {
    if (key.starts_with(start)) return true;
  }
  return false;
}

bool is_close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

// What decides the order of a list whose own order says nothing.
using SortKey = std::pair<double, double>;

SortKey sort_key(const Json& item) {
  if (const auto number = item.as_number()) return {0, *number};
  const Json* dice = item.find("dice");
  const Json* id = item.find("gt_id");
  return {dice == nullptr ? 0 : -dice->as_number().value_or(0),
          id == nullptr ? 0 : id->as_number().value_or(0)};
}

Json::Array in_order(const Json::Array& items, std::string_view key) {
  Json::Array out = items;
  if (key != "matched_instances" && key != "unmatched_gt" && key != "unmatched_pred") return out;
  std::stable_sort(out.begin(), out.end(),
                   [](const Json& a, const Json& b) { return sort_key(a) < sort_key(b); });
  return out;
}

class Comparer {
 public:
  explicit Comparer(ScorerComparison& out) : out_(out) {}

  void compare(const Json& ours, const Json& theirs, const std::string& place, std::string_view key) {
    if (ours.as_object() != nullptr && theirs.as_object() != nullptr) {
      compare_objects(ours, theirs, place);
    } else if (ours.as_array() != nullptr && theirs.as_array() != nullptr) {
      compare_lists(*ours.as_array(), *theirs.as_array(), place, key);
    } else {
      compare_values(ours, theirs, place, key);
    }
  }

  void add(const std::string& place, const Json* ours, const Json* theirs) {
    out_.differences.push_back(
        {place, ours == nullptr ? "" : ours->compact(), theirs == nullptr ? "" : theirs->compact()});
  }

 private:
  void compare_objects(const Json& ours, const Json& theirs, const std::string& place) {
    for (const auto& [key, value] : *theirs.as_object()) {
      const Json* mine = ours.find(key);
      if (mine == nullptr) {
        add(place + "/" + key, nullptr, &value);
      } else {
        compare(*mine, value, place + "/" + key, key);
      }
    }
    for (const auto& [key, value] : *ours.as_object()) {
      if (theirs.find(key) == nullptr) add(place + "/" + key, &value, nullptr);
    }
  }

  void compare_lists(const Json::Array& ours, const Json::Array& theirs, const std::string& place,
                     std::string_view key) {
    const Json::Array a = in_order(ours, key);
    const Json::Array b = in_order(theirs, key);
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      const std::string item = place + "/" + decimal(i);
      if (i < a.size() && i < b.size()) {
        compare(a[i], b[i], item, "");
      } else {
        add(item, i < a.size() ? &a[i] : nullptr, i < b.size() ? &b[i] : nullptr);
      }
    }
  }

  void compare_values(const Json& ours, const Json& theirs, const std::string& place, std::string_view key) {
    ++out_.values;
    const auto a = ours.as_number();
    const auto b = theirs.as_number();
    if (a && b) {
      if (*a == *b || (is_mean(key) && is_close(*a, *b))) return;
    } else if (ours.compact() == theirs.compact()) {
      return;
    }
    add(place, &ours, &theirs);
  }

  ScorerComparison& out_;
};

using CasesByName = std::map<std::string, const Json*>;

Result<CasesByName> cases_of(const Json& file) {
  CasesByName out;
  FIDUCIAL_TRY(const Json* summary, required_field(file, "summary", ""));
  FIDUCIAL_TRY_DONE(expect_object(*summary, "/summary"));
  FIDUCIAL_TRY(const Json* list, required_field(file, "cases", ""));
  FIDUCIAL_TRY(const Json::Array* cases, expect_array(*list, "/cases"));
  for (std::size_t i = 0; i < cases->size(); ++i) {
    const std::string pointer = "/cases/" + decimal(i);
    FIDUCIAL_TRY_DONE(expect_object((*cases)[i], pointer));
    FIDUCIAL_TRY(const Json* name, required_field((*cases)[i], "file", pointer));
    FIDUCIAL_TRY(std::string file_name, expect_string(*name, pointer + "/file"));
    if (!out.emplace(file_name, &(*cases)[i]).second) return at_pointer(pointer, file_name + " occurs twice");
  }
  return out;
}

}  // namespace

std::string ScorerDifference::text() const {
  const auto shown = [](const std::string& value) { return value.empty() ? std::string("nothing") : value; };
  return place + ": ours " + shown(ours) + ", theirs " + shown(theirs);
}

Result<ScorerComparison> compare_scorer_files(const Json& ours, const Json& theirs) {
  FIDUCIAL_TRY_DONE(expect_object(theirs, ""));
  FIDUCIAL_TRY(const CasesByName our_cases, cases_of(ours));
  FIDUCIAL_TRY(const CasesByName their_cases, cases_of(theirs));
  ScorerComparison out;
  out.cases = static_cast<std::int64_t>(their_cases.size());
  Comparer comparer(out);
  comparer.compare(*ours.find("summary"), *theirs.find("summary"), "/summary", "summary");
  for (const auto& [name, entry] : their_cases) {
    const auto found = our_cases.find(name);
    if (found == our_cases.end()) {
      comparer.add("/cases/" + name, nullptr, entry);
    } else {
      comparer.compare(*found->second, *entry, "/cases/" + name, "");
    }
  }
  for (const auto& [name, entry] : our_cases) {
    if (!their_cases.contains(name)) comparer.add("/cases/" + name, entry, nullptr);
  }
  return out;
}

}  // namespace fiducial
