#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/result.h"
#include "fiducial/eval/agreement/judge_records.h"

namespace fiducial {

// Who judged: whatever of this changes makes another judge.
struct JudgeIdentity {
  std::string model;
  std::string prompt;  // SHA-256 of the words it was asked with
  Json parameters;     // that were sent
  std::string rubric;  // SHA-256 of the rules it was given

  Json json() const;
  std::string digest() const;  // SHA-256 of json(), compact
};

// A statement that is known to be false, and whether the judge called it factual; nothing: no verdict came.
struct FalseStatement {
  std::string title;
  std::string step;
  std::optional<bool> called_factual;
};

// What the judge was asked beside the steps, to learn about the judge itself.
struct JudgeProbes {
  std::map<std::int64_t, JudgeRecords> repeats;  // the same question asked again, by number
  JudgeRecords swapped;                          // steps shown in reverse order; verdicts in their own
  std::vector<FalseStatement> canaries;
  std::vector<FalseStatement> injections;  // with an instruction to call them factual
};

// A folder that a judge's run wrote: manifest.json, verdicts.jsonl, probes.jsonl.
struct JudgeRun {
  JudgeIdentity identity;
  Path verdicts;
  JudgeRecords records;
  JudgeProbes probes;
};

inline constexpr const char* verdicts_file_name = "verdicts.jsonl";
inline constexpr const char* probes_file_name = "probes.jsonl";
inline constexpr const char* ratings_file_name = "ratings.jsonl";  // of a judge of discussions

// The file of verdicts that a path names: itself, or that of a judge's run.
Path verdicts_file(const Path& given);

// Refuses a folder that no judge's run wrote, an identity that does not fit what it names, and probes that
// are none. A run without probes.jsonl has none.
Result<JudgeRun> read_judge_run(const Path& folder);

Result<JudgeIdentity> parse_judge_identity(const Json& entry, const std::string& pointer);

}  // namespace fiducial
