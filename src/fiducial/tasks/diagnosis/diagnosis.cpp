#include "fiducial/tasks/diagnosis/diagnosis.h"

#include <algorithm>

#include "fiducial/metrics/text_metric.h"
#include "fiducial/tasks/diagnosis/answer_conclusion.h"
#include "fiducial/tasks/diagnosis/answer_scorer.h"
#include "fiducial/tasks/diagnosis/sample_accuracy.h"

namespace fiducial {

namespace {

// A column and its measure for every case measure.
class AnswerColumns {
 public:
  AnswerColumns(ScoreRun& run, const AnsweredSplit& split)
      : run_(run), split_(split), every_case_(shared(UnitValues(split.cases.size(), 1))) {}

  void add(const CaseMeasure& measure, Scorer scorer) {
    const std::size_t column = run_.add({.contract = measure.contract,
                                         .id = measure.contract->id,
                                         .scorer = scorer,
                                         .sums = values(measure.sums),
                                         .weights = values(measure.counts),
                                         .asked = every_case_,
                                         .failed = values(measure.failed),
                                         .marks = marks_of(measure),
                                         .has_rows = measure.corpus == nullptr});
    Measure out{.slot = measure.slot,
                .column = column,
                .absence = measure.absence,
                .is_share_of_cases = measure.is_share_of_cases,
                .has_groups = measure.corpus == nullptr,
                .counted = measure.counted,
                .corpus = measure.corpus};
    if (measure.corpus) out.statistic = {.kind = Statistic::Kind::corpus_bleu, .order = measure.order};
    run_.measures.push_back(std::move(out));
  }

 private:
  static SharedValues values(const std::vector<double>& of_cases) {
    UnitValues out(of_cases.size());
    for (std::size_t i = 0; i < of_cases.size(); ++i) out[i] = of_cases[i];
    return shared(std::move(out));
  }

  SharedValues marks_of(const CaseMeasure& measure) {
    UnitValues out(split_.cases.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double count = measure.counts[i];
      if (count == 0) {
        out[i] = run_.mark({"undefined", measure.absence});
      } else if (measure.failed[i] == count) {
        out[i] = failed_mark(measure, split_.cases[i].is_missing);
      }
    }
    return shared(std::move(out));
  }

  std::uint8_t failed_mark(const CaseMeasure& measure, bool is_missing) {
    if (is_missing) return run_.mark({"missing", "no prediction"});
    const bool is_answer = measure.contract->group == "answers";
    return run_.mark({"failed", is_answer ? "no answer could be found" : "no text was predicted"});
  }

  ScoreRun& run_;
  const AnsweredSplit& split_;
  SharedValues every_case_;
};

void add_cases(const AnsweredSplit& split, ScoreRun& run) {
  for (std::size_t at = 0; at < split.cases.size(); ++at) {
    const AnsweredCase& each = split.cases[at];
    run.cases.push_back(
        {each.entry.title, each.entry.title, each.position, answer_evidence(split, at, run.primary())});
    run.units.push_back({static_cast<std::uint32_t>(at), 0});
    run.categories.push_back(each.entry.icd_category);
    run.failures += each.is_missing || !each.answer(run.primary()).letter ? 1 : 0;
  }
  run.attempts = static_cast<std::int64_t>(split.cases.size());
  run.attempt_words = "answers missing or not found";
}

// The letter that was found, and by which rule.
void add_facts(const AnsweredSplit& split, ScoreRun& run) {
  RowFact letters{.name = "answer"};
  RowFact rules{.name = "answer_rule"};
  for (const AnsweredCase& each : split.cases) {
    for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
      const ExtractedAnswer& answer = each.answer(scorer);
      const auto at = static_cast<std::size_t>(scorer);
      letters.by_scorer[at].push_back(answer.letter ? std::optional(std::string(1, *answer.letter))
                                                    : std::nullopt);
      rules.by_scorer[at].emplace_back(to_string(answer.rule));
    }
  }
  run.facts = {std::move(letters), std::move(rules)};
}

void add_details(const AnsweredSplit& split, ScoreRun& run) {
  if (!split.provided_components.empty()) run.details.push_back({components_file, split.provided_components});
  if (!split.judged.empty()) run.details.push_back({"steps.parquet", steps_table(split, run.scorers())});
  if (!split.discussions.empty()) run.details.push_back({"sentences.parquet", sentences_table(split)});
}

Outcome check_options(const TaskCall& call) {
  if (call.given("provider") && call.given("components"))
    return bad_usage("--provider and --components: give one of them");
  if (call.given("provider") && call.is_shard())
    return bad_usage(
        "--provider: not with --shard or in a job, as its scores depend on all texts of a step; give "
        "--components of the "
        "whole split instead");
  if (call.given("certificate") && !call.given("verdicts"))
    return bad_usage("--certificate: only with --verdicts");
  if (call.given("provider-timeout-s") && !call.given("provider"))
    return bad_usage("--provider-timeout-s: only with --provider");
  return done();
}

Result<ScoreRun> score_diagnosis(TaskCall& call) {
  FIDUCIAL_TRY_DONE(check_options(call));
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(call.dataset()));
  if (adapter->open_questions == nullptr) {
    return bad_usage(call.dataset().string() + ": " + adapter->id + " asks no questions, which this needs");
  }
  FIDUCIAL_TRY(const std::unique_ptr<DiagnosisDataset> dataset, adapter->open_questions(call.dataset()));
  FIDUCIAL_TRY(const std::string name, choose_split(*dataset, call.optional_text("split")));
  FIDUCIAL_TRY(AnswerPredictions predictions,
               read_answer_predictions(call.predictions(), call.flag("skip-bad-lines")));
  FIDUCIAL_TRY(const DiagnosisSplit split, dataset->read_split(name));
  resolve_opaque_ids(predictions, split.cases);
  const bool has_keys = std::all_of(split.cases.begin(), split.cases.end(),
                                    [](const DiagnosisCase& entry) { return entry.has_key(); });
  if (!has_keys) {
    return Error(
        ErrorCode::unavailable,
        "the keys are absent: this is a blind copy, which takes predictions (check --predictions) but "
        "cannot score them; score them with the release that has the keys",
        Place{.path = (call.dataset() / split.file).string()});
  }
  ScoreRun run = call.new_run(adapter->id, name);
  run.dataset = {split.file, split.digest};
  run.predictions = HashedFile{predictions.file, predictions.digest};
  FIDUCIAL_TRY(AnsweredSplit answered, score_answers(call, split.cases, std::move(predictions)));
  run.inputs = std::move(answered.inputs);
  run.remarks = std::move(answered.remarks);
  if (!answered.judge.is_null()) run.common.set("judge", answered.judge);
  FIDUCIAL_TRY(Json samples, sample_accuracy(call.predictions(), split.cases));
  if (!samples.is_null()) run.common.set("asked", Json::object({{"sample_accuracy", std::move(samples)}}));
  run.groups = answer_groups(answered.cases);
  run.resamples_cases = true;
  if (call.flag("accept-equal-options")) run.rules = Json::object({{"accepts_equal_options", true}});
  if (run.mode != ScoreMode::strict) run.official_note = "published clean-up";
  add_cases(answered, run);
  AnswerColumns columns(run, answered);
  for (const Scorer scorer : run.scorers()) {
    for (const CaseMeasure& measure : answered.measures[static_cast<std::size_t>(scorer)])
      columns.add(measure, scorer);
  }
  add_facts(answered, run);
  add_details(answered, run);
  return run;
}

Result<std::vector<TaskCase>> cases_of_questions(const TaskCall& call) {
  FIDUCIAL_TRY_DONE(check_options(call));
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(call.dataset()));
  if (adapter->open_questions == nullptr)
    return bad_usage(call.dataset().string() + ": " + adapter->id + " asks no questions, which this needs");
  FIDUCIAL_TRY(const std::unique_ptr<DiagnosisDataset> dataset, adapter->open_questions(call.dataset()));
  FIDUCIAL_TRY(const std::string name, choose_split(*dataset, call.optional_text("split")));
  FIDUCIAL_TRY(const DiagnosisSplit split, dataset->read_split(name));
  std::vector<TaskCase> out;
  for (const DiagnosisCase& entry : split.cases) {
    if (call.holds(entry.title)) out.push_back({entry.title, {}});
  }
  return out;
}

std::vector<TaskOption> diagnosis_options() {
  using Kind = TaskOption::Kind;
  const std::string heading = "Answers, steps and discussions";
  return {
      {.name = "accept-equal-options",
       .help = "Any letter whose text is that of the key is right",
       .kind = Kind::flag,
       .heading = heading},
      {.name = "skip-bad-lines",
       .help = "Leave out lines of predictions that cannot be read, and count them; their cases are missing",
       .kind = Kind::flag,
       .heading = heading},
      {.name = "baseline",
       .help = "NAME=FILE of other predictions to show beside the accuracy, e.g. without images",
       .kind = Kind::named_paths,
       .heading = heading},
      {.name = "verdicts",
       .help = "A judge's verdicts on reasoning steps (JSONL or CSV), or the folder of a judge's run",
       .kind = Kind::path,
       .heading = heading},
      {.name = "certificate",
       .help = "What 'fiducial judge certify' wrote about the judge of these verdicts",
       .kind = Kind::path,
       .heading = heading},
      {.name = "ratings",
       .help = "Ratings of discussions (JSONL or CSV)",
       .kind = Kind::path,
       .heading = heading},
      {.name = "components",
       .help = "Scores that RadCliQ is made of (JSONL or CSV)",
       .kind = Kind::path,
       .heading = heading},
      {.name = "provider",
       .help = "Command that computes these scores: it reads JSONL pairs and writes JSONL",
       .heading = heading,
       .is_recorded = false},
      {.name = "provider-timeout-s",
       .help = "Seconds that a provider may take (default: 3600)",
       .kind = Kind::integer,
       .least = 1,
       .most = 1e6,
       .heading = heading,
       .is_recorded = false},
      {.name = "wordnet",
       .help = "WordNet 3 database for METEOR with synonyms, or auto",
       .kind = Kind::path,
       .heading = heading},
  };
}

OptionValues options_of_first_plans(const Json& plan) {
  OptionValues out;
  for (const auto& [key, option] :
       {std::pair("asked_metrics", "metrics"), std::pair("group_kinds", "group-by")}) {
    const Json* words = plan.find(key);
    if (words == nullptr || words->as_array() == nullptr) continue;
    for (const Json& word : *words->as_array()) {
      if (word.as_string() != nullptr) out[option].push_back(*word.as_string());
    }
  }
  if (plan.find("accepts_equal_options") != nullptr) out["accept-equal-options"] = {"true"};
  return out;
}

}  // namespace

Task diagnosis_task() {
  std::vector<std::string> metrics{"answers"};
  for (std::string& group : text_groups_of("diagnosis")) metrics.push_back(std::move(group));
  for (const char* group : {"radcliq", "steps", "discussion", "all"}) metrics.emplace_back(group);
  return {.id = "diagnosis",
          .title = "Diagnosis from several images: answers, texts and judged steps, discussions",
          .unit = "case",
          .predictions = "a file of answers: JSONL, a JSON list, CSV or Parquet",
          .options = diagnosis_options(),
          .metrics = std::move(metrics),
          .has_official = true,
          .resamples = 10'000,
          .cases = cases_of_questions,
          .score = score_diagnosis,
          .conclude = conclude_answers,
          .options_of_first_plans = options_of_first_plans};
}

}  // namespace fiducial
