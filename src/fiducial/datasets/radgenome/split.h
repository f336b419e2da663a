#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "fiducial/base/text_store.h"
#include "fiducial/datasets/radgenome/tables.h"
#include "fiducial/text/vocabulary.h"

namespace fiducial::radgenome {

// Texts that occur many times, kept once. Numbers follow the order in which texts were first seen.
class TextPool {
 public:
  std::uint32_t id_of(std::string_view text);
  std::optional<std::uint32_t> find(std::string_view text) const;
  const std::string& text(std::uint32_t id) const { return texts_[id]; }
  std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;  // never move
  std::unordered_map<std::string_view, std::uint32_t, TextHash, std::equal_to<>> ids_;
};

// A row whose texts are in pools. A table has 16 bytes a row, however long its texts.
struct PooledRow {
  std::uint32_t volume = 0;  // of Split::volumes
  std::uint32_t place = 0;   // of Split::texts, as the others
  std::uint32_t finding = 0;
  std::uint32_t answer = 0;
};

struct PooledTable {
  std::string file;  // relative to the folder
  Digest digest;     // of the file as it is stored
  std::vector<PooledRow> rows;
  std::vector<std::uint32_t> lines;             // where each row begins
  std::int64_t different_answers = 0;           // counted for an audit
  TextStore stored;                             // texts of regions, where they are not pooled
  std::vector<TextStore::Id> stored_answers{};  // then, beside the rows
};

// The tables of a split in memory: what the audit and the scorer read.
struct Split {
  std::string name;
  TextPool volumes;
  TextPool texts;
  std::array<std::optional<PooledTable>, table_kinds> tables;

  const PooledTable* find(TableKind kind) const {
    const auto& table = tables[static_cast<std::size_t>(kind)];
    return table ? &*table : nullptr;
  }
};

// What rows are read for, and so what is done with the texts of regions, hardly one of which occurs twice: an
// audit, which also tells of lines, only counts them; scoring leaves them on disk; whole has them among the
// other texts.
enum class TableUse { audit, scoring, whole };

// Reads one table into the pools of a split.
Result<PooledTable> read_table(const TableFolder& folder, const TableFile& file, Split& split, TableUse use);
// Reads every table of a split; stops at the first that cannot be read.
Result<Split> read_split(const TableFolder& folder, const std::string& name, TableUse use);

}  // namespace fiducial::radgenome
