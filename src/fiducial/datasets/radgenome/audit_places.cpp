#include <array>
#include <map>
#include <unordered_map>

#include "fiducial/anatomy/anatomy.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/radgenome/split_audit.h"

namespace fiducial::radgenome {

void SplitAudit::check_volumes() {
  AuditCheck names{.rule = &lint_rules::volume_name};
  AuditCheck twice{.rule = &lint_rules::scan_twice};
  AuditCheck suffix{.rule = &lint_rules::selected_by_suffix};
  std::map<std::string, std::string> first_of_scan;
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
    const std::string scan = name->split + "_" + decimal(name->patient) + "_" + name->scan;
    const auto [first, is_new] = first_of_scan.emplace(scan, volume);
    if (!is_new) told(twice);
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

std::optional<std::uint32_t> SplitAudit::answer_above(const PooledRow& row) const {
  const std::string& path = text(row.place);
  const auto above = split_.texts.find(path.substr(0, path.rfind('/')));
  if (!above) return std::nullopt;
  const auto found = findings_at_.find(pair_key(row.volume, *above));
  return found == findings_at_.end() ? std::nullopt : std::optional(found->second);
}

void SplitAudit::check_closure() {
  const PooledTable* table = split_.find(TableKind::abnormality);
  if (table == nullptr) return;
  AuditCheck missing{.rule = &lint_rules::ancestor_missing, .table = table->file, .of = 0};
  AuditCheck lacking{.rule = &lint_rules::ancestor_lacks_atoms, .table = table->file, .of = 0};
  AuditCheck head{.rule = &lint_rules::head_differs, .table = table->file, .of = 0};
  std::map<std::uint64_t, std::vector<std::uint32_t>> atoms_below;
  std::map<std::uint64_t, std::size_t> parent_rows;
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const PooledRow& row = table->rows[i];
    const std::string& path = text(row.place);
    parent_rows.emplace(pair_key(row.volume, row.place), i);
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) continue;
    ++*missing.of;
    const auto above = answer_above(row);
    if (!above) {
      hit(missing, *table, i);
      continue;
    }
    ++*lacking.of;
    const auto& here = atoms_.of(row.answer);
    const auto& there = atoms_.of(*above);
    if (!std::includes(there.begin(), there.end(), here.begin(), here.end())) hit(lacking, *table, i);
    auto& below = atoms_below[pair_key(row.volume, *split_.texts.find(path.substr(0, slash)))];
    below.insert(below.end(), here.begin(), here.end());
    if (path.substr(0, slash) != path.substr(slash + 1)) continue;
    ++*head.of;
    if (row.answer != *above) hit(head, *table, i);
  }
  AuditCheck own{.rule = &lint_rules::parent_has_own_atoms, .table = table->file};
  own.of = count_of(atoms_below.size());
  for (auto& [key, below] : atoms_below) {
    std::sort(below.begin(), below.end());
    const auto& here = atoms_.of(findings_at_.at(key));
    if (!std::includes(below.begin(), below.end(), here.begin(), here.end()))
      hit(own, *table, parent_rows.at(key));
  }
  for (AuditCheck* check : {&missing, &lacking, &head, &own}) checks_.push_back(std::move(*check));
}

// Places that several paths lead to, such as a lobe by its side and by its level.
void SplitAudit::check_nodes() {
  const PooledTable* table = split_.find(TableKind::abnormality);
  if (table == nullptr) return;
  struct Node {
    std::size_t first_row = 0;
    bool has_other_path = false;
    bool differs = false;
  };
  TextPool names;
  std::vector<std::uint32_t> node_of_text(split_.texts.size());
  for (std::uint32_t i = 0; i < split_.texts.size(); ++i) {
    const std::string_view path = text(i);
    const std::size_t slash = path.rfind('/');
    node_of_text[i] = names.id_of(slash == std::string_view::npos ? path : path.substr(slash + 1));
  }
  std::unordered_map<std::uint64_t, Node> nodes;
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const PooledRow& row = table->rows[i];
    const auto [at, is_new] =
        nodes.try_emplace(pair_key(row.volume, node_of_text[row.place]), Node{i, false, false});
    if (is_new) continue;
    const PooledRow& first = table->rows[at->second.first_row];
    at->second.has_other_path = at->second.has_other_path || first.place != row.place;
    at->second.differs = at->second.differs || (first.place != row.place && first.answer != row.answer);
  }
  AuditCheck& check = begin(lint_rules::node_differs, table);
  check.of = 0;
  for (const auto& [key, node] : nodes) {
    if (node.has_other_path) ++*check.of;
    if (node.differs) ++check.count;
  }
}

}  // namespace fiducial::radgenome
