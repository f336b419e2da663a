#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/eval/inputs/record_file.h"
#include "fiducial/metrics/diagnosis_contracts.h"

namespace fiducial {

// What came of judging a step. Only an ok verdict says anything about the model.
enum class VerdictStatus { ok, missing, invalid };
std::string_view to_string(VerdictStatus status);

inline constexpr std::size_t step_error_type_count = std::size(step_error_types);

struct StepVerdict {
  VerdictStatus status = VerdictStatus::missing;
  bool is_factual = false;
  bool is_critical = false;
  std::array<bool, step_error_type_count> error_types{};  // in the order of step_error_types
  std::string reason;                                     // why it is invalid

  friend bool operator==(const StepVerdict&, const StepVerdict&) = default;
};

// A step of an explanation with its verdict by one scorer's rules.
struct JudgedStep {
  std::size_t number = 0;  // from 1
  std::string text;        // may be unknown, and so empty
  StepVerdict verdict;
};

// What a file of verdicts says about one case, before it is held against the steps.
struct CaseVerdicts {
  std::uint64_t line = 0;                         // where it is first named
  std::optional<std::vector<std::string>> steps;  // as the judge was asked about them
  std::optional<std::size_t> step_count;
  Json::Array checks;  // one a verdict
  bool typed = true;   // false: cells of a table
};

using VerdictTable = std::map<std::int64_t, CaseVerdicts>;

// Verdicts as docs/formats/verdicts.md has them: a case a record with a list of checks, or a verdict a
// record. Refuses, with the line, what is neither and a case that occurs twice; what is wrong with single
// verdicts is told by their status.
Result<VerdictTable> verdict_table(const std::vector<Record>& records, const std::string& path);

// The steps of a case with their verdicts. reasoning is what the model wrote; it is cut into steps where the
// verdicts do not tell them.
//
// Strict: one verdict a step, by step number, else by position where there are exactly as many as steps;
// every field is held against its type and the closed list of error types; blank steps are none. Official, as
// published: by position, any text that is not empty is true, and a missing verdict is not factual and not
// critical.
std::vector<JudgedStep> judged_steps(const CaseVerdicts* verdicts, const std::string& reasoning,
                                     Scorer scorer);

}  // namespace fiducial
