#include <algorithm>
#include <map>

#include "fiducial/eval/run/score_run_json.h"

namespace fiducial {

namespace {

// Where a unit of the whole comes from.
struct UnitSource {
  std::size_t part = 0;
  std::size_t unit = 0;
};

// Adds whole numbers of equal names, however deep they lie.
void add_tallies(Json& sum, const Json& more) {
  if (more.as_object() == nullptr) return;
  if (sum.is_null()) sum = Json::object({});
  for (const auto& [key, value] : *more.as_object()) {
    Json one = sum.find(key) == nullptr ? Json() : *sum.find(key);
    if (value.as_integer() != nullptr) {
      one = Json((one.as_integer() == nullptr ? 0 : *one.as_integer()) + *value.as_integer());
    } else {
      add_tallies(one, value);
    }
    sum.set(key, std::move(one));
  }
}

// Puts parts together; the first one already holds what is common.
class RunMerger {
 public:
  explicit RunMerger(std::vector<ScoreRun> parts) : parts_(std::move(parts)) { order_cases(); }

  ScoreRun merge() {
    ScoreRun out = parts_.front();
    out.cases.clear();
    out.units.clear();
    out.columns.clear();
    add_cases(out);
    add_columns(out);
    add_corpora(out);
    add_groups(out);
    add_facts(out);
    add_files(out);
    add_details(out);
    out.remarks.clear();
    out.failures = out.attempts = 0;
    out.tallies = Json();
    for (const ScoreRun& part : parts_) {
      out.failures += part.failures;
      out.attempts += part.attempts;
      add_tallies(out.tallies, part.tallies);
      out.remarks.insert(out.remarks.end(), part.remarks.begin(), part.remarks.end());
    }
    sort_remarks(out);
    return out;
  }

 private:
  void order_cases() {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      for (std::size_t c = 0; c < parts_[p].cases.size(); ++c) cases_.push_back({p, c});
    }
    std::sort(cases_.begin(), cases_.end(), [this](const UnitSource& a, const UnitSource& b) {
      return parts_[a.part].cases[a.unit].position < parts_[b.part].cases[b.unit].position;
    });
  }

  void add_cases(ScoreRun& out) {
    std::vector<std::vector<std::vector<std::size_t>>> units_of(parts_.size());
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      units_of[p].resize(parts_[p].cases.size());
      for (std::size_t u = 0; u < parts_[p].units.size(); ++u)
        units_of[p][parts_[p].units[u].at].push_back(u);
    }
    out.categories.clear();
    for (const UnitSource& from : cases_) {
      const auto at = static_cast<std::uint32_t>(out.cases.size());
      const ScoreRun& part = parts_[from.part];
      out.cases.push_back(part.cases[from.unit]);
      for (const std::size_t unit : units_of[from.part][from.unit]) {
        units_.push_back({from.part, unit});
        out.units.push_back({at, part.units[unit].number});
        if (!part.categories.empty()) out.categories.push_back(part.categories[unit]);
      }
    }
  }

  SharedValues gathered(const std::vector<SharedValues>& of_parts) const {
    if (std::any_of(of_parts.begin(), of_parts.end(), [](const SharedValues& each) { return !each; }))
      return nullptr;
    UnitValues out(units_.size());
    for (std::size_t i = 0; i < units_.size(); ++i) out[i] = (*of_parts[units_[i].part])[units_[i].unit];
    return shared(std::move(out));
  }

  // Marks have numbers of their own in every part.
  SharedValues gathered_marks(std::size_t column, ScoreRun& out) {
    UnitValues marks(units_.size());
    for (std::size_t i = 0; i < units_.size(); ++i) {
      const ScoreRun& part = parts_[units_[i].part];
      const SharedValues& own = part.columns[column].marks;
      if (own) marks[i] = out.mark(part.marks[static_cast<std::size_t>((*own)[units_[i].unit])]);
    }
    return shared(std::move(marks));
  }

  SharedValues gathered_excuses(std::size_t column) const {
    UnitValues out(units_.size());
    bool is_any = false;
    for (std::size_t i = 0; i < units_.size(); ++i) {
      const SharedValues& own = parts_[units_[i].part].columns[column].excused;
      if (own) out[i] = (*own)[units_[i].unit];
      is_any |= out[i] > 0;
    }
    return is_any ? shared(std::move(out)) : nullptr;
  }

  void add_columns(ScoreRun& out) {
    out.marks = {RowMark{"scored", ""}};
    for (std::size_t c = 0; c < parts_.front().columns.size(); ++c) {
      ScoreColumn column = parts_.front().columns[c];
      for (SharedValues ScoreColumn::*member :
           {&ScoreColumn::sums, &ScoreColumn::weights, &ScoreColumn::asked, &ScoreColumn::failed,
            &ScoreColumn::best_sums, &ScoreColumn::best_weights, &ScoreColumn::floor_sums,
            &ScoreColumn::floor_weights}) {
        std::vector<SharedValues> of_parts;
        for (const ScoreRun& part : parts_) of_parts.push_back(part.columns[c].*member);
        column.*member = gathered(of_parts);
      }
      column.marks = gathered_marks(c, out);
      column.excused = gathered_excuses(c);
      out.add(std::move(column));
    }
  }

  void add_corpora(ScoreRun& out) const {
    for (std::size_t m = 0; m < out.measures.size(); ++m) {
      if (!out.measures[m].corpus) continue;
      auto counts = std::make_shared<std::vector<BleuCounts>>();
      for (const UnitSource& from : units_)
        counts->push_back((*parts_[from.part].measures[m].corpus)[from.unit]);
      out.measures[m].corpus = std::move(counts);
    }
  }

  void add_groups(ScoreRun& out) const {
    std::vector<std::vector<std::uint32_t>> place(parts_.size());
    for (std::size_t p = 0; p < parts_.size(); ++p) place[p].resize(parts_[p].units.size());
    for (std::size_t i = 0; i < units_.size(); ++i)
      place[units_[i].part][units_[i].unit] = static_cast<std::uint32_t>(i);
    for (std::size_t k = 0; k < out.groups.size(); ++k) {
      std::map<std::pair<double, std::string>, LabelledUnits> by_label;
      for (std::size_t p = 0; p < parts_.size(); ++p) {
        for (const LabelledUnits& group : parts_[p].groups[k].groups) {
          LabelledUnits& whole = by_label[{group.order, group.label}];
          whole.label = group.label;
          whole.order = group.order;
          for (const std::uint32_t unit : group.members) whole.members.push_back(place[p][unit]);
        }
      }
      out.groups[k].groups.clear();
      for (auto& [key, group] : by_label) {
        std::sort(group.members.begin(), group.members.end());
        out.groups[k].groups.push_back(std::move(group));
      }
    }
  }

  void add_facts(ScoreRun& out) const {
    for (std::size_t f = 0; f < out.facts.size(); ++f) {
      for (std::size_t s = 0; s < 2; ++s) {
        Column::Strings cells;
        for (const UnitSource& from : units_)
          cells.push_back(parts_[from.part].facts[f].by_scorer.at(s)[from.unit]);
        out.facts[f].by_scorer.at(s) = std::move(cells);
      }
    }
  }

  // Files that tell of no single case are the same in all parts.
  void add_files(ScoreRun& out) const {
    for (std::vector<HashedFile> ScoreRun::*member :
         {&ScoreRun::dataset_files, &ScoreRun::prediction_files}) {
      for (std::size_t p = 1; p < parts_.size(); ++p) {
        for (const HashedFile& file : parts_[p].*member) {
          if (file.position >= 0) (out.*member).push_back(file);
        }
      }
      std::stable_sort(
          (out.*member).begin(), (out.*member).end(), [](const HashedFile& a, const HashedFile& b) {
            return std::max<std::int64_t>(a.position, -1) < std::max<std::int64_t>(b.position, -1);
          });
    }
    out.files.clear();
    for (const ScoreRun& part : parts_)
      out.files.insert(out.files.end(), part.files.begin(), part.files.end());
    const std::map<std::string, std::int64_t> positions = positions_of(out);
    std::stable_sort(out.files.begin(), out.files.end(), [&](const CaseFiles& a, const CaseFiles& b) {
      return position_in(positions, a.name) < position_in(positions, b.name);
    });
  }

  static std::map<std::string, std::int64_t> positions_of(const ScoreRun& run) {
    std::map<std::string, std::int64_t> out;
    for (const RunCase& entry : run.cases) out.emplace(entry.name, entry.position);
    return out;
  }

  // What is about no case of the run comes last.
  static std::int64_t position_in(const std::map<std::string, std::int64_t>& positions,
                                  const std::string& name) {
    const auto found = positions.find(name);
    return found == positions.end() ? static_cast<std::int64_t>(positions.size()) + (std::int64_t{1} << 40)
                                    : found->second;
  }

  void add_details(ScoreRun& out) const {
    out.details.clear();
    for (const ScoreRun& part : parts_) {
      for (const CaseDetail& detail : part.details) {
        const auto known = std::find_if(out.details.begin(), out.details.end(),
                                        [&](const CaseDetail& each) { return each.name == detail.name; });
        if (known == out.details.end()) {
          out.details.push_back(detail);
        } else if (std::string* text = std::get_if<std::string>(&known->content)) {
          *text += std::get<std::string>(detail.content);
        } else {
          append(std::get<Table>(known->content), std::get<Table>(detail.content));
        }
      }
    }
    const std::map<std::string, std::int64_t> positions = positions_of(out);
    for (CaseDetail& detail : out.details) {
      if (Table* table = std::get_if<Table>(&detail.content)) sort_by_case(*table, positions);
    }
  }

  static void append(Table& to, const Table& more) {
    for (std::size_t c = 0; c < to.columns.size() && c < more.columns.size(); ++c) {
      std::visit(
          [&](auto& cells) {
            using Cells = std::decay_t<decltype(cells)>;
            const auto& others = std::get<Cells>(more.columns[c].values);
            cells.insert(cells.end(), others.begin(), others.end());
          },
          to.columns[c].values);
    }
  }

  static void sort_by_case(Table& table, const std::map<std::string, std::int64_t>& positions) {
    const Column* cases = table.find("case");
    if (cases == nullptr) return;
    const auto& names = std::get<Column::Strings>(cases->values);
    std::vector<std::size_t> order(names.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return position_in(positions, names[a].value_or("")) < position_in(positions, names[b].value_or(""));
    });
    for (Column& column : table.columns) {
      std::visit(
          [&order](auto& cells) {
            std::decay_t<decltype(cells)> sorted;
            for (const std::size_t i : order) sorted.push_back(std::move(cells[i]));
            cells = std::move(sorted);
          },
          column.values);
    }
  }

  std::vector<ScoreRun> parts_;
  std::vector<UnitSource> cases_;  // in the order of the whole
  std::vector<UnitSource> units_;
};

}  // namespace

ScoreRun merged(std::vector<ScoreRun> parts) { return RunMerger(std::move(parts)).merge(); }

}  // namespace fiducial
