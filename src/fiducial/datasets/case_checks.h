#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/datasets/lint_report.h"

namespace fiducial {

// What came of checking the files of one case.
struct CheckedFiles {
  LintProblems problems;
  std::optional<SubmittedFile> submitted;

  Json json() const;
  static Result<CheckedFiles> parse(const Json& value);
};

// A case that a check comes to, and where what is read of it lies.
struct CaseToCheck {
  std::int64_t index = 0;  // in the order of the check
  std::string name;
  std::vector<std::pair<std::string, Path>> files;  // by what they are read as: "dataset", "predictions"
};

// Checks of single cases that are made in parts, or were: the check around them is the same each time, and
// asks here for every case. Safe from several threads.
class CaseChecks {
 public:
  // Lists the cases, and checks none.
  static CaseChecks listing() { return CaseChecks(Kind::listing); }
  // Checks the cases of these names, and keeps what came of them.
  static CaseChecks part(std::set<std::string> names);
  // Takes what parts kept, and checks none.
  static CaseChecks known(const std::vector<Json>& kept);
  CaseChecks(CaseChecks&& other) noexcept;

  // Whether the check gets to its end, or is a part of one.
  bool is_whole() const { return kind_ == Kind::known; }
  bool lists() const { return kind_ == Kind::listing; }
  // What `make` finds out about a case, or a part did; null where this is not to be found out here.
  Result<Json> take(CaseToCheck entry, const std::function<Json()>& make);
  // The same of files that are checked; nothing is found in those that are not checked here.
  Result<CheckedFiles> check(CaseToCheck entry, const std::function<CheckedFiles()>& check);

  std::vector<CaseToCheck> listed() const;  // in the order of the check
  Json kept() const;                        // by index

 private:
  enum class Kind { listing, part, known };
  explicit CaseChecks(Kind kind) : kind_(kind) {}

  Kind kind_;
  std::set<std::string> names_;
  std::map<std::int64_t, Json> results_;
  std::map<std::int64_t, CaseToCheck> listed_;
  mutable std::mutex mutex_;
};

// The files of one case: checked here, or as the request's checks have it.
Result<CheckedFiles> checked_files(const LintRequest& request, CaseToCheck entry,
                                   const std::function<CheckedFiles()>& check);

}  // namespace fiducial
