#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fiducial/eval/run/score_run.h"
#include "fiducial/tasks/region_tables/table_tasks.h"

namespace fiducial {

// An answer that is not that of the reference, for people to look at.
struct TableExample {
  std::string table;  // "presence"
  std::string case_name;
  std::string question;
  std::string reference;
  std::string answer;
};

// Keeps the first answers of each table that differ from the reference, one a volume, among the first rows of
// the table. They stay with their cases, so that a run that was put together from shards has them too.
class TableExamples {
 public:
  Outcome add(const AnsweredTable& of, const std::string& table, const RegionUnits& units);
  void write_to(ScoreRun& run) const;

 private:
  std::map<std::uint32_t, Json> by_case_;  // lists, by the place of the case
};

// The first of each table that were kept, in the order of the tables and their cases.
Result<std::vector<TableExample>> table_examples(const ScoreRun& run);

}  // namespace fiducial
