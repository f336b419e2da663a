#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fiducial/base/error.h"
#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/note.h"
#include "fiducial/base/result.h"
#include "fiducial/base/sha256.h"

namespace fiducial {

enum class Severity { error, warning, note };

std::string_view to_string(Severity severity);

// Something a dataset or a submission promises. Codes are stable: scripts match on them.
struct LintRule {
  std::string_view code;
  Severity severity = Severity::error;
  std::string_view promise;
};

// Where a rule was broken: a file relative to its root, and a place in it.
struct LintPlace {
  std::string file;
  std::string place;  // a JSON pointer, "channel 3", "line 1, byte 20", or empty for the file as a whole

  static LintPlace channel(std::string file, std::int64_t index);
  static LintPlace of(std::string file, const Error& error);  // the error's own place in the file
};

// One broken promise.
struct LintProblem {
  std::string code;
  Severity severity = Severity::error;
  std::string file;
  std::string place;
  std::string message;           // what was expected and what was found
  std::int64_t occurrences = 1;  // how often, where one problem speaks of a whole table

  friend bool operator==(const LintProblem&, const LintProblem&) = default;
};

// Broken promises in the order they were found. All are counted; of one rule the first ten thousand are kept,
// as a file of some kilobytes can break a rule millions of times.
class LintProblems {
 public:
  void add(const LintRule& rule, LintPlace where, std::string message, std::int64_t occurrences = 1);
  // The notes of a reader, except that an image has no orientation, which is usual for masks.
  void add_notes(const LintRule& rule, const std::string& file, const Notes& notes);
  void append(LintProblems other);
  // Takes out every problem of a rule and returns how many there were.
  std::int64_t remove(const LintRule& rule);

  const std::vector<LintProblem>& all() const { return all_; }  // that were kept
  std::int64_t count(Severity severity) const;
  std::int64_t count(const LintRule& rule) const;
  std::int64_t count(std::string_view code) const;

  // For another process: what is parsed from it is equal to these, counts included.
  Json json() const;
  static Result<LintProblems> parse(const Json& value);

 private:
  // Of one rule.
  struct Tally {
    Severity severity = Severity::note;
    std::int64_t kept = 0;
    std::int64_t found = 0;
  };

  std::vector<LintProblem> all_;
  std::map<std::string, Tally, std::less<>> by_code_;
};

class CaseChecks;

// What to check: a dataset folder, and what is handed in for one of its splits.
struct LintRequest {
  Path dataset;
  std::optional<Path> predictions;
  std::optional<Path> volumes;
  std::optional<Path> metadata;      // unset: the only one there is, if there is one
  std::optional<std::string> split;  // only this split is read; document rules still see the whole file
  std::optional<Path> synonyms;      // names of diagnoses that mean the same
  std::optional<Path> labels;        // of the volumes, as CT-RATE publishes them
  std::optional<Path> view;          // what a model is shown of questions, JSONL
  // Columns of a table of questions of any origin; unset: those of their usual names.
  std::optional<std::string> question_column;
  std::optional<std::string> answer_column;
  std::optional<std::string> image_column;
  bool names_columns() const { return question_column || answer_column || image_column; }
  std::optional<std::size_t> max_line_bytes;  // of JSONL files; unset: the benchmark's own limit
  std::shared_ptr<CaseChecks> checks;         // where cases are checked in parts; see case_checks.h
};

// What a check can be given beside the dataset and a split. A layout declares which of them it has rules for.
enum class LintInput { predictions, volumes, metadata, synonyms, labels, view, columns, line_limit };

// Refuses a request that gives anything else; the message says what the benchmark takes.
Outcome refuse_other_inputs(const LintRequest& request, const std::string& benchmark,
                            const std::vector<LintInput>& taken);

// A file that was handed in, as stored.
struct SubmittedFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::optional<Digest> digest;  // absent where the file could not be read to its end
};

// What a file of answers holds.
struct AnswerCounts {
  std::int64_t lines = 0;
  std::int64_t unchanged = 0;   // with all published fields as they are published
  std::int64_t bare = 0;        // with none of them but the title
  std::int64_t labelled = 0;    // with labels, which are ignored
  std::int64_t with_steps = 0;  // with the texts of the steps
};

struct SubmissionFacts {
  std::string split;
  std::string kind;                  // "folder", "zip" or "jsonl"
  std::vector<SubmittedFile> files;  // those of the split's cases, by name
  std::optional<AnswerCounts> answers;
};

// What was counted besides the problems.
struct LintAudit {
  Json json;
  std::string text;  // for a person; whole lines
};

// The result of a check.
struct LintReport {
  std::string benchmark;
  std::string dataset_file;                                  // relative to the dataset's folder
  std::vector<std::pair<std::string, std::int64_t>> splits;  // cases that were read, by split
  std::optional<SubmissionFacts> submission;
  std::optional<LintAudit> audit;
  LintProblems problems;

  std::int64_t cases() const;
  bool has_errors() const { return problems.count(Severity::error) > 0; }
  Json json() const;  // schema fiducial.check/1
};

// The report for a person: problems by severity and code, a few of each, and a summary as the last line.
std::string lint_table(const LintReport& report);

}  // namespace fiducial
