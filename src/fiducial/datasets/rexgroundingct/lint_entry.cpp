#include "fiducial/datasets/rexgroundingct/lint_entry.h"

#include <algorithm>
#include <unordered_map>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/datasets/identifier_lint.h"
#include "fiducial/datasets/rexgroundingct/dataset_file.h"
#include "fiducial/datasets/rexgroundingct/lint_rules.h"
#include "fiducial/datasets/rexgroundingct/ontology.h"

namespace fiducial::rexgroundingct {

namespace {

namespace rules = lint_rules;

// Takes the longest front of the text whose characters fit, and the mark after it.
template <typename Fits>
bool take(std::string_view& text, Fits fits, std::string_view mark) {
  const auto end = std::find_if_not(text.begin(), text.end(), fits);
  const auto length = static_cast<std::size_t>(end - text.begin());
  if (length == 0 || !text.substr(length).starts_with(mark)) return false;
  text.remove_prefix(length + mark.size());
  return true;
}

LintPlace inside(const LintPlace& where, const std::string& key) {
  return {where.file, where.place + "/" + key};
}

// The keys of findings are the channels of the mask, so a gap would shift every later one.
void check_finding_keys(const Json& entry, const LintPlace& where, LintProblems& out) {
  const Json* findings = entry.find("findings");
  if (findings == nullptr) {
    if (entry.find("name") != nullptr) out.add(rules::findings_missing, where, "key \"findings\" is missing");
    return;
  }
  if (findings->as_object() == nullptr) return;
  const std::size_t count = findings->as_object()->size();
  std::vector<std::string> keys;
  for (const auto& [key, text] : *findings->as_object()) keys.push_back(key);
  bool in_order = true;
  for (std::size_t i = 0; i < count; ++i) {
    if (keys[i] == decimal(i)) continue;
    in_order = false;
    if (std::find(keys.begin(), keys.end(), decimal(i)) != keys.end()) continue;
    std::string found;
    for (const std::string& key : keys) found += (found.empty() ? "\"" : ", \"") + key + "\"";
    out.add(rules::findings_keys, inside(where, "findings"),
            "expected keys \"0\" to \"" + decimal(count - 1) + "\", found " + found);
    return;
  }
  if (!in_order) {
    out.add(rules::findings_order, inside(where, "findings"),
            "expected keys in the order of their numbers, found \"" + keys.front() + "\" first and \"" +
                keys.back() + "\" last");
  }
}

void check_texts(const GroundedCase& entry, const LintPlace& where, LintProblems& out) {
  std::unordered_map<std::string, std::int64_t> first_uses;
  for (const Finding& finding : entry.findings) {
    const LintPlace place = inside(inside(where, "findings"), decimal(finding.index));
    if (is_blank(finding.text)) {
      out.add(rules::finding_text_empty, place, "expected a sentence, found no text");
      continue;
    }
    add_identifier_hints(finding.text, rules::text_identifier, place, out);
    const auto [first, is_new] = first_uses.emplace(finding.text, finding.index);
    if (is_new) continue;
    out.add(rules::finding_text_duplicate, place,
            "expected a text of its own, found that of finding " + decimal(first->second));
  }
}

void check_categories(const GroundedCase& entry, const LintPlace& where, LintProblems& out) {
  const bool none = std::all_of(entry.findings.begin(), entry.findings.end(),
                                [](const Finding& finding) { return finding.category.empty(); });
  if (none && !entry.findings.empty()) {
    out.add(rules::category_missing, where, "expected a category for every finding, found none");
    return;
  }
  for (const Finding& finding : entry.findings) {
    const LintPlace place = inside(inside(where, "categories"), decimal(finding.index));
    if (finding.category.empty()) {
      out.add(rules::category_missing, place, "expected a category, found none");
    } else if (!find_category(finding.category)) {
      out.add(rules::category_unknown, place,
              "expected one of 1a..1f and 2a..2h, found \"" + finding.category + "\"");
    }
  }
}

// A per-finding number that is missing for some or all findings.
template <typename Member>
void check_given(const GroundedCase& entry, const LintPlace& where, const std::string& key, Member member,
                 LintProblems& out) {
  std::string missing;
  for (const Finding& finding : entry.findings) {
    if (!(finding.*member)) append_joined(missing, decimal(finding.index));
  }
  if (!missing.empty()) {
    out.add(rules::field_missing, inside(where, key),
            "expected a number for finding " + missing + ", found none");
  }
}

void check_fields(const GroundedCase& entry, const LintPlace& where, LintProblems& out) {
  check_given(entry, where, "entity_counts", &Finding::entities, out);
  check_given(entry, where, "pixels", &Finding::voxels, out);
  if (!entry.extent) out.add(rules::field_missing, inside(where, "shape"), "expected [H,W,D], found none");
  if (entry.protocol.empty()) {
    out.add(rules::field_missing, inside(where, "protocol"), "expected a protocol, found none");
  } else if (entry.protocol != "protocol1" && entry.protocol != "protocol2") {
    out.add(rules::protocol_unknown, inside(where, "protocol"),
            "expected \"protocol1\" or \"protocol2\", found \"" + entry.protocol + "\"");
  }
}

}  // namespace

bool follows_name_pattern(std::string_view name) {
  return take(name, is_small, "_") && take(name, is_digit, "_") && take(name, is_small, "_") &&
         take(name, is_digit, ".nii.gz") && name.empty();
}

LintedCase lint_entry(const Json& entry, const LintPlace& where) {
  LintedCase out;
  check_finding_keys(entry, where, out.problems);
  Result<GroundedCase> read = read_dataset_entry(entry, where.place);
  if (!read.ok()) {
    if (out.problems.count(Severity::error) == 0) {
      out.problems.add(rules::entry_invalid, LintPlace::of(where.file, read.error()), read.error().message());
    }
    return out;
  }
  if (!follows_name_pattern(read->name)) {
    out.problems.add(rules::name_pattern, where,
                     "expected <tag>_<patient>_<scan>_<reconstruction>.nii.gz, found \"" + read->name + "\"");
  }
  if (read->lists_findings) {
    check_texts(*read, where, out.problems);
    check_categories(*read, where, out.problems);
    check_fields(*read, where, out.problems);
  }
  out.entry = *std::move(read);
  return out;
}

}  // namespace fiducial::rexgroundingct
