#include <algorithm>
#include <array>
#include <map>

#include "fiducial/eval/folder/comparison.h"

namespace fiducial {

namespace {

// What a plan says that decides no number: two folders may differ in it.
constexpr std::array harmless_keys{"schema",   "tool",        "tool_version",  "mode",
                                   "system",   "seed",        "options",       "resamples",
                                   "metrics",  "files",       "dataset",       "conformance",
                                   "group_by", "task",        "metadata",      "predictions",
                                   "inputs",   "group_kinds", "asked_metrics", "prediction_files",
                                   "rules",    "given_paths"};

// How masks beside tables were scored matters where both folders have some.
bool is_one_sided(std::string_view key, const Json* other) { return key == "mask_rules" && other == nullptr; }

bool is_harmless(std::string_view key, Scorer scorer) {
  const std::string_view other_rules =
      to_string(scorer == Scorer::strict ? Scorer::official : Scorer::strict);
  return key == other_rules ||
         std::find(harmless_keys.begin(), harmless_keys.end(), key) != harmless_keys.end();
}

// What decides numbers stands among the rules; in plans of the first version beside the rest.
Json decisive_part(const Json& plan) {
  Json out = plan;
  const Json* rules = plan.find("rules");
  if (rules == nullptr || rules->as_object() == nullptr) return out;
  for (const auto& [key, value] : *rules->as_object()) out.set(key, value);
  return out;
}

std::string text_of(const Json* value) {
  if (value == nullptr) return "nothing";
  return value->as_string() != nullptr ? *value->as_string() : value->compact();
}

std::string difference_text(const std::string& what, const Json* first, const Json* other) {
  return what + " is " + text_of(other) + ", not " + text_of(first);
}

bool same(const Json* a, const Json* b) {
  return (a == nullptr && b == nullptr) || (a != nullptr && b != nullptr && a->compact() == b->compact());
}

// Metrics of one scorer as "id version 1".
std::vector<std::string> metrics_of(const Json& plan, Scorer scorer) {
  std::vector<std::string> out;
  const Json* metrics = plan.find("metrics");
  if (metrics == nullptr || metrics->as_array() == nullptr) return out;
  for (const Json& metric : *metrics->as_array()) {
    if (text_of(metric.find("scorer")) != to_string(scorer)) continue;
    out.push_back(text_of(metric.find("id")) + " version " + text_of(metric.find("version")));
  }
  return out;
}

// Answers to questions are compared in what both folders have; an id says all but its version.
std::string version_difference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const auto id_of = [](const std::string& metric) { return metric.substr(0, metric.find(' ')); };
  for (const std::string& metric : a) {
    const auto found = std::find_if(b.begin(), b.end(),
                                    [&](const std::string& each) { return id_of(each) == id_of(metric); });
    if (found != b.end() && *found != metric) return *found + ", not " + metric;
  }
  return {};
}

std::string metric_difference(const Json& first, const Json& other, Scorer scorer) {
  const std::vector<std::string> a = metrics_of(first, scorer);
  const std::vector<std::string> b = metrics_of(other, scorer);
  if (first.find("predictions") != nullptr) return version_difference(a, b);
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (i < a.size() && i < b.size() && a[i] == b[i]) continue;
    return std::string(to_string(scorer)) + " metric " + (i < b.size() ? b[i] : "(none)") + ", not " +
           (i < a.size() ? a[i] : "(none)");
  }
  return {};
}

// Hashes of the masks beside tables, of cases that both folders have masks of: a system may hand in none. Of
// grounded reports only those organs were read that a system's sentences name.
std::string table_mask_difference(const Json& first, const Json& other) {
  const Json* a = first.find("files");
  const Json* b = other.find("files");
  const std::string task = text_of(first.find("task"));
  if (task.starts_with("grounded") || a == nullptr || b == nullptr) return {};
  std::map<std::string, const Json*> known;
  for (const Json& one : *a->as_array())
    known.emplace(text_of(one.find("case")), one.find("reference_sha256"));
  for (const Json& two : *b->as_array()) {
    const auto found = known.find(text_of(two.find("case")));
    if (found != known.end() && !same(found->second, two.find("reference_sha256")))
      return "other reference masks of " + found->first;
  }
  return {};
}

// Cases and the hashes of their reference masks.
std::string reference_difference(const Json& first, const Json& other) {
  if (first.find("dataset_files") != nullptr) return table_mask_difference(first, other);
  const Json* a = first.find("files");
  const Json* b = other.find("files");
  if (a == nullptr || b == nullptr || a->as_array() == nullptr || b->as_array() == nullptr) return {};
  if (a->as_array()->size() != b->as_array()->size()) return "another number of cases";
  for (std::size_t i = 0; i < a->as_array()->size(); ++i) {
    const Json& one = (*a->as_array())[i];
    const Json& two = (*b->as_array())[i];
    if (!same(one.find("case"), two.find("case"))) {
      return difference_text("case", one.find("case"), two.find("case"));
    }
    if (!same(one.find("reference_sha256"), two.find("reference_sha256"))) {
      return "another reference mask of " + text_of(one.find("case"));
    }
  }
  return {};
}

std::string rule_difference(const Json& first_plan, const Json& other_plan, Scorer scorer) {
  const Json first = decisive_part(first_plan);
  const Json other = decisive_part(other_plan);
  for (const auto& [key, value] : *first.as_object()) {
    if (is_harmless(key, scorer) || is_one_sided(key, other.find(key)) || same(&value, other.find(key)))
      continue;
    return difference_text(key, &value, other.find(key));
  }
  for (const auto& [key, value] : *other.as_object()) {
    if (is_harmless(key, scorer) || first.find(key) != nullptr || is_one_sided(key, first.find(key)))
      continue;
    return difference_text(key, nullptr, &value);
  }
  return {};
}

const Json* dataset_hash(const Json& plan) {
  const Json* dataset = plan.find("dataset");
  return dataset == nullptr ? nullptr : dataset->find("sha256");
}

std::string first_difference(const ScoreFolder& first, const ScoreFolder& other, Scorer scorer) {
  for (const char* key : {"benchmark", "task"}) {
    const Json* one = first.plan.find(key);
    const Json* two = other.plan.find(key);
    if (one != nullptr && two != nullptr && !same(one, two)) return difference_text(key, one, two);
  }
  const Json* hash = dataset_hash(first.plan);
  if (!same(hash, dataset_hash(other.plan))) {
    return difference_text("dataset hash", hash, dataset_hash(other.plan));
  }
  for (const auto& found :
       {rule_difference(first.plan, other.plan, scorer), metric_difference(first.plan, other.plan, scorer),
        reference_difference(first.plan, other.plan)}) {
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace

Outcome check_comparable(const std::vector<ScoreFolder>& folders, Scorer scorer) {
  std::string found;
  for (const ScoreFolder& folder : folders) {
    std::string difference;
    if (folder.slots(scorer) == nullptr) {
      difference = "has no " + std::string(to_string(scorer)) + " scores";
    } else {
      difference = first_difference(folders.front(), folder, scorer);
    }
    if (!difference.empty()) found += (found.empty() ? "" : "; ") + folder.path.string() + ": " + difference;
  }
  if (found.empty()) return done();
  return invalid_data("cannot be compared with " + folders.front().path.string() + ": " + found);
}

}  // namespace fiducial
