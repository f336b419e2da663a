#include "fiducial/eval/task_run.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "fiducial/eval/private_outputs.h"
#include "fiducial/eval/row_columns.h"
#include "fiducial/eval/score_folder.h"
#include "fiducial/metrics/table_contracts.h"
#include "fiducial/stats/bootstrap.h"
#include "fiducial/table/parquet.h"

namespace fiducial {

namespace {

constexpr std::size_t rows_of_a_batch = 32768;

// Sums of one measure over the patients of a group.
struct PatientSums {
  std::vector<std::size_t> patients;  // ascending; those that count
  std::vector<double> sums;
  std::vector<double> weights;
  double n = 0;
  double failed = 0;
  double undefined = 0;  // questions without a score of their own, or whose unit counts nothing
};

// Pools measures over groups of units, with intervals from resampling patients.
class TaskAggregator {
 public:
  explicit TaskAggregator(const TaskRun& run)
      : run_(run), patients_(run.patients()), bootstrap_(patients_.second, run.resamples, run.seed) {}

  // Of all units, or of those of one part; slots that count nothing are left out of parts.
  Json slots(std::optional<std::uint32_t> part) const {
    Json out = Json::object({});
    for (const TaskScores& task : run_.tasks) {
      Known known;
      for (const TaskMeasure& measure : task.measures) {
        const PatientSums sums = sums_of(task, measure, part);
        if (part && sums.patients.empty()) continue;
        out.set(measure.slot, slot_of(task, measure, sums, known));
      }
    }
    return out;
  }

 private:
  // The denominators of the measure before: those of a task are mostly the same.
  struct Known {
    std::vector<double> weights;
    std::vector<double> totals;
  };

  PatientSums sums_of(const TaskScores& task, const TaskMeasure& measure,
                      std::optional<std::uint32_t> part) const {
    std::vector<double> sums(patients_.second), weights(patients_.second);
    PatientSums out;
    for (std::size_t i = 0; i < run_.units.size(); ++i) {
      if (part && run_.units[i].part != *part) continue;
      const double weight = measure.weights.empty() ? task.counts[i] : measure.weights[i];
      const double scored = measure.counts_defined ? measure.weights[i] : task.counts[i];
      out.n += scored;
      out.failed += task.failed[i];
      out.undefined += weight > 0 ? task.counts[i] - scored : task.counts[i];
      if (!(weight > 0)) continue;
      const std::uint32_t patient = patients_.first[run_.units[i].at];
      sums[patient] += measure.sums[i];
      weights[patient] += weight;
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (!(weights[i] > 0)) continue;
      out.patients.push_back(i);
      out.sums.push_back(sums[i]);
      out.weights.push_back(weights[i]);
    }
    return out;
  }

  std::optional<Interval> interval_of(const PatientSums& sums, Known& known) const {
    if (sums.patients.size() < 2) return std::nullopt;
    if (known.weights != sums.weights) {
      known.weights = sums.weights;
      known.totals = bootstrap_.totals(sums.patients, sums.weights);
    }
    return ratio_interval95(bootstrap_.totals(sums.patients, sums.sums), known.totals);
  }

  Json slot_of(const TaskScores& task, const TaskMeasure& measure, const PatientSums& sums,
               Known& known) const {
    const double sum = std::accumulate(sums.sums.begin(), sums.sums.end(), 0.0);
    const double weight = std::accumulate(sums.weights.begin(), sums.weights.end(), 0.0);
    const MetricContract& contract = *measure.contract;
    Json out = Json::object({{"value", weight > 0 ? Json(sum / weight) : Json()}, {"metric", measure.id()}});
    if (!(weight > 0)) out.set("reason", task.absence);
    const auto interval = weight > 0 ? interval_of(sums, known) : std::nullopt;
    out.set("ci95", interval ? Json::array({interval->low, interval->high}) : Json());
    out.set("n", static_cast<std::int64_t>(sums.n))
        .set("n_undefined", static_cast<std::int64_t>(sums.undefined))
        .set("n_failed", static_cast<std::int64_t>(sums.failed));
    if (contract.unit != "1") out.set("unit", contract.unit);
    return out.set("better", to_string(contract.better)).set("version", contract.version);
  }

  const TaskRun& run_;
  std::pair<std::vector<std::uint32_t>, std::size_t> patients_;
  ClusterBootstrap bootstrap_;
};

Json files_json(const std::vector<HashedFile>& files) {
  Json out{Json::Array{}};
  for (const HashedFile& file : files) {
    out.push(Json::object({{"file", file.name}, {"sha256", file.digest.hex()}}));
  }
  return out;
}

Json digest_or_null(const std::optional<Digest>& digest) { return digest ? Json(digest->hex()) : Json(); }

Json masks_json(const TaskRun& run) {
  Json out{Json::Array{}};
  for (const HashedCase& each : run.masks) {
    out.push(Json::object({{"case", each.name},
                           {"reference", "masks"},
                           {"reference_sha256", digest_or_null(each.reference)},
                           {"prediction_sha256", digest_or_null(each.prediction)}}));
  }
  return out;
}

Json task_remarks_json(const TaskRun& run) {
  Json out{Json::Array{}};
  for (const TaskRemark& each : run.remarks) {
    out.push(Json::object({{"case", each.about}, {"code", each.code}, {"text", each.text}}));
  }
  return out;
}

// Rows of consecutive units, and the unit behind them.
struct UnitRows {
  Table table;
  std::size_t end = 0;
};

// The rows of units from `begin` on, until there are enough for a batch.
UnitRows rows_from(const TaskRun& run, std::size_t begin) {
  RowColumns rows;
  rows.reserve(rows_of_a_batch);
  Column::Numbers weights;
  Column::Strings labels;
  std::size_t i = begin;
  for (; i < run.units.size() && weights.size() < rows_of_a_batch; ++i) {
    const TaskCase& entry = run.cases[run.units[i].at];
    for (const TaskScores& task : run.tasks) {
      for (const TaskMeasure& measure : task.measures) {
        const double weight = measure.weights.empty() ? task.counts[i] : measure.weights[i];
        // Every unit has a row of `answered`: folders that are compared have rows of the same units.
        if (!(weight > 0) && measure.contract->id != "answered") continue;
        ScoreRow row{.case_name = entry.name,
                     .patient = entry.patient,
                     .finding = run.units[i].part,
                     .metric = measure.id(),
                     .version = measure.contract->version,
                     .status = "scored",
                     .value = weight > 0 ? measure.sums[i] / weight : 0};
        if (task.counts[i] > 0 && task.failed[i] == task.counts[i]) {
          row.status = "missing";
          row.reason = "no answer";
        }
        rows.add(std::move(row));
        weights.emplace_back(weight);
        labels.emplace_back(run.parts[run.units[i].part]);
      }
    }
  }
  std::vector<Column> further;
  further.push_back({"weight", std::move(weights)});
  further.push_back({group_column_prefix + run.part_kind, std::move(labels)});
  return {rows.take(std::move(further)), i};
}

Outcome write_rows(const TaskRun& run, const Path& path) {
  FIDUCIAL_TRY(std::unique_ptr<ParquetFile> file, ParquetFile::create(path));
  std::size_t begin = 0;
  do {
    const UnitRows rows = rows_from(run, begin);
    FIDUCIAL_TRY_DONE(file->append(rows.table));
    begin = rows.end;
  } while (begin < run.units.size());
  return file->close();
}

}  // namespace

TaskMeasure& TaskScores::add(const std::string& slot, const std::string& contract_id, bool has_weights) {
  measures.push_back(
      {.slot = slot, .contract = &table_contract(contract_id), .sums = UnitValues(counts.size())});
  if (has_weights) measures.back().weights = UnitValues(counts.size());
  return measures.back();
}

void TaskScores::pack() {
  counts.pack();
  failed.pack();
  for (TaskMeasure& measure : measures) {
    measure.sums.pack();
    measure.weights.pack();
  }
}

Digest digest_of(const std::vector<HashedFile>& files) {
  std::string lines;
  for (const HashedFile& file : files) lines += file.digest.hex() + "  " + file.name + "\n";
  return sha256(as_bytes(lines));
}

std::pair<std::vector<std::uint32_t>, std::size_t> TaskRun::patients() const {
  std::map<std::string_view, std::uint32_t> numbers;
  std::vector<std::uint32_t> out;
  for (const TaskCase& entry : cases) {
    out.push_back(numbers.emplace(entry.patient, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  return {std::move(out), numbers.size()};
}

Digest TaskRun::dataset_digest() const { return digest_of(dataset_files); }

Digest TaskRun::predictions_digest() const {
  std::vector<HashedFile> files = prediction_files;
  for (const HashedCase& each : masks) {
    if (each.prediction) files.push_back({"masks of " + each.name, *each.prediction});
  }
  return digest_of(files);
}

Json plan_json(const TaskRun& run) {
  Json metrics{Json::Array{}};
  for (const TaskScores& task : run.tasks) {
    for (const TaskMeasure& measure : task.measures) {
      metrics.push(Json::object({{"id", measure.id()},
                                 {"contract", measure.contract->id},
                                 {"version", measure.contract->version},
                                 {"scorer", "strict"}}));
    }
  }
  Json out = Json::object({{"schema", "fiducial.plan/1"},
                           {"tool", "fiducial"},
                           {"tool_version", FIDUCIAL_VERSION},
                           {"benchmark", run.benchmark},
                           {"split", run.split},
                           {"mode", "strict"},
                           {"system", run.system},
                           {"seed", run.seed},
                           {"resamples", run.resamples},
                           {"metrics", std::move(metrics)}});
  if (!run.task.empty()) out.set("task", run.task);
  if (!run.metrics.empty()) {
    Json words{Json::Array{}};
    for (const std::string& word : run.metrics) words.push(word);
    out.set("asked_metrics", std::move(words));
  }
  if (!run.mask_rules.is_null()) out.set("mask_rules", run.mask_rules);
  if (run.wordnet) {
    out.set("inputs", Json::array({Json::object(
                          {{"file", "wordnet"}, {"sha256", run.wordnet->hex()}, {"role", "wordnet"}})}));
  }
  out.set("dataset", Json::object({{"file", run.dataset_file}, {"sha256", run.dataset_digest().hex()}}));
  out.set("predictions",
          Json::object({{"file", run.predictions_file}, {"sha256", run.predictions_digest().hex()}}));
  out.set("dataset_files", files_json(run.dataset_files));
  out.set("prediction_files", files_json(run.prediction_files));
  return out.set("files", masks_json(run));
}

Result<Json> summary_json(const TaskRun& run, const Digest& plan_digest, const Executor& executor) {
  const TaskAggregator aggregator(run);
  std::vector<Json> pooled(run.parts.size() + 1);
  FIDUCIAL_TRY_DONE(
      executor.for_each(static_cast<std::int64_t>(pooled.size()), [&](std::int64_t at) -> Outcome {
        const auto i = static_cast<std::size_t>(at);
        const bool is_all = i == 0 || run.parts.size() < 2;  // one part is all there is
        if (i > 0 && is_all) return done();
        pooled[i] =
            aggregator.slots(i == 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(i - 1)));
        return done();
      }));
  Json labels = Json::object({});
  for (std::size_t i = 0; i < run.parts.size(); ++i) {
    const Json& slots = pooled[i + 1];
    if (slots.as_object() != nullptr && !slots.as_object()->empty()) labels.set(run.parts[i], slots);
  }
  Json out = Json::object({{"schema", "fiducial.scores/1"},
                           {"benchmark", run.benchmark},
                           {"split", run.split},
                           {"mode", "strict"},
                           {"system", run.system}});
  if (!run.task.empty()) out.set("task", run.task);
  out.set("metrics", std::move(pooled[0]));
  if (!run.baselines.is_null()) out.set("baselines", run.baselines);
  Json groups = Json::object({});
  if (!labels.as_object()->empty()) groups.set(run.part_kind, std::move(labels));
  out.set("groups", std::move(groups));
  for (const auto& [name, block] : run.blocks) out.set(name, block);
  out.set("counts", run.counts).set("orientation", Json()).set("remarks", task_remarks_json(run));
  return out.set("provenance", Json::object({{"tool", "fiducial"},
                                             {"tool_version", FIDUCIAL_VERSION},
                                             {"plan_sha256", plan_digest.hex()},
                                             {"dataset_sha256", run.dataset_digest().hex()},
                                             {"predictions_sha256", run.predictions_digest().hex()},
                                             {"seed", run.seed},
                                             {"resamples", run.resamples},
                                             {"interval", "percentile bootstrap over patients"}}));
}

Result<Json> write_scores(const TaskRun& run, const ScoreOutput& output, const Executor& executor) {
  FIDUCIAL_TRY(StagedFolder staged,
               StagedFolder::create(output.folder, score_folder_marker, output.overwrite));
  const Json full_plan = plan_json(run);
  const std::string plan = (output.is_private ? private_plan(full_plan) : full_plan).pretty();
  FIDUCIAL_TRY(Json summary, summary_json(run, sha256(as_bytes(plan)), executor));
  if (output.is_private) summary = private_summary(summary);
  FIDUCIAL_TRY_DONE(write_file(staged.staging() / "plan.json", plan));
  FIDUCIAL_TRY_DONE(write_file(staged.staging() / "summary.json", summary.pretty()));
  if (!output.is_private) FIDUCIAL_TRY_DONE(write_rows(run, staged.staging() / "rows.parquet"));
  FIDUCIAL_TRY_DONE(finish_scores(staged, output, summary));
  return summary;
}

}  // namespace fiducial
