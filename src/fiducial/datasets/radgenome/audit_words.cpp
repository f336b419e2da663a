#include <algorithm>
#include <map>
#include <set>

#include "fiducial/datasets/radgenome/agreement.h"
#include "fiducial/datasets/radgenome/split_audit.h"
#include "fiducial/findings/finding_names.h"
#include "fiducial/findings/report_labels.h"
#include "fiducial/text/words.h"

namespace fiducial::radgenome {

namespace {

// The words by which the published tables are known to break the rules; their counts are those of the
// published audit. FindingNameReader knows others.
constexpr std::string_view normal_words[] = {"natural", "symmetrical", "symmetric", "normal"};
constexpr std::string_view contextless_words[] = {"wider than normal", "larger than normal",
                                                  "cardiothoracic index"};
constexpr double suspicious_share = 0.25;  // of volumes with a heart row: CT-RATE labels one in fourteen

// Of 800 reports of CT-RATE that people labelled, how many have each of its labels, in the order of its
// tables.
constexpr std::int64_t labelled_of_800[] = {120, 221, 90,  64,  178, 128, 272, 184, 224,
                                            370, 240, 213, 117, 67,  71,  125, 77,  67};
constexpr double labelled_reports = 800;
constexpr double suspicious_ratio = 3;       // of the share of a label here and there
constexpr std::size_t fewest_volumes = 100;  // that a share is taken of
constexpr std::string_view counted_by_name = "Pericardial effusion";

// Tells which lists hold an atom of some kind; every atom is read once.
class AtomKinds {
 public:
  explicit AtomKinds(const AtomLists& atoms) : atoms_(atoms) {}

  bool any_is(const std::vector<std::uint32_t>& list, FindingNameKind a, FindingNameKind b) {
    return std::any_of(list.begin(), list.end(), [&](std::uint32_t atom) {
      const auto [at, is_new] = kinds_.try_emplace(atom, FindingNameKind::finding);
      if (is_new) at->second = reader_.kind_of(atoms_.name(atom));
      return at->second == a || at->second == b;
    });
  }

 private:
  const AtomLists& atoms_;
  FindingNameReader reader_;
  std::unordered_map<std::uint32_t, FindingNameKind> kinds_;
};

}  // namespace

void SplitAudit::check_vague_positives() {
  const PooledTable* table = split_.find(TableKind::abnormality);
  if (table == nullptr) return;
  AuditCheck& bare = begin(lint_rules::positive_without_context, table);
  bare.of = count_of(table->rows.size());
  bare.by_rules = 0;
  AtomKinds kinds(atoms_);
  std::map<std::string_view, std::int64_t> counts;
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const std::uint32_t answer = table->rows[i].answer;
    for (const std::string_view words : contextless_words) {
      if (!atoms_.holds(answer, words)) continue;
      ++counts[words];
      hit(bare, *table, i);
    }
    if (!kinds.any_is(atoms_.of(answer), FindingNameKind::vague, FindingNameKind::place)) continue;
    ++*bare.by_rules;
    note_first(bare, *table, i);
  }
  bare.details = Json::object({});
  for (const std::string_view words : contextless_words) bare.details.set(std::string(words), counts[words]);
  bare.details.set("by_rules", *bare.by_rules);
}

void SplitAudit::check_denied_words() {
  const PooledTable* table = split_.find(TableKind::presence);
  if (table == nullptr) return;
  const auto no = split_.texts.find("No.");
  AuditCheck& normal = begin(lint_rules::negated_normal, table);
  normal.of = 0;
  normal.by_rules = 0;
  AtomKinds kinds(atoms_);
  std::set<std::uint32_t> stated;
  std::set<std::uint32_t> denied;
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const PooledRow& row = table->rows[i];
    const auto& list = atoms_.of(row.finding);
    (row.answer == no ? denied : stated).insert(list.begin(), list.end());
    if (row.answer != no) continue;
    ++*normal.of;
    const bool is_normal =
        std::any_of(std::begin(normal_words), std::end(normal_words),
                    [&](std::string_view word) { return atoms_.holds(row.finding, word); });
    if (is_normal) hit(normal, *table, i);
    if (!is_normal && !kinds.any_is(list, FindingNameKind::normality, FindingNameKind::place)) continue;
    ++*normal.by_rules;
    note_first(normal, *table, i);
  }
  normal.details = Json::object({{"stated_atoms", count_of(stated.size())},
                                 {"denied_atoms", count_of(denied.size())},
                                 {"by_rules", *normal.by_rules}});
}

void SplitAudit::check_negations() {
  const PooledTable* table = split_.find(TableKind::abnormality);
  if (table == nullptr) return;
  std::set<std::uint32_t> with_heart, named, exact;
  AuditCheck check{.rule = &lint_rules::negation_suspected, .table = table->file};
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    const PooledRow& row = table->rows[i];
    if (head_of(text(row.place)) != "heart") continue;
    with_heart.insert(row.volume);
    for (const std::uint32_t atom : atoms_.of(row.answer)) {
      const std::string name = ascii_lower(atoms_.name(atom));
      if (name.find("pericard") == std::string::npos || name.find("effusion") == std::string::npos) continue;
      note_first(check, *table, i);
      named.insert(row.volume);
      if (atoms_.name(atom) == "pericardial effusion") exact.insert(row.volume);
    }
  }
  check.count = count_of(named.size());
  check.of = count_of(with_heart.size());
  check.is_fine =
      static_cast<double>(named.size()) <= suspicious_share * static_cast<double>(with_heart.size());
  check.details = Json::object({{"finding", "pericardial effusion"}, {"exact_atom", count_of(exact.size())}});
  checks_.push_back(std::move(check));
  check_label_shares(*table);
}

void SplitAudit::check_label_shares(const PooledTable& table) {
  const std::map<std::uint32_t, std::vector<bool>> raised = raised_labels(split_, table);
  if (raised.size() < fewest_volumes) return;
  const std::vector<std::string>& names = ct_rate_label_rules().names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto volumes =
        std::count_if(raised.begin(), raised.end(), [i](const auto& each) { return bool{each.second[i]}; });
    const double share = static_cast<double>(volumes) / static_cast<double>(raised.size());
    const double usual = static_cast<double>(labelled_of_800[i]) / labelled_reports;
    if (names[i] == counted_by_name || share <= suspicious_ratio * usual) continue;
    AuditCheck& check = begin(lint_rules::negation_suspected, &table);
    check.count = volumes;
    check.of = count_of(raised.size());
    check.details = Json::object({{"finding", names[i]}, {"usual_share", usual}});
  }
}

}  // namespace fiducial::radgenome
