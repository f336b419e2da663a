#pragma once

#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/eval/table_answers.h"
#include "fiducial/eval/task_run.h"
#include "fiducial/text/meteor.h"

namespace fiducial {

// A table of a split with the answers to it.
struct AnsweredTable {
  const radgenome::Split& split;
  const radgenome::PooledTable& table;
  const TableAnswers& answers;
  const std::vector<std::uint32_t>& unit_of_row;  // of the run's units

  bool is_answered(std::size_t row) const { return answers.of_row[row] != TextStore::none; }
  const std::string& reference(std::size_t row) const { return split.texts.text(table.rows[row].answer); }
};

// Each fills the counts of a task, which has as many units as the run, and its measures. Rows are taken in
// their order, whatever the order of the answers, so that sums do not depend on it.
Result<TaskScores> score_presence(const AnsweredTable& of, std::size_t units);
Result<TaskScores> score_lists(const AnsweredTable& of, std::size_t units, const std::string& task);
Result<TaskScores> score_locations(const AnsweredTable& of, std::size_t units);

// Sizes, and over all of them what no sum of units gives: the root of the mean squared error.
struct ScoredSizes {
  TaskScores scores;
  Json errors;
};
Result<ScoredSizes> score_sizes(const AnsweredTable& of, std::size_t units);

inline constexpr const char* meteor_with_synonyms = "meteor_nltk_wordnet";

// How texts of regions are scored.
struct ReportTexts {
  const TaskRun& run;
  std::vector<std::string> metrics;    // contract ids; CIDEr-D takes its rarities from the texts of a region
  const Synonyms* synonyms = nullptr;  // where one of them needs these
};
// Fills `corpus` too: BLEU of all texts, and of each region's, with counts summed over texts.
struct ScoredTexts {
  TaskScores scores;
  Json corpus;
};
Result<ScoredTexts> score_texts(const AnsweredTable& of, const ReportTexts& how, const Executor& executor);

// The eighteen labels of what is said of a volume: in the unit `unit_of_volume` has for it.
struct ScoredLabels {
  TaskScores scores;
  Json labels;  // by label, and their means: micro, macro, weighted, samples
};
Result<ScoredLabels> score_labels(const AnsweredTable& of, const std::vector<std::uint32_t>& unit_of_volume,
                                  std::size_t units, const Executor& executor);

}  // namespace fiducial
