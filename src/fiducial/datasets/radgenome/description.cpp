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

}  // namespace

Result<DatasetDescription> describe_tables(const std::string& benchmark, const TableFolder& folder) {
  FIDUCIAL_TRY(const Tables tables, table_statistics(folder));
  DatasetDescription out{.json = statistics_json(benchmark, tables)};
  for (const TableStatistics& table : tables) {
    for (std::string& line : lines_of(table)) out.lines.push_back(std::move(line));
    const std::string name = table.task + "_by_region";
    const bool is_drawn = std::any_of(out.distributions.begin(), out.distributions.end(),
                                      [&name](const auto& each) { return each.name == name; });
    if (!is_drawn) out.distributions.push_back(regions_of(table.task, tables));
  }
  return out;
}

}  // namespace fiducial::radgenome
