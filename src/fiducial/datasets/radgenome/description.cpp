#include "fiducial/datasets/radgenome/description.h"

#include <algorithm>
#include <set>

#include "fiducial/base/number_text.h"

namespace fiducial::radgenome {

namespace {

using Tables = std::vector<TableStatistics>;

std::vector<std::string> lines_of(const TableStatistics& table) {
  std::string regions;
  for (const auto& [region, rows] : table.rows_by_region)
    regions += (regions.empty() ? "  " : ", ") + region + " " + decimal(rows);
  return {table.split + " " + table.task + ": " + decimal(table.rows) + " rows, " + decimal(table.volumes) +
              " volumes of " + decimal(table.patients) + " patients, " + decimal(table.different_answers) +
              " different answers",
          regions};
}

// The rows of one task by region, a series a split.
DescribedDistribution regions_of(const std::string& task, const Tables& tables) {
  DescribedDistribution out{.name = task + "_by_region",
                            .title = "Regions: " + task,
                            .subtitle = "Rows by the region they speak of",
                            .value_title = "share of the table's rows",
                            .labels_are_names = true};
  std::set<std::string> regions;
  for (const TableStatistics& table : tables) {
    if (table.task != task) continue;
    for (const auto& [region, rows] : table.rows_by_region) regions.insert(region);
  }
  out.labels.assign(regions.begin(), regions.end());
  for (const TableStatistics& table : tables) {
    if (table.task != task) continue;
    DescribedSeries series{.name = table.split, .things = "rows", .whole = table.rows};
    for (const std::string& region : regions) {
      const auto found = table.rows_by_region.find(region);
      series.counts.push_back(
          {found == table.rows_by_region.end() ? 0 : found->second, table.split + ", " + region});
    }
    out.series.push_back(std::move(series));
  }
  return out;
}

// The pairs that most volumes have both of, a series a split.
DescribedDistribution together_in(const std::string& task, const Tables& tables) {
  std::vector<SplitPairs> splits;
  for (const TableStatistics& table : tables) {
    if (table.task == task && table.together)
      splits.push_back({table.split, table.volumes, &*table.together});
  }
  return drawn_pairs({.name = task + "_co_occurrence",
                      .title = "Together in one volume: " + task,
                      .subtitle = "Volumes with both, the most frequent pairs"},
                     "volumes", splits);
}

bool has_drawing(const DatasetDescription& description, const std::string& name) {
  return std::any_of(description.distributions.begin(), description.distributions.end(),
                     [&name](const auto& each) { return each.name == name; });
}

}  // namespace

Result<DatasetDescription> describe_tables(const std::string& benchmark, const TableFolder& folder) {
  FIDUCIAL_TRY(const Tables tables, table_statistics(folder));
  DatasetDescription out{.json = statistics_json(benchmark, tables)};
  for (const TableStatistics& table : tables) {
    for (std::string& line : lines_of(table)) out.lines.push_back(std::move(line));
    if (!has_drawing(out, table.task + "_by_region"))
      out.distributions.push_back(regions_of(table.task, tables));
    if (table.together && !table.together->empty() && !has_drawing(out, table.task + "_co_occurrence"))
      out.distributions.push_back(together_in(table.task, tables));
  }
  return out;
}

}  // namespace fiducial::radgenome
