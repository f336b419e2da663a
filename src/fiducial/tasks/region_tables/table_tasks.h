#pragma once

#include <map>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/datasets/radgenome/table_answers.h"
#include "fiducial/eval/run/score_family.h"
#include "fiducial/eval/task/task_call.h"
#include "fiducial/metrics/text_metric.h"
#include "fiducial/tasks/region_tables/region_units.h"
#include "fiducial/text/bleu.h"
#include "fiducial/text/meteor.h"

namespace fiducial {

// A table of a split with the answers to it.
struct AnsweredTable {
  const radgenome::Split& split;
  const radgenome::PooledTable& table;
  const TableAnswers& answers;
  const std::vector<std::uint32_t>& unit_of_row;  // of the run's units; RegionUnits::none: not scored here

  bool is_scored(std::size_t row) const { return unit_of_row[row] != RegionUnits::none; }
  bool is_answered(std::size_t row) const { return answers.of_row[row] != TextStore::none; }
  const std::string& reference(std::size_t row) const { return split.texts.text(table.rows[row].answer); }
};

// Each fills the counts of a task, which has as many units as the run, and its measures. Rows are taken in
// their order, whatever the order of the answers, so that sums do not depend on it.
Result<ScoreFamily> score_presence(const AnsweredTable& of, std::size_t units);
Result<ScoreFamily> score_lists(const AnsweredTable& of, std::size_t units, const std::string& task);
Result<ScoreFamily> score_locations(const AnsweredTable& of, std::size_t units);

// Sizes, and their errors by row, for what no sum of units gives: the root of the mean squared error.
struct RowError {
  std::uint32_t row = 0;
  double error = 0;
};
struct ScoredSizes {
  ScoreFamily scores;
  std::vector<RowError> errors;
};
Result<ScoredSizes> score_sizes(const AnsweredTable& of, std::size_t units);

// How texts of regions are scored.
struct ReportTexts {
  const RegionUnits& units;
  std::vector<const TextMetric*> metrics;  // of single texts; the corpus of CIDEr-D is a region
  const Synonyms* synonyms = nullptr;      // where one of them needs these
};
// Beside the scores what BLEU counts in the texts of each region, and how many texts there are.
struct RegionCounts {
  BleuCounts bleu;
  std::int64_t texts = 0;
};
Json to_json(const RegionCounts& region);
RegionCounts parse_region_counts(const Json& counts);

struct ScoredTexts {
  ScoreFamily scores;
  std::vector<RegionCounts> regions;  // by part
};
// Every region is a piece of the call's work.
Result<ScoredTexts> score_texts(const AnsweredTable& of, const ReportTexts& how, const TaskCall& call);

// The eighteen labels of what is said of a volume, a bit each.
struct VolumeLabels {
  std::uint32_t wanted = 0;
  std::uint32_t said = 0;
  bool answered = false;
};
// Scores them in the unit of the whole scan.
struct ScoredLabels {
  ScoreFamily scores;
  std::map<std::uint32_t, VolumeLabels> volumes;  // by number in the split
};
Result<ScoredLabels> score_labels(const AnsweredTable& of, const RegionUnits& units, const TaskCall& call);
// By label, and their means: micro, macro, weighted, samples.
Json label_report(const std::map<std::uint32_t, VolumeLabels>& volumes);

}  // namespace fiducial
