#include <array>
#include <limits>
#include <unordered_set>

#include "fiducial/anatomy/anatomy.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/radgenome/split_audit.h"

namespace fiducial::radgenome {

namespace {
constexpr std::uint32_t of_none = std::numeric_limits<std::uint32_t>::max();
}

void SplitAudit::check_volumes() {
  AuditCheck names{.rule = &lint_rules::volume_name};
  AuditCheck twice{.rule = &lint_rules::scan_twice};
  AuditCheck suffix{.rule = &lint_rules::selected_by_suffix};
  std::unordered_set<std::string> scans;
  for (std::uint32_t i = 0; i < split_.volumes.size(); ++i) {
    const std::string& volume = split_.volumes.text(i);
    const auto name = find_volume_name(volume);
    const auto told = [&volume](AuditCheck& check) {
      if (check.count++ == 0) check.first = volume;
    };
    if (!name) {
      told(names);
      continue;
    }
    if (!scans.insert(name->split + "_" + decimal(name->patient) + "_" + name->scan).second) told(twice);
    if (name->reconstruction != 1 && name->reconstruction % 10 == 1) told(suffix);
  }
  for (AuditCheck* check : {&names, &twice, &suffix}) {
    check->of = count_of(split_.volumes.size());
    checks_.push_back(std::move(*check));
  }
}

void SplitAudit::check_paths() {
  const Anatomy& anatomy = Anatomy::chest_ct();
  for (const TableLayout& layout : table_layouts()) {
    const PooledTable* table = split_.find(layout.kind);
    if (table == nullptr || layout.kind == TableKind::disorders) continue;
    AuditCheck unknown{.rule = &lint_rules::path_unknown, .table = table->file};
    AuditCheck missing{.rule = &lint_rules::mask_missing, .table = table->file};
    std::array<std::int64_t, 4> kinds{};
    for (std::size_t i = 0; i < table->rows.size(); ++i) {
      const PooledRow& row = table->rows[i];
      const std::string& path = text(layout.kind == TableKind::location ? row.answer : row.place);
      const bool is_known = path.empty() || anatomy.status_of(path) != PathStatus::unknown;
      if (!is_known) hit(unknown, *table, i);
      const PathMask::Kind kind = anatomy.mask_of(path).kind;
      ++kinds.at(static_cast<std::size_t>(kind));
      if (is_known && kind == PathMask::Kind::none) hit(missing, *table, i);
    }
    unknown.of = missing.of = count_of(table->rows.size());
    missing.details =
        Json::object({{"own_mask", kinds[0]}, {"region_mask", kinds[1]}, {"whole_scan", kinds[2]}});
    checks_.push_back(std::move(unknown));
    checks_.push_back(std::move(missing));
  }
}

std::vector<std::uint32_t> SplitAudit::places_above() const {
  std::vector<std::uint32_t> out(split_.texts.size(), of_none);
  for (std::uint32_t i = 0; i < split_.texts.size(); ++i) {
    const std::string_view path = text(i);
    const std::size_t slash = path.rfind('/');
    if (slash != std::string_view::npos) out[i] = split_.texts.find(path.substr(0, slash)).value_or(of_none);
  }
  return out;
}

void SplitAudit::check_closure() {
  const PooledTable* table = split_.find(TableKind::abnormality);
  if (table == nullptr) return;
  AuditCheck missing{.rule = &lint_rules::ancestor_missing, .table = table->file, .of = 0};
  AuditCheck lacking{.rule = &lint_rules::ancestor_lacks_atoms, .table = table->file, .of = 0};
  AuditCheck head{.rule = &lint_rules::head_differs, .table = table->file, .of = 0};
  const std::vector<std::uint32_t> above = places_above();
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const PooledRow& row = table->rows[i];
    const std::string_view path = text(row.place);
    const std::size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) continue;
    ++*missing.of;
    const PooledRow* parent = abnormality_at(row.volume, above[row.place]);
    if (parent == nullptr) {
      hit(missing, *table, i);
      continue;
    }
    ++*lacking.of;
    const auto& here = atoms_.of(row.answer);
    const auto& there = atoms_.of(parent->answer);
    if (!std::includes(there.begin(), there.end(), here.begin(), here.end())) hit(lacking, *table, i);
    if (path.substr(0, slash) != path.substr(slash + 1)) continue;
    ++*head.of;
    if (row.answer != parent->answer) hit(head, *table, i);
  }
  for (AuditCheck* check : {&missing, &lacking, &head}) checks_.push_back(std::move(*check));
  check_own_atoms(*table, above);
}

void SplitAudit::check_own_atoms(const PooledTable& table, const std::vector<std::uint32_t>& above) {
  AuditCheck own{.rule = &lint_rules::parent_has_own_atoms, .table = table.file, .of = 0};
  const RowsByKey by_parent(
      table, [&above](const PooledRow& row) { return pair_key(row.volume, above[row.place]); });
  by_parent.for_each([&](const auto& children) {
    const PooledRow& child = table.rows[children.front()];
    const PooledRow* parent = abnormality_at(child.volume, above[child.place]);
    if (parent == nullptr) return;
    ++*own.of;
    std::vector<std::uint32_t> below;
    for (const std::uint32_t row : children) {
      const auto& here = atoms_.of(table.rows[row].answer);
      below.insert(below.end(), here.begin(), here.end());
    }
    std::sort(below.begin(), below.end());
    const auto& here = atoms_.of(parent->answer);
    if (!std::includes(below.begin(), below.end(), here.begin(), here.end()))
      hit(own, table, static_cast<std::size_t>(parent - table.rows.data()));
  });
  checks_.push_back(std::move(own));
}

// Places that several paths lead to, such as a lobe by its side and by its level.
void SplitAudit::check_nodes() {
  const PooledTable* table = split_.find(TableKind::abnormality);
  if (table == nullptr) return;
  TextPool names;
  std::vector<std::uint32_t> node_of_text(split_.texts.size());
  for (std::uint32_t i = 0; i < split_.texts.size(); ++i) {
    const std::string_view path = text(i);
    const std::size_t slash = path.rfind('/');
    node_of_text[i] = names.id_of(slash == std::string_view::npos ? path : path.substr(slash + 1));
  }
  AuditCheck check{.rule = &lint_rules::node_differs, .table = table->file, .of = 0};
  const RowsByKey by_node(*table, [&node_of_text](const PooledRow& row) {
    return pair_key(row.volume, node_of_text[row.place]);
  });
  by_node.for_each([&](const auto& rows) {
    const PooledRow& first = table->rows[rows.front()];
    const auto other_path = [&](std::uint32_t row) { return table->rows[row].place != first.place; };
    if (std::none_of(rows.begin(), rows.end(), other_path)) return;
    ++*check.of;
    const auto differing = std::find_if(rows.begin(), rows.end(), [&](std::uint32_t row) {
      return other_path(row) && table->rows[row].answer != first.answer;
    });
    if (differing != rows.end()) hit(check, *table, *differing);
  });
  checks_.push_back(std::move(check));
}

}  // namespace fiducial::radgenome
