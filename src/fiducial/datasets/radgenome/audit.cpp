#include "fiducial/datasets/radgenome/audit.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/radgenome/split_audit.h"

namespace fiducial::radgenome {

Json AuditCheck::json() const {
  Json out = Json::object({{"code", rule->code}, {"table", table}, {"count", count}});
  if (of) out.set("of", *of);
  if (!details.is_null()) out.set("details", details);
  return out;
}

std::string AuditCheck::message() const {
  std::string out =
      "expected that " + std::string(rule->promise) + ", found otherwise in " + decimal(broken());
  if (of) out += " of " + decimal(*of);
  if (details.as_object() != nullptr) {
    for (const auto& [name, value] : *details.as_object()) {
      const std::string shown = value.as_string() != nullptr ? *value.as_string() : value.compact();
      out.append("; ").append(name).append(" ").append(shown);
    }
  }
  return first.empty() ? out : out + "; first: " + first;
}

const std::vector<std::uint32_t>& AtomLists::of(std::uint32_t text) {
  auto& list = lists_[text];
  if (list) return *list;
  list.emplace();
  for (const std::string_view atom : list_atoms(split_.texts.text(text))) list->push_back(atoms_.id_of(atom));
  std::sort(list->begin(), list->end());
  list->erase(std::unique(list->begin(), list->end()), list->end());
  return *list;
}

bool AtomLists::holds(std::uint32_t text, std::string_view atom) {
  const std::vector<std::uint32_t>& list = of(text);
  const auto known = atoms_.find(atom);
  return known && std::binary_search(list.begin(), list.end(), *known);
}

SplitAudit::SplitAudit(const Split& split) : split_(split), atoms_(split) {
  const PooledTable* table = split.find(TableKind::abnormality);
  if (table != nullptr && !table->rows.empty()) abnormality_.emplace(*table, volume_and_place);
}

const PooledRow* SplitAudit::abnormality_at(std::uint32_t volume, std::uint32_t place) const {
  if (!abnormality_) return nullptr;
  const auto rows = abnormality_->find(pair_key(volume, place));
  return rows.empty() ? nullptr : &split_.find(TableKind::abnormality)->rows[rows.front()];
}

std::vector<AuditCheck> SplitAudit::run() {
  check_volumes();
  check_paths();
  check_abnormality();
  check_vague_positives();
  check_closure();
  check_nodes();
  check_location();
  check_presence();
  check_denied_words();
  check_conflicts();
  check_sizes();
  check_size_findings();
  check_disorders();
  check_negations();
  return std::move(checks_);
}

AuditCheck& SplitAudit::begin(const LintRule& rule, const PooledTable* table) {
  checks_.push_back({.rule = &rule, .table = table == nullptr ? "" : table->file});
  return checks_.back();
}

void SplitAudit::note_first(AuditCheck& check, const PooledTable& table, std::size_t row) const {
  if (row >= check.first_row) return;
  check.first_row = row;
  const PooledRow& first = table.rows[row];
  check.first_place = "line " + decimal(table.lines[row]);
  check.first = split_.volumes.text(first.volume);
  for (const std::uint32_t each : {first.place, first.finding, first.answer}) {
    if (!text(each).empty()) check.first += ", " + text(each);
  }
}

void SplitAudit::hit(AuditCheck& check, const PooledTable& table, std::size_t row, std::int64_t times) const {
  note_first(check, table, row);
  check.count += times;
}

std::vector<AuditCheck> audit_split(const Split& split) { return SplitAudit(split).run(); }

}  // namespace fiducial::radgenome
