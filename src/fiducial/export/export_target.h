#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/progress.h"
#include "fiducial/base/result.h"
#include "fiducial/datasets/dataset_terms.h"
#include "fiducial/datasets/lint_report.h"
#include "fiducial/eval/task/task.h"

namespace fiducial {

// What is asked of an export.
struct ExportRequest {
  Path dataset;                      // what the target reads: a dataset, or what its `reads` says
  std::optional<Path> predictions;   // as `fiducial score` takes them
  std::optional<Path> volumes;       // the CTs
  std::optional<std::string> split;  // none: what the target takes then
  UsageTerms terms;                  // as they were given; those of the data count, too
  OptionValues options;              // of the target, by name; a flag has one value, "true"
  Path output;
  bool overwrite = false;
};

// A request while a target carries it out.
struct ExportCall {
  const ExportRequest& request;
  Json terms;  // of the data and of the request, the stricter ones: they go with what is written
  const Executor& executor;
  Progress& progress;

  bool has(const std::string& option) const { return request.options.contains(option); }
  std::string text(const std::string& option) const;  // "" where it was not given and has no fallback
  std::vector<std::string> texts(const std::string& option) const;
};

// What came of it.
struct ExportOutcome {
  Json manifest;                     // what --json prints
  std::string told;                  // one line for people
  std::optional<LintReport> report;  // of a check that came first; with errors nothing was written
};

// A form that data, predictions or scores are exported in: one file in targets/, one line in all_targets.def.
// The command and Python read this declaration and know no target.
struct ExportTarget {
  enum class Need { none, optional, required };

  std::string id;     // as typed: --to ID
  std::string title;  // "Hugging Face datasets folder", for --help and docs
  std::string reads = "a dataset folder";
  std::string writes = "a folder";
  Need predictions = Need::none;
  Need volumes = Need::none;
  // Whether the dataset's own cases or references are written. Then licence, source and allowed use must be
  // known, private splits are refused, and terms.json goes with the output (dataset_terms.h).
  bool carries_data = false;
  bool leaves_machine = false;  // likewise, made to be published: refused where the terms forbid that
  std::vector<TaskOption> options = {};
  Result<ExportOutcome> (*run)(const ExportCall& call) = nullptr;
};

const std::vector<ExportTarget>& all_export_targets();
Result<const ExportTarget*> find_export_target(const std::string& id);

// Refuses what the target does not take or lacks, then runs it.
Result<ExportOutcome> run_export(const ExportTarget& target, const ExportRequest& request,
                                 const Executor& executor, Progress& progress);

}  // namespace fiducial
