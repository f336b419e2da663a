#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/json.h"
#include "fiducial/base/sha256.h"
#include "fiducial/eval/score.h"
#include "fiducial/eval/unit_values.h"
#include "fiducial/metrics/contract.h"

namespace fiducial {

// A case with its patient; cases of one patient are not independent.
struct TaskCase {
  std::string name;
  std::string patient;
};

// What is counted together: the questions of a case about one region, or all of a case.
struct TaskUnit {
  std::uint32_t at = 0;    // its place among the run's cases
  std::uint32_t part = 0;  // of the run's parts
};

// One aggregate of a task. It is a ratio of two sums over units: a mean, a share, or an F1.
struct TaskMeasure {
  std::string slot;
  const MetricContract* contract = nullptr;
  UnitValues sums;              // beside the run's units
  UnitValues weights;           // likewise; empty: the counts of the task
  bool counts_defined = false;  // weights are how many of the counts have a score of their own
  std::string variant{};        // behind the contract's id, where a parameter is not the usual one

  std::string id() const { return contract->id + variant; }
};

// The measures of one task, and how many questions each unit has.
struct TaskScores {
  std::string task;
  std::string absence;  // why there is no value where nothing was counted
  UnitValues counts;    // beside the run's units
  UnitValues failed;    // of counts: without an answer
  std::vector<TaskMeasure> measures;

  TaskMeasure& add(const std::string& slot, const std::string& contract_id, bool has_weights = false);
  void pack();
};

inline constexpr const char* whole_scan_part = "whole scan";

// A file that went in.
struct HashedFile {
  std::string name;
  Digest digest;
};
// The hash of a list of files: of a line with name and hash for each.
Digest digest_of(const std::vector<HashedFile>& files);

// The masks of a case, as the hash of a line with hash and name for each of their files.
struct HashedCase {
  std::string name;
  std::optional<Digest> reference;
  std::optional<Digest> prediction;
};

// What is odd about a case or a file.
struct TaskRemark {
  std::string about;
  std::string code;
  std::string text;
};

// Everything a finished run of tasks knows.
struct TaskRun {
  std::string benchmark;
  std::string task;  // "" for the tasks of the benchmark, else which was asked for
  std::string split;
  std::string system;
  std::vector<std::string> metrics;  // as asked for
  std::uint64_t seed = 0;
  int resamples = 1000;
  std::string dataset_file;
  std::vector<HashedFile> dataset_files;
  std::string predictions_file;
  std::vector<HashedFile> prediction_files;
  std::vector<HashedCase> masks;                     // beside the tables
  Json mask_rules;                                   // how these were scored; null: there were none
  std::optional<Digest> wordnet;                     // of the WordNet that METEOR took synonyms from
  std::string part_kind;                             // what parts are: "region"
  std::vector<std::string> parts;                    // their labels
  std::vector<TaskCase> cases;                       // by name
  std::vector<TaskUnit> units;                       // by case, then part
  std::vector<TaskScores> tasks;                     // every one has a count for every unit
  Json counts;                                       // of the summary
  Json baselines;                                    // null: none
  std::vector<std::pair<std::string, Json>> blocks;  // further parts of the summary
  std::vector<TaskRemark> remarks;
  std::int64_t failures = 0;  // questions, or cases, without an answer
  std::int64_t questions = 0;

  // The number of every case's patient, and how many patients there are.
  std::pair<std::vector<std::uint32_t>, std::size_t> patients() const;
  // Of the files that every system is held against; masks have hashes of their own.
  Digest dataset_digest() const;
  // Of all files and masks that were handed in.
  Digest predictions_digest() const;
};

Json plan_json(const TaskRun& run);
Result<Json> summary_json(const TaskRun& run, const Digest& plan_digest, const Executor& executor);

// Writes summary.json, plan.json and, unless private, rows.parquet, some rows at a time: the whole folder
// appears at once. Returns the summary.
Result<Json> write_scores(const TaskRun& run, const ScoreOutput& output, const Executor& executor);

}  // namespace fiducial
