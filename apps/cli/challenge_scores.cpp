#include "challenge_scores.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/eval/outputs/write_scores.h"

namespace fiducial::cli {

namespace {

template <typename Values>
const Values* column_of(const Table& table, const std::string& name) {
  const Column* column = table.find(name);
  return column == nullptr ? nullptr : std::get_if<Values>(&column->values);
}

// The strict values of every unit: a finding, a question about a region, a case.
class UnitResults {
 public:
  Outcome take(const Table& rows) {
    const auto* cases = column_of<Column::Strings>(rows, "case");
    const auto* units = column_of<Column::Integers>(rows, "finding");
    const auto* scorers = column_of<Column::Strings>(rows, "scorer");
    const auto* metrics = column_of<Column::Strings>(rows, "metric");
    const auto* values = column_of<Column::Numbers>(rows, "value");
    if (cases == nullptr || units == nullptr || scorers == nullptr || metrics == nullptr || values == nullptr)
      return Error(ErrorCode::internal, "rows lack a column");
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      if ((*scorers)[i].value_or("") != "strict" || !(*values)[i]) continue;
      const std::string name = (*cases)[i].value_or("");
      const std::int64_t unit = (*units)[i].value_or(0);
      if (name != case_ || unit != unit_ || results_.empty()) {
        results_.push_back(Json::object({{"case", name}, {"finding", unit}}));
        case_ = name;
        unit_ = unit;
      }
      results_.back().set((*metrics)[i].value_or(""), *(*values)[i]);
    }
    return done();
  }
  Json::Array results() && { return std::move(results_); }

 private:
  Json::Array results_;
  std::string case_;
  std::int64_t unit_ = 0;
};

}  // namespace

Outcome write_challenge_metrics(const std::string& folder, const Json& summary, const ScoreRun& run,
                                bool is_private) {
  UnitResults units;
  if (!is_private)
    FIDUCIAL_TRY_DONE(visit_rows(run, [&units](const Table& rows) { return units.take(rows); }));
  const Json metrics = challenge_metrics(summary, std::move(units).results());
  return write_file(Path(folder) / "metrics.json", std::string_view(metrics.pretty()));
}

}  // namespace fiducial::cli
