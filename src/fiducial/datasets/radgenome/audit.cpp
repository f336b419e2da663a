#include "fiducial/datasets/radgenome/audit.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "fiducial/anatomy/anatomy.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/radgenome/size_text.h"
#include "fiducial/text/words.h"

namespace fiducial::radgenome {

namespace {

// Words that say that nothing is wrong, where the name of a finding should stand.
constexpr std::string_view normal_words[] = {"natural", "symmetrical", "symmetric", "normal"};
// Comparisons and measures that are no finding without what they are said of.
constexpr std::string_view contextless_words[] = {"wider than normal", "larger than normal",
                                                  "cardiothoracic index"};
constexpr double suspicious_share = 0.25;  // of volumes with a heart row: CT-RATE labels one in fourteen

std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) {
  return (static_cast<std::uint64_t>(a) << 32U) | b;
}

std::int64_t count_of(std::size_t n) { return static_cast<std::int64_t>(n); }

// Lists of atoms as sorted numbers, split once a text.
class AtomLists {
 public:
  explicit AtomLists(const Split& split) : split_(split), lists_(split.texts.size()) {}

  const std::vector<std::uint32_t>& of(std::uint32_t text) {
    auto& list = lists_[text];
    if (list) return *list;
    list.emplace();
    for (const std::string_view atom : list_atoms(split_.texts.text(text)))
      list->push_back(atoms_.id_of(atom));
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
    return *list;
  }
  bool holds(std::uint32_t text, std::string_view atom) {
    const std::vector<std::uint32_t>& list = of(text);
    const auto known = atoms_.find(atom);
    return known && std::binary_search(list.begin(), list.end(), *known);
  }
  const std::string& name(std::uint32_t atom) const { return atoms_.text(atom); }

 private:
  const Split& split_;
  TextPool atoms_;
  std::vector<std::optional<std::vector<std::uint32_t>>> lists_;
};

// Runs the checks of one split.
class SplitAudit {
 public:
  explicit SplitAudit(const Split& split) : split_(split), atoms_(split) {
    if (const PooledTable* table = split.find(TableKind::abnormality)) {
      for (const PooledRow& row : table->rows)
        findings_at_.emplace(pair_key(row.volume, row.place), row.answer);
    }
  }

  std::vector<AuditCheck> run() {
    check_volumes();
    check_paths();
    check_abnormality();
    check_closure();
    check_nodes();
    check_location();
    check_presence();
    check_presence_words();
    check_conflicts();
    check_sizes();
    check_size_findings();
    check_disorders();
    check_pericardium();
    return std::move(checks_);
  }

 private:
  // A check that is being counted; what breaks the rule first is kept.
  AuditCheck& begin(const LintRule& rule, const PooledTable* table) {
    checks_.push_back({.rule = &rule, .table = table == nullptr ? "" : table->file});
    return checks_.back();
  }
  void hit(AuditCheck& check, const PooledTable& table, std::size_t row, std::int64_t times = 1) const {
    if (check.count == 0) {
      const PooledRow& first = table.rows[row];
      check.first_place = "line " + decimal(table.lines[row]);
      check.first = split_.volumes.text(first.volume);
      for (const std::uint32_t text : {first.place, first.finding, first.answer}) {
        if (!split_.texts.text(text).empty()) check.first += ", " + split_.texts.text(text);
      }
    }
    check.count += times;
  }
  const std::string& text(std::uint32_t id) const { return split_.texts.text(id); }
  bool is_positive(std::uint32_t answer) { return !atoms_.of(answer).empty(); }

  void check_volumes() {
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

  void check_paths() {
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

  void check_abnormality() {
    const PooledTable* table = split_.find(TableKind::abnormality);
    if (table == nullptr) return;
    AuditCheck& repeated = begin(lint_rules::question_repeated, table);
    repeated.of = count_of(table->rows.size());
    std::unordered_set<std::uint64_t> seen;
    for (std::size_t i = 0; i < table->rows.size(); ++i) {
      const PooledRow& row = table->rows[i];
      if (!seen.insert(pair_key(row.volume, row.place)).second) hit(repeated, *table, i);
    }
    AuditCheck& bare = begin(lint_rules::positive_without_context, table);
    bare.of = count_of(table->rows.size());
    bare.details = Json::object({});
    std::map<std::string_view, std::int64_t> counts;
    for (std::size_t i = 0; i < table->rows.size(); ++i) {
      for (const std::string_view words : contextless_words) {
        if (!is_positive(table->rows[i].answer) || !atoms_.holds(table->rows[i].answer, words)) continue;
        ++counts[words];
        hit(bare, *table, i);
      }
    }
    for (const std::string_view words : contextless_words)
      bare.details.set(std::string(words), counts[words]);
  }

  // The answer of the place above; nothing where that has no row.
  std::optional<std::uint32_t> answer_above(const PooledRow& row) const {
    const std::string& path = text(row.place);
    const auto above = split_.texts.find(path.substr(0, path.rfind('/')));
    if (!above) return std::nullopt;
    const auto found = findings_at_.find(pair_key(row.volume, *above));
    return found == findings_at_.end() ? std::nullopt : std::optional(found->second);
  }

  void check_closure() {
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
  void check_nodes() {
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

  // How often the triples of a table and the positive rows of abnormality are not the same.
  template <typename PlaceOf>
  void compare_triples(AuditCheck& check, const PooledTable& table, const PlaceOf& triple_of) {
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
    check.of = rows;
    check.count += positives - same;
    check.details = Json::object({{"identical", same}, {"positive_rows_of_abnormality", positives}});
  }

  void check_location() {
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
    ambiguous.details =
        Json::object({{"most_answers", count_of(most)},
                      {"mean_answers",
                       paths.empty() ? 0.0 : static_cast<double>(sum) / static_cast<double>(paths.size())}});
  }

  void check_presence() {
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
      return row.answer == yes ? std::optional(PooledRow{row.volume, row.place, 0, row.finding})
                               : std::nullopt;
    });
  }

  void check_presence_words() {
    const PooledTable* table = split_.find(TableKind::presence);
    if (table == nullptr) return;
    const auto no = split_.texts.find("No.");
    AuditCheck& normal = begin(lint_rules::negated_normal, table);
    normal.of = 0;
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
    }
    normal.details =
        Json::object({{"stated_atoms", count_of(stated.size())}, {"denied_atoms", count_of(denied.size())}});
  }

  struct Sides {
    std::vector<std::uint32_t> yes, no;  // atoms
    std::vector<std::uint32_t> yes_cells, no_cells;
    std::size_t first_row = 0;
  };

  void check_conflicts() {
    const PooledTable* table = split_.find(TableKind::presence);
    if (table == nullptr) return;
    const auto no = split_.texts.find("No.");
    std::map<std::uint64_t, Sides> places;
    for (std::size_t i = 0; i < table->rows.size(); ++i) {
      const PooledRow& row = table->rows[i];
      Sides& sides = places[pair_key(row.volume, row.place)];
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

  void check_sizes() {
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
      for (std::size_t at = path.rfind('/'); at != std::string::npos && at > 0;
           at = path.rfind('/', at - 1)) {
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

  void check_size_findings() {
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

  void check_disorders() {
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

  void check_pericardium() {
    const PooledTable* table = split_.find(TableKind::abnormality);
    if (table == nullptr) return;
    std::set<std::uint32_t> with_heart, named, exact;
    std::size_t first_row = 0;
    for (std::size_t i = 0; i < table->rows.size(); ++i) {
      const PooledRow& row = table->rows[i];
      if (head_of(text(row.place)) != "heart") continue;
      with_heart.insert(row.volume);
      for (const std::uint32_t atom : atoms_.of(row.answer)) {
        const std::string name = ascii_lower(atoms_.name(atom));
        if (name.find("pericard") == std::string::npos || name.find("effusion") == std::string::npos)
          continue;
        if (named.empty()) first_row = i;
        named.insert(row.volume);
        if (atoms_.name(atom) == "pericardial effusion") exact.insert(row.volume);
      }
    }
    AuditCheck& check = begin(lint_rules::negation_suspected, table);
    if (!named.empty()) hit(check, *table, first_row, count_of(named.size()));
    check.of = count_of(with_heart.size());
    check.details =
        Json::object({{"finding", "pericardial effusion"}, {"exact_atom", count_of(exact.size())}});
    check.is_fine =
        static_cast<double>(named.size()) <= suspicious_share * static_cast<double>(with_heart.size());
  }

  const Split& split_;
  AtomLists atoms_;
  std::unordered_map<std::uint64_t, std::uint32_t> findings_at_;  // (volume, place) to abnormality
  std::vector<AuditCheck> checks_;
};

}  // namespace

Json AuditCheck::json() const {
  Json out = Json::object({{"code", rule->code}, {"table", table}, {"count", count}});
  if (of) out.set("of", *of);
  if (!details.is_null()) out.set("details", details);
  return out;
}

std::string AuditCheck::message() const {
  std::string out = "expected that " + std::string(rule->promise) + ", found otherwise in " + decimal(count);
  if (of) out += " of " + decimal(*of);
  if (details.as_object() != nullptr) {
    for (const auto& [name, value] : *details.as_object()) {
      const std::string shown = value.as_string() != nullptr ? *value.as_string() : value.compact();
      out.append("; ").append(name).append(" ").append(shown);
    }
  }
  return first.empty() ? out : out + "; first: " + first;
}

std::vector<AuditCheck> audit_split(const Split& split) { return SplitAudit(split).run(); }

}  // namespace fiducial::radgenome
