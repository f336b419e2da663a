#include "fiducial/datasets/radgenome/split.h"

namespace fiducial::radgenome {

std::uint32_t TextPool::id_of(std::string_view text) {
  const auto known = ids_.find(text);
  if (known != ids_.end()) return known->second;
  const auto id = static_cast<std::uint32_t>(texts_.size());
  texts_.emplace_back(text);
  ids_.emplace(texts_.back(), id);
  return id;
}

std::optional<std::uint32_t> TextPool::find(std::string_view text) const {
  const auto known = ids_.find(text);
  return known == ids_.end() ? std::nullopt : std::optional(known->second);
}

Result<PooledTable> read_table(const TableFolder& folder, const TableFile& file, Split& split, TableUse use) {
  PooledTable out{.file = file.file};
  const bool stores_texts = use == TableUse::scoring && file.kind == TableKind::region_report;
  FIDUCIAL_TRY(TableRows rows, TableRows::open(folder.path_of(file), layout_of(file.kind)));
  while (true) {
    FIDUCIAL_TRY(const std::optional<TableRow> row, rows.next());
    if (!row) break;
    out.rows.push_back({split.volumes.id_of(row->volume), split.texts.id_of(row->place),
                        split.texts.id_of(row->finding),
                        split.texts.id_of(stores_texts ? std::string_view() : row->answer)});
    if (use == TableUse::audit) out.lines.push_back(static_cast<std::uint32_t>(row->line));
    if (!stores_texts) continue;
    FIDUCIAL_TRY(const TextStore::Id stored, out.stored.add(row->answer));
    out.stored_answers.push_back(stored);
  }
  FIDUCIAL_TRY(out.digest, rows.finish());
  out.rows.shrink_to_fit();
  return out;
}

Result<Split> read_split(const TableFolder& folder, const std::string& name, TableUse use) {
  Split out{.name = name};
  for (const TableFile& file : folder.files()) {
    if (file.split != name) continue;
    FIDUCIAL_TRY(out.tables[static_cast<std::size_t>(file.kind)], read_table(folder, file, out, use));
  }
  return out;
}

}  // namespace fiducial::radgenome
