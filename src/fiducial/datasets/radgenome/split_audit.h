#pragma once

#include "fiducial/datasets/radgenome/audit.h"
#include "fiducial/datasets/radgenome/rows_by_key.h"

namespace fiducial::radgenome {

// Lists of atoms as sorted numbers, split once a text.
class AtomLists {
 public:
  explicit AtomLists(const Split& split) : split_(split), lists_(split.texts.size()) {}

  const std::vector<std::uint32_t>& of(std::uint32_t text);
  bool holds(std::uint32_t text, std::string_view atom);
  const std::string& name(std::uint32_t atom) const { return atoms_.text(atom); }

 private:
  const Split& split_;
  TextPool atoms_;
  std::vector<std::optional<std::vector<std::uint32_t>>> lists_;
};

// Two numbers as one key.
inline std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) {
  return (static_cast<std::uint64_t>(a) << 32U) | b;
}
inline std::uint64_t volume_and_place(const PooledRow& row) { return pair_key(row.volume, row.place); }
inline std::uint64_t volume_and_finding(const PooledRow& row) { return pair_key(row.volume, row.finding); }
// All of a row.
using RowKey = std::pair<std::uint64_t, std::uint64_t>;
inline RowKey whole_row(const PooledRow& row) {
  return {volume_and_place(row), pair_key(row.finding, row.answer)};
}
using RowsByPair = RowsByKey<std::uint64_t (*)(const PooledRow&)>;
using RowsByAll = RowsByKey<RowKey (*)(const PooledRow&)>;

inline std::int64_t count_of(std::size_t n) { return static_cast<std::int64_t>(n); }

// Runs the checks of one split. Which place a table speaks of is checked in audit_places.cpp, whether its
// questions and answers fit together in audit_answers.cpp, what its words say in audit_words.cpp.
class SplitAudit {
 public:
  explicit SplitAudit(const Split& split);

  std::vector<AuditCheck> run();

 private:
  AuditCheck& begin(const LintRule& rule, const PooledTable* table);
  // Keeps what breaks a rule first in the table.
  void note_first(AuditCheck& check, const PooledTable& table, std::size_t row) const;
  void hit(AuditCheck& check, const PooledTable& table, std::size_t row, std::int64_t times = 1) const;
  const std::string& text(std::uint32_t id) const { return split_.texts.text(id); }
  bool is_positive(std::uint32_t answer) { return !atoms_.of(answer).empty(); }

  void check_volumes();
  void check_paths();
  void check_closure();
  void check_nodes();
  // Of every text the text before its last slash; no number of a text where none is like that.
  std::vector<std::uint32_t> places_above() const;
  // Whether places have findings that none below them has.
  void check_own_atoms(const PooledTable& table, const std::vector<std::uint32_t>& above);
  // The first row of a place; none where it has no row.
  const PooledRow* abnormality_at(std::uint32_t volume, std::uint32_t place) const;

  void check_abnormality();
  void check_location();
  void check_presence();
  void check_conflicts();
  void check_sizes();
  void check_size_findings();
  void check_disorders();
  // Every row but the first of a key.
  template <typename KeyOf>
  void hit_repeated(AuditCheck& check, const PooledTable& table, const RowsByKey<KeyOf>& by_key);
  // How often the triples of a table and the positive rows of abnormality are not the same.
  template <typename PlaceOf>
  void compare_triples(AuditCheck& check, const PooledTable& table, const PlaceOf& triple_of);

  void check_vague_positives();
  void check_denied_words();
  void check_negations();
  // Labels that far more volumes have than reports that people labelled.
  void check_label_shares(const PooledTable& table);

  const Split& split_;
  AtomLists atoms_;
  std::optional<RowsByPair> abnormality_;  // by volume and place, where there are any
  std::vector<AuditCheck> checks_;
};

}  // namespace fiducial::radgenome
