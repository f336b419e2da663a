#include <algorithm>
#include <cmath>

#include "fiducial/datasets/radgenome/size_text.h"
#include "fiducial/datasets/radgenome/split_audit.h"
#include "fiducial/text/words.h"

namespace fiducial::radgenome {

namespace {

bool have_common(std::vector<std::uint32_t> a, std::vector<std::uint32_t> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<std::uint32_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return !both.empty();
}

std::size_t count_different(std::vector<std::uint32_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return static_cast<std::size_t>(std::unique(numbers.begin(), numbers.end()) - numbers.begin());
}

}  // namespace

template <typename KeyOf>
void SplitAudit::hit_repeated(AuditCheck& check, const PooledTable& table, const RowsByKey<KeyOf>& by_key) {
  check.of = count_of(table.rows.size());
  by_key.for_each([&](const auto& rows) {
    for (const std::uint32_t row : rows.subspan(1)) hit(check, table, row);
  });
}

void SplitAudit::check_abnormality() {
  const PooledTable* table = split_.find(TableKind::abnormality);
  if (table == nullptr) return;
  AuditCheck& repeated = begin(lint_rules::question_repeated, table);
  repeated.of = 0;
  if (abnormality_) hit_repeated(repeated, *table, *abnormality_);
}

template <typename PlaceOf>
void SplitAudit::compare_triples(AuditCheck& check, const PooledTable& table, const PlaceOf& triple_of) {
  const std::vector<PooledRow>& abnormality = split_.find(TableKind::abnormality)->rows;
  std::int64_t positives = 0;
  abnormality_->for_each(
      [&](const auto& rows) { positives += is_positive(abnormality[rows.front()].answer) ? 1 : 0; });
  std::vector<bool> is_met(abnormality.size());
  std::int64_t same = 0;
  std::int64_t rows = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto triple = triple_of(table.rows[i]);
    if (!triple) continue;
    ++rows;
    const PooledRow* found = abnormality_at(triple->volume, triple->place);
    const auto number = static_cast<std::size_t>(found == nullptr ? 0 : found - abnormality.data());
    if (found != nullptr && found->answer == triple->answer && !is_met[number]) {
      is_met[number] = true;
      ++same;
    } else {
      hit(check, table, i);
    }
  }
  check.of = rows + positives - same;
  check.count += positives - same;
  check.details = Json::object({{"identical", same}, {"positive_rows_of_abnormality", positives}});
}

void SplitAudit::check_location() {
  const PooledTable* table = split_.find(TableKind::location);
  if (table == nullptr) return;
  if (abnormality_) {
    AuditCheck& differs = begin(lint_rules::location_differs, table);
    compare_triples(differs, *table, [](const PooledRow& row) {
      return std::optional(PooledRow{row.volume, row.answer, 0, row.finding});
    });
  }
  AuditCheck& ambiguous = begin(lint_rules::location_ambiguous, table);
  std::size_t questions = 0;
  std::size_t most = 0;
  std::size_t sum = 0;
  RowsByPair(*table, volume_and_finding).for_each([&](const auto& rows) {
    std::vector<std::uint32_t> paths;
    for (const std::uint32_t row : rows) paths.push_back(table->rows[row].answer);
    const std::size_t answers = count_different(std::move(paths));
    ++questions;
    most = std::max(most, answers);
    sum += answers;
    if (answers > 1) hit(ambiguous, *table, rows.front());
  });
  ambiguous.of = count_of(questions);
  ambiguous.details = Json::object(
      {{"most_answers", count_of(most)},
       {"mean_answers",
        questions == 0
            ? 0.0
            : std::round(100.0 * static_cast<double>(sum) / static_cast<double>(questions)) / 100}});
}

void SplitAudit::check_presence() {
  const PooledTable* table = split_.find(TableKind::presence);
  if (table == nullptr) return;
  const auto yes = split_.texts.find("Yes.");
  const auto no = split_.texts.find("No.");
  AuditCheck unknown{.rule = &lint_rules::presence_answer, .table = table->file};
  AuditCheck repeated{.rule = &lint_rules::question_repeated, .table = table->file};
  AuditCheck several{.rule = &lint_rules::asks_several, .table = table->file};
  hit_repeated(repeated, *table, RowsByAll(*table, whole_row));
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const PooledRow& row = table->rows[i];
    if (row.answer != yes && row.answer != no) hit(unknown, *table, i);
    if (atoms_.of(row.finding).size() > 1) hit(several, *table, i);
  }
  for (AuditCheck* check : {&unknown, &repeated, &several}) {
    check->of = count_of(table->rows.size());
    checks_.push_back(std::move(*check));
  }
  if (!abnormality_) return;
  AuditCheck& differs = begin(lint_rules::presence_differs, table);
  compare_triples(differs, *table, [yes](const PooledRow& row) {
    return row.answer == yes ? std::optional(PooledRow{row.volume, row.place, 0, row.finding}) : std::nullopt;
  });
}

void SplitAudit::check_conflicts() {
  const PooledTable* table = split_.find(TableKind::presence);
  if (table == nullptr) return;
  const auto no = split_.texts.find("No.");
  AuditCheck& check = begin(lint_rules::yes_and_no, table);
  std::vector<bool> has_conflict(split_.volumes.size());
  std::int64_t identical = 0;
  std::int64_t places = 0;
  RowsByPair(*table, volume_and_place).for_each([&](const auto& rows) {
    ++places;
    std::vector<std::uint32_t> yes_atoms, no_atoms, yes_cells, no_cells;
    std::size_t last_denied = 0;
    for (const std::uint32_t i : rows) {
      const PooledRow& row = table->rows[i];
      const bool denied = row.answer == no;
      const auto& list = atoms_.of(row.finding);
      auto& atoms = denied ? no_atoms : yes_atoms;
      atoms.insert(atoms.end(), list.begin(), list.end());
      (denied ? no_cells : yes_cells).push_back(row.finding);
      if (denied) last_denied = i;
    }
    if (!have_common(std::move(yes_atoms), std::move(no_atoms))) return;
    hit(check, *table, last_denied);
    has_conflict[table->rows[rows.front()].volume] = true;
    if (have_common(std::move(yes_cells), std::move(no_cells))) ++identical;
  });
  check.of = places;
  check.details = Json::object({{"volumes", std::count(has_conflict.begin(), has_conflict.end(), true)},
                                {"identical_questions", identical}});
}

void SplitAudit::check_sizes() {
  const PooledTable* table = split_.find(TableKind::size);
  if (table == nullptr) return;
  AuditCheck unit{.rule = &lint_rules::size_unit, .table = table->file};
  AuditCheck range{.rule = &lint_rules::size_range, .table = table->file};
  AuditCheck repeated{.rule = &lint_rules::question_repeated, .table = table->file};
  AuditCheck ancestor{.rule = &lint_rules::size_has_ancestor, .table = table->file, .of = 0};
  const RowsByAll rows(*table, whole_row);
  hit_repeated(repeated, *table, rows);
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const PooledRow& row = table->rows[i];
    const std::optional<Measurement> size = find_size(text(row.answer));
    if (!size) hit(unit, *table, i);
    if (size && size->range) hit(range, *table, i);
  }
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const PooledRow& row = table->rows[i];
    const std::string& path = text(row.place);
    if (std::count(path.begin(), path.end(), '/') < 2) continue;
    ++*ancestor.of;
    for (std::size_t at = path.rfind('/'); at != std::string::npos && at > 0; at = path.rfind('/', at - 1)) {
      const auto above = split_.texts.find(path.substr(0, at));
      if (!above || rows.find(whole_row({row.volume, *above, row.finding, row.answer})).empty()) continue;
      hit(ancestor, *table, i);
      break;
    }
  }
  for (AuditCheck* check : {&unit, &range, &repeated}) check->of = count_of(table->rows.size());
  for (AuditCheck* check : {&unit, &range, &repeated, &ancestor}) checks_.push_back(std::move(*check));
}

void SplitAudit::check_size_findings() {
  const PooledTable* table = split_.find(TableKind::size);
  if (table == nullptr || !abnormality_) return;
  AuditCheck without{.rule = &lint_rules::size_without_abnormality, .table = table->file};
  AuditCheck other{.rule = &lint_rules::size_of_other_finding, .table = table->file};
  std::int64_t not_even_within = 0;
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const PooledRow& row = table->rows[i];
    const PooledRow* found = abnormality_at(row.volume, row.place);
    if (found == nullptr) {
      hit(without, *table, i);
      continue;
    }
    if (atoms_.holds(found->answer, text(row.finding))) continue;
    hit(other, *table, i);
    if (ascii_lower(text(found->answer)).find(ascii_lower(text(row.finding))) == std::string::npos)
      ++not_even_within;
  }
  other.details = Json::object({{"not_even_within_its_text", not_even_within}});
  for (AuditCheck* check : {&without, &other}) {
    check->of = count_of(table->rows.size());
    checks_.push_back(std::move(*check));
  }
}

void SplitAudit::check_disorders() {
  const PooledTable* table = split_.find(TableKind::disorders);
  if (table == nullptr) return;
  AuditCheck repeated{.rule = &lint_rules::question_repeated, .table = table->file};
  AuditCheck contradicts{.rule = &lint_rules::disorders_contradict, .table = table->file, .of = 0};
  std::vector<bool> is_positive_somewhere(split_.volumes.size());
  std::vector<bool> is_positive_beyond_heart(split_.volumes.size());
  const PooledTable* abnormality = split_.find(TableKind::abnormality);
  if (abnormality_) {
    abnormality_->for_each([&](const auto& rows) {
      const PooledRow& row = abnormality->rows[rows.front()];
      if (!is_positive(row.answer)) return;
      is_positive_somewhere[row.volume] = true;
      if (head_of(text(row.place)) != "heart") is_positive_beyond_heart[row.volume] = true;
    });
  }
  std::vector<bool> is_seen(split_.volumes.size());
  std::int64_t only_heart = 0;
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const PooledRow& row = table->rows[i];
    if (is_seen[row.volume]) hit(repeated, *table, i);
    is_seen[row.volume] = true;
    if (is_positive(row.answer)) continue;
    ++*contradicts.of;
    if (!is_positive_somewhere[row.volume]) continue;
    hit(contradicts, *table, i);
    if (!is_positive_beyond_heart[row.volume]) ++only_heart;
  }
  repeated.of = count_of(table->rows.size());
  contradicts.details = Json::object({{"only_in_heart", only_heart}});
  checks_.push_back(std::move(repeated));
  if (abnormality_) checks_.push_back(std::move(contradicts));
}

}  // namespace fiducial::radgenome
