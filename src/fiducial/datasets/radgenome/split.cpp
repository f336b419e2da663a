#include "fiducial/datasets/radgenome/split.h"

#include <algorithm>

namespace fiducial::radgenome {

namespace {

// Counts texts by eight bytes each: that two of a million have the same is as good as impossible.
class DifferentTexts {
 public:
  void add(std::string_view text) {
    hashes_.push_back(TextHash{}(text));
    if (hashes_.size() >= most_) forget_repeated();
  }
  std::int64_t count() {
    forget_repeated();
    return static_cast<std::int64_t>(hashes_.size());
  }

 private:
  void forget_repeated() {
    std::sort(hashes_.begin(), hashes_.end());
    hashes_.erase(std::unique(hashes_.begin(), hashes_.end()), hashes_.end());
    most_ = std::max(most_, 2 * hashes_.size());
  }

  std::vector<std::uint64_t> hashes_;
  std::size_t most_ = 4096;
};

}  // namespace

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
  const bool is_pooled = use == TableUse::whole || file.kind != TableKind::region_report;
  DifferentTexts answers;
  FIDUCIAL_TRY(TableRows rows, TableRows::open(folder.path_of(file), layout_of(file.kind)));
  while (true) {
    FIDUCIAL_TRY(const std::optional<TableRow> row, rows.next());
    if (!row) break;
    out.rows.push_back({split.volumes.id_of(row->volume), split.texts.id_of(row->place),
                        split.texts.id_of(row->finding),
                        split.texts.id_of(is_pooled ? row->answer : std::string_view())});
    if (use == TableUse::audit) {
      out.lines.push_back(static_cast<std::uint32_t>(row->line));
      answers.add(row->answer);
    } else if (!is_pooled) {
      FIDUCIAL_TRY(const TextStore::Id stored, out.stored.add(row->answer));
      out.stored_answers.push_back(stored);
    }
  }
  FIDUCIAL_TRY(out.digest, rows.finish());
  out.different_answers = answers.count();
  out.rows.shrink_to_fit();
  out.lines.shrink_to_fit();
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
