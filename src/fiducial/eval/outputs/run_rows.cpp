#include <algorithm>
#include <limits>

#include "fiducial/eval/outputs/row_columns.h"
#include "fiducial/eval/outputs/write_scores.h"
#include "fiducial/table/parquet.h"

namespace fiducial {

namespace {

constexpr std::size_t rows_of_a_batch = 32768;

// The labels of every unit by one kind of groups; several stand beside each other.
class UnitLabels {
 public:
  UnitLabels(const GroupKind& kind, std::size_t units) : kind_(kind), first_(units, none) {
    for (std::uint32_t i = 0; i < kind.groups.size(); ++i) {
      for (const std::uint32_t unit : kind.groups[i].members) add(unit, i);
    }
  }

  std::optional<std::string> of(std::size_t unit) const {
    const auto several = several_.find(static_cast<std::uint32_t>(unit));
    if (several != several_.end()) return several->second;
    return first_[unit] == none ? std::string() : kind_.groups[first_[unit]].label;
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  void add(std::uint32_t unit, std::uint32_t group) {
    if (first_[unit] == none) {
      first_[unit] = group;
      return;
    }
    std::string& all = several_.try_emplace(unit, kind_.groups[first_[unit]].label).first->second;
    all.append(label_separator).append(kind_.groups[group].label);
  }

  const GroupKind& kind_;
  std::vector<std::uint32_t> first_;
  std::map<std::uint32_t, std::string> several_;
};

// How every slot is made of rows.
Json measures_json(const ScoreRun& run) {
  Json out{Json::Array{}};
  for (const Measure& measure : run.measures) {
    if (measure.corpus) continue;  // rows do not give it
    const ScoreColumn& column = run.columns[measure.column];
    Json counts{Json::Array{}};
    for (const std::size_t each : measure.counts) counts.push(run.columns[each].id);
    out.push(Json::object({{"slot", measure.slot},
                           {"scorer", to_string(column.scorer)},
                           {"metric", column.id},
                           {"statistic", to_json(measure.statistic)},
                           {"counts", std::move(counts)}}));
  }
  return out;
}

// Lays rows out batch by batch.
class RowBatches {
 public:
  RowBatches(const ScoreRun& run, const std::function<Outcome(const Table&)>& take) : run_(run), take_(take) {
    for (const GroupKind& kind : run.groups) labels_.emplace_back(kind, run.units.size());
    begin();
  }

  Outcome visit() {
    for (const Scorer scorer : run_.scorers()) {
      for (std::size_t unit = 0; unit < run_.units.size(); ++unit) {
        add_unit(unit, scorer);
        if (weights_.size() >= rows_of_a_batch) FIDUCIAL_TRY_DONE(flush());
      }
    }
    if (is_empty_ || !weights_.empty()) FIDUCIAL_TRY_DONE(flush());
    return done();
  }

 private:
  void begin() {
    rows_ = RowColumns();
    rows_.reserve(rows_of_a_batch);
    weights_.clear();
    groups_.assign(labels_.size(), {});
    facts_.assign(run_.facts.size(), {});
  }

  void add_unit(std::size_t unit, Scorer scorer) {
    for (const ScoreColumn& column : run_.columns) {
      if (column.scorer != scorer || !column.has_rows) continue;
      const double weight = (*column.weights)[unit];
      if (run_.is_sparse && !(weight > 0) && !column.has_every_row) continue;
      rows_.add(row_of(unit, column));
      weights_.emplace_back(weight);
      for (std::size_t i = 0; i < labels_.size(); ++i) groups_[i].push_back(labels_[i].of(unit));
      for (std::size_t i = 0; i < facts_.size(); ++i)
        facts_[i].push_back(run_.facts[i].by_scorer[static_cast<std::size_t>(scorer)][unit]);
    }
  }

  ScoreRow row_of(std::size_t unit, const ScoreColumn& column) const {
    const RunCase& entry = run_.cases[run_.units[unit].at];
    const double weight = (*column.weights)[unit];
    const auto mark = column.marks ? static_cast<std::size_t>((*column.marks)[unit]) : 0;
    ScoreRow out{.case_name = entry.name,
                 .patient = entry.patient,
                 .finding = run_.units[unit].number,
                 .category = run_.categories.empty() ? "" : run_.categories[unit],
                 .scorer = column.scorer,
                 .metric = column.id,
                 .version = column.contract->version,
                 .status = run_.marks[mark].status};
    if (weight > 0) out.value = (*column.sums)[unit] / weight;
    if (!(weight > 0) && column.has_every_row) out.value = 0;
    if (mark > 0) out.reason = run_.marks[mark].reason;
    return out;
  }

  Outcome flush() {
    std::vector<Column> further;
    further.push_back({"weight", std::move(weights_)});
    for (std::size_t i = 0; i < facts_.size(); ++i)
      further.push_back({run_.facts[i].name, std::move(facts_[i])});
    for (std::size_t i = 0; i < groups_.size(); ++i)
      further.push_back({group_column_prefix + run_.groups[i].kind, std::move(groups_[i])});
    Table table = rows_.take(std::move(further));
    table.metadata.emplace_back("measures", measures_json(run_).compact());
    if (run_.is_sparse) table.metadata.emplace_back("sparse", "true");
    if (!run_.official_stopped.empty()) table.metadata.emplace_back("official_stops", "true");
    FIDUCIAL_TRY_DONE(take_(table));
    is_empty_ = false;
    begin();
    return done();
  }

  const ScoreRun& run_;
  const std::function<Outcome(const Table&)>& take_;
  std::vector<UnitLabels> labels_;
  RowColumns rows_;
  Column::Numbers weights_;
  std::vector<Column::Strings> groups_;
  std::vector<Column::Strings> facts_;
  bool is_empty_ = true;
};

}  // namespace

Outcome visit_rows(const ScoreRun& run, const std::function<Outcome(const Table&)>& take) {
  return RowBatches(run, take).visit();
}

Outcome write_rows(const ScoreRun& run, const Path& path) {
  FIDUCIAL_TRY(const std::unique_ptr<ParquetFile> file, ParquetFile::create(path));
  FIDUCIAL_TRY_DONE(visit_rows(run, [&file](const Table& batch) { return file->append(batch); }));
  return file->close();
}

}  // namespace fiducial
