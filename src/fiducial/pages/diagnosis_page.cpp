#include <algorithm>
#include <map>

#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/pages/diagnostic_page.h"
#include "fiducial/pages/task_pages.h"

namespace fiducial {

namespace {

constexpr std::size_t most_lost = 12;

const RowFact* find_fact(const ScoreRun& run, std::string_view name) {
  const auto found = std::find_if(run.facts.begin(), run.facts.end(),
                                  [name](const RowFact& fact) { return fact.name == name; });
  return found == run.facts.end() ? nullptr : &*found;
}

const ScoreColumn* accuracy_of(const ScoreRun& run) {
  for (const Measure& measure : run.measures) {
    const ScoreColumn& column = run.columns[measure.column];
    if (measure.slot == "accuracy" && column.scorer == run.primary()) return &column;
  }
  return nullptr;
}

// Critical steps that a judge calls false, by case.
std::map<std::string, std::vector<std::string>> false_steps(const ScoreRun& run) {
  std::map<std::string, std::vector<std::string>> out;
  for (const CaseDetail& detail : run.details) {
    const Table* table = std::get_if<Table>(&detail.content);
    if (detail.name != "steps.parquet" || table == nullptr) continue;
    const auto texts = [table](const char* name) -> const Column::Strings& {
      return std::get<Column::Strings>(table->find(name)->values);
    };
    const auto flags = [table](const char* name) -> const Column::Integers& {
      return std::get<Column::Integers>(table->find(name)->values);
    };
    for (std::size_t row = 0; row < table->rows(); ++row) {
      const bool is_false = flags("is_factual")[row] == 0 && flags("is_critical")[row] == 1;
      if (is_false && texts("scorer")[row] == to_string(run.primary()))
        out[texts("case")[row].value_or("")].push_back(texts("text")[row].value_or(""));
    }
  }
  return out;
}

// Without an answer first, then with false critical steps, then the others; each in the order of the split.
std::vector<LostCase> lost_cases(const ScoreRun& run, const std::vector<DiagnosisCase>& cases) {
  std::vector<LostCase> out;
  const ScoreColumn* accuracy = accuracy_of(run);
  const RowFact* letters = find_fact(run, "answer");
  const RowFact* rules = find_fact(run, "answer_rule");
  if (accuracy == nullptr || letters == nullptr || rules == nullptr) return out;
  const auto primary = static_cast<std::size_t>(run.primary());
  const auto steps = false_steps(run);
  for (std::size_t unit = 0; unit < run.units.size(); ++unit) {
    const RunCase& entry = run.cases[run.units[unit].at];
    const auto position = static_cast<std::size_t>(entry.position);
    if ((*accuracy->sums)[unit] > 0 || position >= cases.size()) continue;
    const auto& letter = letters->by_scorer.at(primary)[unit];
    const auto mark = accuracy->marks ? static_cast<std::size_t>((*accuracy->marks)[unit]) : 0;
    LostCase lost{.entry = cases[position],
                  .answer = letter ? std::optional((*letter)[0]) : std::nullopt,
                  .is_missing = run.marks[mark].status == "missing",
                  .rule = rules->by_scorer.at(primary)[unit].value_or("")};
    if (const auto found = steps.find(entry.name); found != steps.end()) lost.false_steps = found->second;
    out.push_back(std::move(lost));
  }
  const auto order = [](const LostCase& lost) { return !lost.answer ? 0 : lost.false_steps.empty() ? 2 : 1; };
  std::stable_sort(out.begin(), out.end(),
                   [&](const LostCase& a, const LostCase& b) { return order(a) < order(b); });
  return out;
}

}  // namespace

Result<std::string> diagnosis_page(const RunPage& page) {
  DiagnosticPageInput input{
      .summary = page.summary, .command = command_of(page.run, false), .is_private = page.is_private()};
  if (!page.is_private()) {
    FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(page.dataset));
    FIDUCIAL_TRY(const std::unique_ptr<DiagnosisDataset> dataset, adapter->open_questions(page.dataset));
    FIDUCIAL_TRY(const DiagnosisSplit split, dataset->read_split(page.run.split));
    input.lost = lost_cases(page.run, split.cases);
    input.lost_in_all = static_cast<std::int64_t>(input.lost.size());
    if (input.lost.size() > most_lost) input.lost.erase(input.lost.begin() + most_lost, input.lost.end());
  }
  return diagnostic_page(input);
}

}  // namespace fiducial
