#pragma once

#include <map>
#include <string>
#include <vector>

#include "fiducial/tasks/region_tables/table_tasks.h"

namespace fiducial {

// What is found out while tables are scored and told of all cases together, in the form in which a run
// carries it: numbers that shards add up, and what is known of single cases.
class TableRecord {
 public:
  void add_table(const std::string& task, const std::string& status, std::int64_t questions);
  void add_answers(const std::string& task, const std::string& file, std::int64_t missing,
                   std::int64_t unknown);
  void add_first_unknown(const std::string& task, const std::string& first) { first_unknown_[task] = first; }
  void add_region(const std::string& region, const RegionCounts& counts);
  void expect_sizes() { has_sizes_ = true; }
  void add_size(std::uint32_t at, const RowError& error);
  void expect_labels() { has_labels_ = true; }
  void add_labels(std::uint32_t at, std::uint32_t volume, const VolumeLabels& labels);

  void write_to(ScoreRun& run, const RegionUnits& units) const;

 private:
  struct TableFacts {
    std::string status;
    std::string file;
    std::int64_t questions = 0;
    std::int64_t missing = 0;
    std::int64_t unknown = 0;
  };

  std::vector<std::string> order_;
  std::map<std::string, TableFacts> tables_;
  std::map<std::string, std::string> first_unknown_;
  std::map<std::string, RegionCounts> regions_;
  bool has_sizes_ = false;
  bool has_labels_ = false;
  std::map<std::uint32_t, std::vector<RowError>> sizes_;
  std::map<std::uint32_t, std::pair<std::uint32_t, VolumeLabels>> labels_;
};

// Fills counts, what became of each table, and the blocks of sizes, corpora, labels and masks.
Outcome conclude_tables(ScoreRun& run);

}  // namespace fiducial
