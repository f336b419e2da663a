#include "fiducial/datasets/radgenome/statistics.h"

#include <algorithm>
#include <set>

#include "fiducial/cases/grounded_case.h"

namespace fiducial::radgenome {

namespace {

constexpr std::size_t most_pairs = 1000;

// The members of each volume's lists, pair by pair.
PairCounts pairs_of(const Split& split, const PooledTable& table) {
  std::vector<std::set<std::string>> members(split.volumes.size());
  for (const PooledRow& row : table.rows) {
    const std::string& answer = split.texts.text(row.answer);
    if (answer == nothing_found) continue;
    for (const std::string_view each : list_atoms(answer)) members[row.volume].emplace(each);
  }
  PairCounts all;
  for (const std::set<std::string>& of_volume : members) add_pairs(of_volume, all);
  if (all.size() <= most_pairs) return all;
  std::vector<std::pair<NamePair, std::int64_t>> sorted(all.begin(), all.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return {sorted.begin(), sorted.begin() + most_pairs};
}

TableStatistics statistics_of_table(const Split& split, const TableLayout& layout, const PooledTable& table) {
  TableStatistics out{.split = split.name,
                      .task = std::string(layout.task),
                      .file = table.file,
                      .digest = table.digest,
                      .rows = static_cast<std::int64_t>(table.rows.size()),
                      .different_answers = table.different_answers};
  std::vector<bool> has_volume(split.volumes.size());
  std::map<std::uint32_t, std::int64_t> by_place;
  for (const PooledRow& row : table.rows) {
    has_volume[row.volume] = true;
    ++by_place[layout.kind == TableKind::location ? row.answer : row.place];
  }
  std::set<std::string> patients;
  for (std::uint32_t volume = 0; volume < split.volumes.size(); ++volume) {
    if (!has_volume[volume]) continue;
    ++out.volumes;
    patients.insert(patient_of(split.volumes.text(volume)));
  }
  for (const auto& [place, rows] : by_place) {
    const std::string_view head = head_of(split.texts.text(place));
    out.rows_by_region[head.empty() ? "whole scan" : std::string(head)] += rows;
  }
  out.patients = static_cast<std::int64_t>(patients.size());
  if (layout.kind == TableKind::abnormality || layout.kind == TableKind::disorders)
    out.together = pairs_of(split, table);
  return out;
}

}  // namespace

std::vector<TableStatistics> table_statistics(const Split& split) {
  std::vector<TableStatistics> out;
  for (const TableLayout& layout : table_layouts()) {
    if (const PooledTable* table = split.find(layout.kind))
      out.push_back(statistics_of_table(split, layout, *table));
  }
  return out;
}

Result<std::vector<TableStatistics>> table_statistics(const TableFolder& folder) {
  std::vector<TableStatistics> out;
  for (const std::string& name : folder.split_names()) {
    FIDUCIAL_TRY(const Split split, read_split(folder, name, TableUse::audit));
    for (TableStatistics& table : table_statistics(split)) out.push_back(std::move(table));
  }
  return out;
}

Json statistics_json(const std::string& benchmark, const std::vector<TableStatistics>& tables) {
  Json list{Json::Array{}};
  for (const TableStatistics& table : tables) {
    Json regions = Json::object({});
    for (const auto& [region, rows] : table.rows_by_region) regions.set(region, rows);
    Json one = Json::object({{"split", table.split},
                             {"task", table.task},
                             {"file", table.file},
                             {"sha256", table.digest.hex()},
                             {"rows", table.rows},
                             {"volumes", table.volumes},
                             {"patients", table.patients},
                             {"different_answers", table.different_answers},
                             {"rows_by_region", std::move(regions)}});
    if (table.together) one.set("co_occurrence", pairs_json(*table.together, "findings", "volumes"));
    list.push(std::move(one));
  }
  return Json::object(
      {{"schema", "fiducial.table_stats/1"}, {"benchmark", benchmark}, {"tables", std::move(list)}});
}

}  // namespace fiducial::radgenome
