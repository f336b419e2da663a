#include "fiducial/datasets/rexgroundingct/lint_document.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/rexgroundingct/lint_entry.h"
#include "fiducial/datasets/rexgroundingct/lint_rules.h"

namespace fiducial::rexgroundingct {

namespace {

namespace rules = lint_rules;

constexpr std::size_t listed_patients = 10;

// The name a broken entry would have had, so that its prediction does not count as a stranger.
std::string name_of_broken(const Json& entry) { return text_at(entry, "name"); }

LintedSplit lint_split(const Json::Member& member, const std::string& file, LintProblems& out) {
  LintedSplit split{.name = member.first};
  const std::string pointer = "/" + member.first;
  const Json::Array* entries = member.second.as_array();
  if (entries == nullptr) {
    out.add(rules::split_invalid, {file, pointer},
            "expected array, found " + std::string(member.second.kind()));
    return split;
  }
  std::unordered_map<std::string, std::string> first_places;
  for (std::size_t i = 0; i < entries->size(); ++i) {
    const std::string place = pointer + "/" + decimal(i);
    auto [entry, findings] = lint_entry((*entries)[i], {file, place});
    out.append(std::move(findings));
    if (!entry) {
      split.names.insert(name_of_broken((*entries)[i]));
      continue;
    }
    const auto [first, is_new] = first_places.emplace(entry->name, place);
    if (!is_new) {
      out.add(rules::name_duplicate, {file, place},
              "duplicate name \"" + entry->name + "\", first at " + first->second);
      continue;
    }
    split.names.insert(entry->name);
    split.entries.push_back({place, *std::move(entry)});
  }
  return split;
}

using CasesByName = std::map<std::string, const LintedEntry*>;

CasesByName by_name(const LintedSplit& split) {
  CasesByName out;
  for (const LintedEntry& entry : split.entries) out.emplace(entry.entry.name, &entry);
  return out;
}

// The patients of those cases whose names are not in the other split.
std::set<std::string> patients(const LintedSplit& split, const CasesByName& other) {
  std::set<std::string> out;
  for (const LintedEntry& entry : split.entries) {
    if (!other.contains(entry.entry.name)) out.insert(entry.entry.patient);
  }
  return out;
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  const std::size_t shown = std::min(words.size(), listed_patients);
  for (std::size_t i = 0; i < shown; ++i) out += (i == 0 ? "" : ", ") + words[i];
  if (shown < words.size()) out += " and " + decimal(words.size() - shown) + " more";
  return out;
}

void compare_splits(const LintedSplit& a, const LintedSplit& b, const std::string& file, LintProblems& out) {
  const CasesByName names_a = by_name(a);
  const CasesByName names_b = by_name(b);
  for (const LintedEntry& entry : b.entries) {
    const auto found = names_a.find(entry.entry.name);
    if (found == names_a.end()) continue;
    out.add(rules::name_in_two_splits, {file, entry.pointer},
            "name \"" + entry.entry.name + "\" is also at " + found->second->pointer);
  }
  const std::set<std::string> patients_a = patients(a, names_b);
  const std::set<std::string> patients_b = patients(b, names_a);
  std::vector<std::string> shared;
  std::set_intersection(patients_a.begin(), patients_a.end(), patients_b.begin(), patients_b.end(),
                        std::back_inserter(shared));
  if (shared.empty()) return;
  out.add(rules::patients_shared, {file, "/" + b.name},
          "expected patients of one split only, found " + decimal(shared.size()) + " also in \"" + a.name +
              "\": " + listed(shared));
}

}  // namespace

const LintedSplit* LintedDocument::find_split(std::string_view name) const {
  for (const LintedSplit& split : splits) {
    if (split.name == name) return &split;
  }
  return nullptr;
}

LintedDocument lint_document(std::string_view text, const std::string& file) {
  LintedDocument out;
  const Result<Json> document = parse_json(text);
  if (!document.ok()) {
    out.problems.add(rules::dataset_unreadable, LintPlace::of(file, document.error()),
                     document.error().message());
    return out;
  }
  const Json::Object* members = document->as_object();
  if (members == nullptr) {
    out.problems.add(rules::dataset_unreadable, {file, "/"},
                     "expected object, found " + std::string(document->kind()));
    return out;
  }
  for (const Json::Member& member : *members) {
    const bool is_split = member.second.as_array() != nullptr || member.first == "train" ||
                          member.first == "val" || member.first == "test";
    if (is_split) {
      out.splits.push_back(lint_split(member, file, out.problems));
    } else {
      out.problems.add(
          rules::dataset_member, {file, "/" + member.first},
          "expected a list of cases, found " + std::string(member.second.kind()) + "; it is ignored");
    }
  }
  if (out.splits.empty()) {
    out.problems.add(rules::dataset_unreadable, {file, "/"},
                     "expected lists such as \"train\", \"val\", \"test\", found no split");
  }
  for (std::size_t b = 1; b < out.splits.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) compare_splits(out.splits[a], out.splits[b], file, out.problems);
  }
  return out;
}

}  // namespace fiducial::rexgroundingct
