#include "fiducial/tasks/grounded_reports/grounded_reports.h"

#include "fiducial/base/number_text.h"
#include "fiducial/eval/run/score_family.h"
#include "fiducial/eval/task/score_cases.h"
#include "fiducial/metrics/table_contracts.h"
#include "fiducial/tasks/finding_masks/finding_masks.h"
#include "fiducial/tasks/grounded_reports/report_scorer.h"
#include "fiducial/tasks/grounded_reports/report_texts.h"
#include "fiducial/tasks/region_tables/region_tables.h"

namespace fiducial {

namespace {

// The measures of all cases; a case is one unit.
ScoreFamily fact_scores(const std::vector<GroundedReportScore>& scores) {
  ScoreFamily out{.name = "grounded_reports",
                  .absence = "no fact is stated",
                  .counted = "cases",
                  .counts = UnitValues(scores.size()),
                  .failed = UnitValues(scores.size())};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    out.counts[i] = 1;
    out.failed[i] = scores[i].is_missing ? 1 : 0;
  }
  using Part = double (*)(const GroundedReportScore&);
  const auto add = [&](const char* id, Part sum, Part weight) {
    FamilyMeasure& measure = out.add(id, table_contract(id), true);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      measure.sums[i] = sum(scores[i]);
      measure.weights[i] = weight(scores[i]);
    }
  };
  const Part matched = [](const GroundedReportScore& each) { return each.matched; };
  const Part grounded = [](const GroundedReportScore& each) { return each.grounded; };
  const Part said = [](const GroundedReportScore& each) { return each.predicted_facts; };
  const Part wanted = [](const GroundedReportScore& each) { return each.reference_facts; };
  const Part both = [](const GroundedReportScore& each) {
    return each.predicted_facts + each.reference_facts;
  };
  add("fact_precision", matched, said);
  add("fact_recall", matched, wanted);
  add(
      "fact_f1", [](const GroundedReportScore& each) { return 2 * each.matched; }, both);
  add(
      "matched_fact_dice", [](const GroundedReportScore& each) { return each.dice; },
      [](const GroundedReportScore& each) { return each.measured; });
  add("grounded_precision", grounded, said);
  add("grounded_recall", grounded, wanted);
  add(
      "grounded_f1", [](const GroundedReportScore& each) { return 2 * each.grounded; }, both);
  add(
      "region_alignment", [](const GroundedReportScore& each) { return each.aligned; }, matched);
  return out;
}

// Every case has a row, whatever was predicted: folders that are compared have rows of the same cases.
ScoreFamily answered_scores(const std::vector<GroundedReportScore>& scores) {
  ScoreFamily out{.name = "answered",
                  .absence = "no case",
                  .counted = "cases",
                  .counts = UnitValues(scores.size()),
                  .failed = UnitValues(scores.size())};
  FamilyMeasure& share = out.add("answered", table_contract("answered"));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    out.counts[i] = 1;
    share.sums[i] = scores[i].is_missing ? 0 : 1;
  }
  return out;
}

Json total(const ScoreRun& run, const char* key) {
  double out = 0;
  for (const RunCase& entry : run.cases) {
    const Result<Json> evidence = parse_json(entry.evidence);
    const Json* found = evidence.ok() ? evidence->find(key) : nullptr;
    if (found != nullptr) out += found->as_number().value_or(0);
  }
  return static_cast<std::int64_t>(out);
}

void add_cases(const ReferenceReports& references, const std::vector<GroundedReportScore>& scores,
               ScoreRun& run) {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const ReferenceReport& report = references.reports[i];
    const GroundedReportScore& score = scores[i];
    run.units.push_back({static_cast<std::uint32_t>(i), 0});
    run.cases.push_back({report.name, report.patient, report.position, to_json(score).compact()});
    if (score.organs)
      run.files.push_back({.name = report.name, .reference = "organs", .reference_digest = score.organs});
    for (HashedFile file : score.reference_files) {
      file.position = report.position;
      run.dataset_files.push_back(std::move(file));
    }
    for (HashedFile file : score.prediction_files) {
      file.position = report.position;
      run.prediction_files.push_back(std::move(file));
    }
    run.remarks.insert(run.remarks.end(), score.remarks.begin(), score.remarks.end());
    run.failures += score.is_missing ? 1 : 0;
  }
  run.attempts = static_cast<std::int64_t>(scores.size());
  run.attempt_words = "reports missing";
}

void remark_unknown(const TaskCall& call, const GroundedReports& reports, const ReferenceReports& references,
                    ScoreRun& run) {
  std::int64_t unknown = 0;
  for (const auto& [name, sentences] : reports.by_case) {
    unknown += !references.known.contains(name) && call.in_shard(name) ? 1 : 0;
  }
  run.tallies = Json::object({{"unknown_cases", unknown}});
  run.common = Json::object({{"has_masks", references.dataset != nullptr}});
}

Result<ScoreRun> score_grounded_reports(TaskCall& call) {
  FIDUCIAL_TRY(const PredictionFiles files, PredictionFiles::open(call.predictions()));
  if (!files.has(grounded_reports_file)) {
    return Error(ErrorCode::invalid_data, std::string("expected ") + grounded_reports_file + ", found none",
                 Place{.path = call.predictions().string()});
  }
  FIDUCIAL_TRY(StoredFile stored, files.open_file(grounded_reports_file));
  FIDUCIAL_TRY(const GroundedReports reports, read_grounded_reports(std::move(stored)));
  FIDUCIAL_TRY(const ReferenceReports references, read_references(call));
  FIDUCIAL_TRY(const std::unique_ptr<OrganMasks> organs, OrganMasks::find(call.dataset()));
  const ReportScorer scorer(reports, files, references, {organs.get(), call.limits()});
  std::string key = reports.digest.hex();
  for (const HashedFile& file : references.files) key += file.digest.hex();
  FIDUCIAL_TRY(const std::vector<GroundedReportScore> scores, score_cases(call, scorer, key));
  ScoreRun run = call.new_run(references.benchmark, references.split);
  run.is_sparse = true;
  run.dataset.name = references.dataset_file;
  run.dataset_files = references.files;
  run.predictions = HashedFile{.name = call.predictions_name()};
  run.prediction_files = {{grounded_reports_file, reports.digest}};
  add_cases(references, scores, run);
  add_family(run, fact_scores(scores));
  add_family(run, report_text_scores(references, reports));
  add_family(run, answered_scores(scores), true);
  remark_unknown(call, reports, references, run);
  return run;
}

Result<std::vector<TaskCase>> cases_of_reports(const TaskCall& call) {
  FIDUCIAL_TRY(const ReferenceReports references, read_references(call));
  if (references.dataset != nullptr) return task_cases(call, *references.dataset, references.cases);
  std::vector<TaskCase> out;
  for (const ReferenceReport& report : references.reports)
    out.push_back({report.name, {{"predictions", call.predictions() / report.name}}});
  return out;
}

Outcome conclude_grounded_reports(ScoreRun& run) {
  const Json unknown = *run.tallies.find("unknown_cases");
  // Without masks on either side there is no Dice to tell.
  const bool has_masks = *run.common.find("has_masks")->as_bool();
  if (!has_masks && *total(run, "measured").as_integer() == 0) remove_slot(run, "matched_fact_dice");
  run.counts = Json::object({{"cases", run.attempts},
                             {"missing", run.failures},
                             {"reference_facts", total(run, "reference_facts")},
                             {"predicted_facts", total(run, "predicted_facts")},
                             {"matched_facts", total(run, "matched")},
                             {"references_without_facts", total(run, "without_facts")},
                             {"unknown_cases", unknown}});
  if (*unknown.as_integer() > 0) {
    run.remarks.push_back({grounded_reports_file, "unknown_cases",
                           decimal(*unknown.as_integer()) + " reports of no case of the split"});
  }
  digest_inputs(run);
  return done();
}

// Grounded reports, and no answers to tables.
bool takes_reports(const Path& predictions) {
  const Result<PredictionFiles> files = PredictionFiles::open(predictions);
  return files.ok() && files->has(grounded_reports_file) && !has_table_answers(*files);
}

OptionValues options_of_first_report_plans(const Json&) { return {}; }

}  // namespace

Task grounded_reports_task() {
  return {.id = "grounded_reports",
          .title = "Reports with a mask or region for each sentence: facts found, and found in their place",
          .unit = "case",
          .predictions = "a folder or flat zip of grounded_reports.jsonl and masks <case>.nii.gz",
          .headline = {"grounded_f1", "fact_f1"},
          .reads_masks = true,
          .takes = takes_reports,
          .cases = cases_of_reports,
          .score = score_grounded_reports,
          .conclude = conclude_grounded_reports,
          .options_of_first_plans = options_of_first_report_plans};
}

}  // namespace fiducial
