#include "fiducial/tasks/region_tables/region_units.h"

#include <algorithm>
#include <set>

#include "fiducial/cases/grounded_case.h"

namespace fiducial {

namespace {

using radgenome::PooledRow;
using radgenome::PooledTable;
using radgenome::Split;
using radgenome::TableKind;
using radgenome::TableLayout;

std::string_view region_of(std::string_view path) {
  const std::string_view head = radgenome::head_of(path);
  return head.empty() ? std::string_view(whole_scan_part) : head;
}

std::uint32_t region_text(TableKind kind, const PooledRow& row) {
  return kind == TableKind::location ? row.answer : row.place;
}

std::uint64_t key_of(std::uint32_t at, std::uint32_t part) { return std::uint64_t{at} << 32U | part; }

template <typename Visitor>
void visit_tables(const Split& split, const Visitor& visit) {
  for (const TableLayout& layout : radgenome::table_layouts()) {
    if (const PooledTable* table = split.find(layout.kind)) visit(layout, *table);
  }
}

}  // namespace

RegionUnits::RegionUnits(const Split& split, const TaskCall& call) {
  name_parts(split);
  name_cases(split, call);
  name_units(split);
}

void RegionUnits::name_parts(const Split& split) {
  std::set<std::uint32_t> paths;
  visit_tables(split, [&](const TableLayout& layout, const PooledTable& table) {
    for (const PooledRow& row : table.rows) paths.insert(region_text(layout.kind, row));
  });
  std::set<std::string> names{whole_scan_part};
  for (const std::uint32_t path : paths) names.emplace(region_of(split.texts.text(path)));
  parts_.assign(names.begin(), names.end());
  part_of_text_.resize(split.texts.size());
  for (const std::uint32_t path : paths) part_of_text_[path] = part_named(region_of(split.texts.text(path)));
}

std::uint32_t RegionUnits::part_named(std::string_view name) const {
  return static_cast<std::uint32_t>(std::lower_bound(parts_.begin(), parts_.end(), name) - parts_.begin());
}

void RegionUnits::name_cases(const Split& split, const TaskCall& call) {
  std::vector<std::uint32_t> order(split.volumes.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&split](std::uint32_t a, std::uint32_t b) {
    return split.volumes.text(a) < split.volumes.text(b);
  });
  case_of_volume_.assign(order.size(), none);
  for (std::size_t position = 0; position < order.size(); ++position) {
    const std::string& name = split.volumes.text(order[position]);
    if (!call.holds(name)) continue;
    case_of_volume_[order[position]] = static_cast<std::uint32_t>(cases_.size());
    cases_.push_back({name, patient_of(name), static_cast<std::int64_t>(position)});
  }
}

void RegionUnits::name_units(const Split& split) {
  const std::uint32_t whole = part_named(whole_scan_part);
  for (std::uint32_t i = 0; i < cases_.size(); ++i) keys_.push_back(key_of(i, whole));
  visit_tables(split, [&](const TableLayout& layout, const PooledTable& table) {
    for (const PooledRow& row : table.rows) {
      const std::uint32_t at = case_of_volume_[row.volume];
      if (at != none) keys_.push_back(key_of(at, part_of(layout.kind, row)));
    }
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
  });
  for (const std::uint64_t key : keys_) {
    units_.push_back({static_cast<std::uint32_t>(key >> 32U), static_cast<std::uint32_t>(key)});
  }
}

std::uint32_t RegionUnits::part_of(TableKind kind, const PooledRow& row) const {
  return part_of_text_[region_text(kind, row)];
}

std::uint32_t RegionUnits::unit_of(std::uint64_t key) const {
  return static_cast<std::uint32_t>(std::lower_bound(keys_.begin(), keys_.end(), key) - keys_.begin());
}

std::vector<std::uint32_t> RegionUnits::units_of(TableKind kind, const PooledTable& table) const {
  std::vector<std::uint32_t> out;
  out.reserve(table.rows.size());
  for (const PooledRow& row : table.rows) {
    const std::uint32_t at = case_of_volume_[row.volume];
    out.push_back(at == none ? none : unit_of(key_of(at, part_of(kind, row))));
  }
  return out;
}

std::uint32_t RegionUnits::whole_scan_of(std::uint32_t volume) const {
  return unit_of(key_of(case_of_volume_[volume], part_named(whole_scan_part)));
}

std::optional<std::uint32_t> RegionUnits::find(std::uint32_t at, const std::string& part) const {
  const std::uint32_t number = part_named(part);
  if (number >= parts_.size() || parts_[number] != part) return std::nullopt;
  const std::uint32_t unit = unit_of(key_of(at, number));
  const bool is_there = unit < units_.size() && keys_[unit] == key_of(at, number);
  return is_there ? std::optional(unit) : std::nullopt;
}

void RegionUnits::add_to(ScoreRun& run) const {
  run.cases = cases_;
  run.units = units_;
  run.is_sparse = true;
  GroupKind regions{.kind = "region"};
  for (std::uint32_t part = 0; part < parts_.size(); ++part)
    regions.groups.push_back({parts_[part], {}, static_cast<double>(part)});
  for (std::uint32_t unit = 0; unit < units_.size(); ++unit)
    regions.groups[units_[unit].number].members.push_back(unit);
  run.groups.push_back(std::move(regions));
}

}  // namespace fiducial
