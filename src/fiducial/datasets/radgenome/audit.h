#pragma once

#include <string>
#include <vector>

#include "fiducial/datasets/lint_report.h"
#include "fiducial/datasets/radgenome/split.h"

namespace fiducial::radgenome {

namespace lint_rules {
#define FIDUCIAL_LINT_RULE(code, severity, promise) \
  inline constexpr LintRule code{#code, Severity::severity, promise};
#include "fiducial/datasets/radgenome/lint_rules.def"
#undef FIDUCIAL_LINT_RULE
}  // namespace lint_rules

// One rule held against one table: how often it is broken, and of how many.
struct AuditCheck {
  const LintRule* rule = nullptr;
  std::string table;  // file
  std::int64_t count = 0;
  std::optional<std::int64_t> of;
  Json details;             // further counts by name
  std::string first_place;  // "line 12" of the first that breaks it
  std::string first;        // what stands there
  std::size_t first_row = std::string::npos;
  bool is_fine = false;  // counted, but few enough to say nothing about
  // Where the count is that of the words known from the published tables: how many break the rule in any
  // words.
  std::optional<std::int64_t> by_rules;

  std::int64_t broken() const { return by_rules.value_or(count); }

  Json json() const;
  std::string message() const;
};

// Every rule about the tables of a split that can be checked with the tables it has.
std::vector<AuditCheck> audit_split(const Split& split);

}  // namespace fiducial::radgenome
