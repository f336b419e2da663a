#pragma once

#include <unordered_map>

#include "fiducial/datasets/radgenome/audit.h"

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

// Two numbers as one key of a map.
inline std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) {
  return (static_cast<std::uint64_t>(a) << 32U) | b;
}

inline std::int64_t count_of(std::size_t n) { return static_cast<std::int64_t>(n); }

// Runs the checks of one split. Which place a table speaks of is checked in audit_places.cpp, whether its
// questions and answers fit together in audit_answers.cpp, what its words say in audit_words.cpp.
class SplitAudit {
 public:
  explicit SplitAudit(const Split& split);

  std::vector<AuditCheck> run();

 private:
  AuditCheck& begin(const LintRule& rule, const PooledTable* table);
  // Keeps what breaks a rule first.
  void note_first(AuditCheck& check, const PooledTable& table, std::size_t row) const;
  void hit(AuditCheck& check, const PooledTable& table, std::size_t row, std::int64_t times = 1) const;
  const std::string& text(std::uint32_t id) const { return split_.texts.text(id); }
  bool is_positive(std::uint32_t answer) { return !atoms_.of(answer).empty(); }

  void check_volumes();
  void check_paths();
  void check_closure();
  void check_nodes();
  // The answer of the place above; nothing where that has no row.
  std::optional<std::uint32_t> answer_above(const PooledRow& row) const;

  void check_abnormality();
  void check_location();
  void check_presence();
  void check_conflicts();
  void check_sizes();
  void check_size_findings();
  void check_disorders();
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
  std::unordered_map<std::uint64_t, std::uint32_t> findings_at_;  // (volume, place) to abnormality
  std::vector<AuditCheck> checks_;
};

}  // namespace fiducial::radgenome
