#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "fiducial/datasets/radgenome/size_text.h"
#include "fiducial/datasets/radgenome/split_audit.h"
#include "fiducial/text/words.h"

namespace fiducial::radgenome {

namespace {

// What a presence table says of one place of one volume.
struct PlaceSides {
  std::vector<std::uint32_t> yes, no;  // atoms
  std::vector<std::uint32_t> yes_cells, no_cells;
  std::size_t first_row = 0;
};

}  // namespace

void SplitAudit::check_abnormality() {
  const PooledTable* table = split_.find(TableKind::abnormality);
  if (table == nullptr) return;
  AuditCheck& repeated = begin(lint_rules::question_repeated, table);
  repeated.of = count_of(table->rows.size());
  std::unordered_set<std::uint64_t> seen;
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const PooledRow& row = table->rows[i];
    if (!seen.insert(pair_key(row.volume, row.place)).second) hit(repeated, *table, i);
  }
}

template <typename PlaceOf>
void SplitAudit::compare_triples(AuditCheck& check, const PooledTable& table, const PlaceOf& triple_of) {
  std::int64_t positives = 0;
  std::unordered_set<std::uint64_t> met;
  for (const auto& [key, answer] : findings_at_) positives += is_positive(answer) ? 1 : 0;
  std::int64_t same = 0;
  std::int64_t rows = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto triple = triple_of(table.rows[i]);
    if (!triple) continue;
    ++rows;
    const auto found = findings_at_.find(pair_key(triple->volume, triple->place));
    if (found != findings_at_.end() && found->second == triple->answer && met.insert(found->first).second) {
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
  if (!findings_at_.empty()) {
    AuditCheck& differs = begin(lint_rules::location_differs, table);
    compare_triples(differs, *table, [](const PooledRow& row) {
      return std::optional(PooledRow{row.volume, row.answer, 0, row.finding});
    });
  }
  std::map<std::uint64_t, std::set<std::uint32_t>> paths;
  std::map<std::uint64_t, std::size_t> first_rows;
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const PooledRow& row = table->rows[i];
    paths[pair_key(row.volume, row.finding)].insert(row.answer);
    first_rows.emplace(pair_key(row.volume, row.finding), i);
  }
  AuditCheck& ambiguous = begin(lint_rules::location_ambiguous, table);
  ambiguous.of = count_of(paths.size());
  std::size_t most = 0;
  std::size_t sum = 0;
  for (const auto& [key, answers] : paths) {
    most = std::max(most, answers.size());
    sum += answers.size();
    if (answers.size() > 1) hit(ambiguous, *table, first_rows.at(key));
  }
  ambiguous.details = Json::object(
      {{"most_answers", count_of(most)},
       {"mean_answers", paths.empty() ? 0.0 : static_cast<double>(sum) / static_cast<double>(paths.size())}});
}

void SplitAudit::check_presence() {
  const PooledTable* table = split_.find(TableKind::presence);
  if (table == nullptr) return;
  const auto yes = split_.texts.find("Yes.");
  const auto no = split_.texts.find("No.");
  AuditCheck unknown{.rule = &lint_rules::presence_answer, .table = table->file};
  AuditCheck repeated{.rule = &lint_rules::question_repeated, .table = table->file};
  AuditCheck several{.rule = &lint_rules::asks_several, .table = table->file};
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const PooledRow& row = table->rows[i];
    if (row.answer != yes && row.answer != no) hit(unknown, *table, i);
    if (!seen.emplace(pair_key(row.volume, row.place), pair_key(row.finding, row.answer)).second)
      hit(repeated, *table, i);
    if (atoms_.of(row.finding).size() > 1) hit(several, *table, i);
  }
  for (AuditCheck* check : {&unknown, &repeated, &several}) {
    check->of = count_of(table->rows.size());
    checks_.push_back(std::move(*check));
  }
  if (findings_at_.empty()) return;
  AuditCheck& differs = begin(lint_rules::presence_differs, table);
  compare_triples(differs, *table, [yes](const PooledRow& row) {
    return row.answer == yes ? std::optional(PooledRow{row.volume, row.place, 0, row.finding}) : std::nullopt;
  });
}

void SplitAudit::check_conflicts() {
  const PooledTable* table = split_.find(TableKind::presence);
  if (table == nullptr) return;
  const auto no = split_.texts.find("No.");
  std::map<std::uint64_t, PlaceSides> places;
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const PooledRow& row = table->rows[i];
    PlaceSides& sides = places[pair_key(row.volume, row.place)];
    const bool denied = row.answer == no;
    const auto& list = atoms_.of(row.finding);
    auto& atoms = denied ? sides.no : sides.yes;
    atoms.insert(atoms.end(), list.begin(), list.end());
    (denied ? sides.no_cells : sides.yes_cells).push_back(row.finding);
    if (denied) sides.first_row = i;
  }
  AuditCheck& check = begin(lint_rules::yes_and_no, table);
  check.of = count_of(places.size());
  std::set<std::uint32_t> volumes;
  std::int64_t identical = 0;
  for (auto& [key, sides] : places) {
    const auto meets = [](std::vector<std::uint32_t> a, std::vector<std::uint32_t> b) {
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
      std::vector<std::uint32_t> both;
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
      return !both.empty();
    };
    if (!meets(sides.yes, sides.no)) continue;
    hit(check, *table, sides.first_row);
    volumes.insert(static_cast<std::uint32_t>(key >> 32U));
    if (meets(sides.yes_cells, sides.no_cells)) ++identical;
  }
  check.details = Json::object({{"volumes", count_of(volumes.size())}, {"identical_questions", identical}});
}

void SplitAudit::check_sizes() {
  const PooledTable* table = split_.find(TableKind::size);
  if (table == nullptr) return;
  AuditCheck unit{.rule = &lint_rules::size_unit, .table = table->file};
  AuditCheck range{.rule = &lint_rules::size_range, .table = table->file};
  AuditCheck repeated{.rule = &lint_rules::question_repeated, .table = table->file};
  AuditCheck ancestor{.rule = &lint_rules::size_has_ancestor, .table = table->file, .of = 0};
  std::set<std::pair<std::uint64_t, std::uint64_t>> rows;
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const PooledRow& row = table->rows[i];
    const std::optional<Measurement> size = find_size(text(row.answer));
    if (!size) hit(unit, *table, i);
    if (size && size->range) hit(range, *table, i);
    if (!rows.emplace(pair_key(row.volume, row.place), pair_key(row.finding, row.answer)).second)
      hit(repeated, *table, i);
  }
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const PooledRow& row = table->rows[i];
    const std::string& path = text(row.place);
    if (std::count(path.begin(), path.end(), '/') < 2) continue;
    ++*ancestor.of;
    for (std::size_t at = path.rfind('/'); at != std::string::npos && at > 0; at = path.rfind('/', at - 1)) {
      const auto above = split_.texts.find(path.substr(0, at));
      if (!above || !rows.contains({pair_key(row.volume, *above), pair_key(row.finding, row.answer)}))
        continue;
      hit(ancestor, *table, i);
      break;
    }
  }
  for (AuditCheck* check : {&unit, &range, &repeated}) check->of = count_of(table->rows.size());
  for (AuditCheck* check : {&unit, &range, &repeated, &ancestor}) checks_.push_back(std::move(*check));
}

void SplitAudit::check_size_findings() {
  const PooledTable* table = split_.find(TableKind::size);
  if (table == nullptr || findings_at_.empty()) return;
  AuditCheck without{.rule = &lint_rules::size_without_abnormality, .table = table->file};
  AuditCheck other{.rule = &lint_rules::size_of_other_finding, .table = table->file};
  std::int64_t not_even_within = 0;
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const PooledRow& row = table->rows[i];
    const auto found = findings_at_.find(pair_key(row.volume, row.place));
    if (found == findings_at_.end()) {
      hit(without, *table, i);
      continue;
    }
    if (atoms_.holds(found->second, text(row.finding))) continue;
    hit(other, *table, i);
    if (ascii_lower(text(found->second)).find(ascii_lower(text(row.finding))) == std::string::npos)
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
  std::map<std::uint32_t, std::set<std::string_view>> positive_heads;
  for (const auto& [key, answer] : findings_at_) {
    if (!is_positive(answer)) continue;
    positive_heads[static_cast<std::uint32_t>(key >> 32U)].insert(
        head_of(text(static_cast<std::uint32_t>(key))));
  }
  std::set<std::uint32_t> seen;
  std::int64_t only_heart = 0;
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const PooledRow& row = table->rows[i];
    if (!seen.insert(row.volume).second) hit(repeated, *table, i);
    if (is_positive(row.answer)) continue;
    ++*contradicts.of;
    const auto heads = positive_heads.find(row.volume);
    if (heads == positive_heads.end()) continue;
    hit(contradicts, *table, i);
    if (heads->second == std::set<std::string_view>{"heart"}) ++only_heart;
  }
  repeated.of = count_of(table->rows.size());
  contradicts.details = Json::object({{"only_in_heart", only_heart}});
  checks_.push_back(std::move(repeated));
  if (!findings_at_.empty()) checks_.push_back(std::move(contradicts));
}

}  // namespace fiducial::radgenome
