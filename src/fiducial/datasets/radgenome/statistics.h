#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/datasets/co_occurrence.h"
#include "fiducial/datasets/radgenome/split.h"

namespace fiducial::radgenome {

// What is in a table.
struct TableStatistics {
  std::string split;
  std::string task;
  std::string file;
  Digest digest;
  std::int64_t rows = 0;
  std::int64_t volumes = 0;
  std::int64_t patients = 0;
  std::int64_t different_answers = 0;
  std::map<std::string, std::int64_t> rows_by_region;  // "whole scan" where none is named
  // Of tables whose answers are lists: volumes with both members, the thousand most frequent pairs.
  std::optional<PairCounts> together;
};

// Of every table, by split; reads one split at a time.
Result<std::vector<TableStatistics>> table_statistics(const TableFolder& folder);
// Of the tables of one split.
std::vector<TableStatistics> table_statistics(const Split& split);

// Schema fiducial.table_stats/1.
Json statistics_json(const std::string& benchmark, const std::vector<TableStatistics>& tables);

}  // namespace fiducial::radgenome
