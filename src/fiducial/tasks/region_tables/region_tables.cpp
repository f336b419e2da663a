#include "fiducial/tasks/region_tables/region_tables.h"

#include <algorithm>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/datasets/radgenome/blind.h"
#include "fiducial/metrics/table_contracts.h"
#include "fiducial/metrics/text_metric.h"
#include "fiducial/tasks/organ_masks/region_masks.h"
#include "fiducial/tasks/organ_masks/table_cases.h"
#include "fiducial/tasks/region_tables/table_conclusion.h"
#include "fiducial/tasks/region_tables/table_examples.h"
#include "fiducial/tasks/region_tables/table_tasks.h"
#include "fiducial/text/wordnet.h"

namespace fiducial {

namespace {

using radgenome::PooledTable;
using radgenome::Split;
using radgenome::TableFolder;
using radgenome::TableKind;
using radgenome::TableLayout;

// Metrics of single texts; those of a whole corpus are told region by region.
std::vector<const TextMetric*> region_text_metrics() {
  std::vector<const TextMetric*> out = text_metrics_of("region_tables");
  std::erase_if(out, [](const TextMetric* metric) { return metric->values == nullptr; });
  return out;
}

// Which measures are wanted, by the words of a user.
class WantedMeasures {
 public:
  static Result<WantedMeasures> parse(const std::vector<std::string>& words) {
    std::set<std::string> known{"all", "masks"};
    for (const TableLayout& layout : radgenome::table_layouts()) known.insert(std::string(layout.task));
    for (const MetricContract& contract : table_contracts()) known.insert({contract.id, contract.group});
    for (const TextMetric* metric : region_text_metrics())
      known.insert({metric->contract.id, metric->contract.group});
    for (const std::string& word : words) {
      if (known.contains(word)) continue;
      return no_such_name("task or metric of tables", word, {known.begin(), known.end()});
    }
    WantedMeasures out;
    out.words_ = std::set<std::string>(words.begin(), words.end());
    return out;
  }

  bool wants(const std::string& task, const MetricContract& contract) const {
    return words_.empty() || words_.contains("all") || words_.contains(task) ||
           words_.contains(contract.id) || words_.contains(contract.group);
  }
  std::vector<const TextMetric*> texts(bool with_synonyms) const {
    std::vector<const TextMetric*> out = region_text_metrics();
    std::erase_if(out, [&](const TextMetric* metric) {
      return (metric->needs_synonyms && !with_synonyms) || !wants("region_report", metric->contract);
    });
    return out;
  }
  bool names(const std::string& word) const { return words_.contains(word); }
  bool wants_labels() const { return wants("region_report", table_contract("clinical_f1")); }
  bool wants_masks() const { return words_.empty() || words_.contains("all") || words_.contains("masks"); }

 private:
  std::set<std::string> words_;
};

// Scores the tables of a split, one after another.
class TableScorer {
 public:
  TableScorer(const TaskCall& call, Split& split, const PredictionFiles& files, const WantedMeasures& wanted)
      : call_(call), split_(split), files_(files), wanted_(wanted), units_(split, call) {}

  Result<ScoreRun> score(ScoreRun run, const Synonyms* synonyms) {
    run_ = std::move(run);
    synonyms_ = synonyms;
    units_.add_to(run_);
    asked_ = UnitValues(units_.units().size());
    answered_ = UnitValues(units_.units().size());
    for (const TableLayout& layout : radgenome::table_layouts()) count_questions(layout);
    for (const TableLayout& layout : radgenome::table_layouts()) {
      FIDUCIAL_TRY_DONE(call_.go_on());
      FIDUCIAL_TRY_DONE(score_table(layout));
      split_.tables[static_cast<std::size_t>(layout.kind)].reset();
    }
    if (run_.prediction_files.empty() && !files_.has_beside()) return no_answers();
    add_answered();
    record_.write_to(run_, units_);
    examples_.write_to(run_);
    return std::move(run_);
  }
  const RegionUnits& units() const { return units_; }

 private:
  void count_questions(const TableLayout& layout) {
    const PooledTable* table = split_.find(layout.kind);
    if (table == nullptr) return;
    for (const std::uint32_t unit : units_.units_of(layout.kind, *table)) {
      if (unit == RegionUnits::none) continue;
      asked_[unit] += 1;
      ++run_.attempts;
    }
    run_.dataset_files.push_back({table->file, table->digest});
  }

  Outcome score_table(const TableLayout& layout) {
    const std::string task(layout.task);
    FIDUCIAL_TRY(const std::string file, find_answer_file(files_, layout));
    const PooledTable* table = split_.find(layout.kind);
    const std::vector<std::uint32_t> units =
        table == nullptr ? std::vector<std::uint32_t>() : units_.units_of(layout.kind, *table);
    const auto questions =
        static_cast<std::int64_t>(units.size()) - std::count(units.begin(), units.end(), RegionUnits::none);
    if (table == nullptr || file.empty()) {
      record_.add_table(task, table == nullptr ? "no table" : "not submitted", questions);
      if (!file.empty() && call_.in_shard(file))
        run_.remarks.push_back({file, "no_table", "the split has no table that asks this"});
      return done();
    }
    FIDUCIAL_TRY(const TableAnswers answers, read_answers(files_, file, split_, layout.kind));
    record_.add_table(task, "scored", questions);
    tell_of(task, answers, units);
    run_.prediction_files.push_back({file, answers.digest});
    const AnsweredTable answered{split_, *table, answers, units};
    FIDUCIAL_TRY_DONE(examples_.add(answered, task, units_));
    return score_answers(layout, answered);
  }

  void tell_of(const std::string& task, const TableAnswers& answers,
               const std::vector<std::uint32_t>& units) {
    std::int64_t missing = 0;
    for (std::size_t row = 0; row < units.size(); ++row) {
      if (units[row] == RegionUnits::none) continue;
      const bool is_answered = answers.of_row[row] != TextStore::none;
      answered_[units[row]] += is_answered ? 1 : 0;
      missing += is_answered ? 0 : 1;
    }
    run_.failures += missing;
    // Answers to what is not asked are of no case: one shard tells of them.
    const std::int64_t unknown = call_.in_shard(answers.file) ? answers.unknown : 0;
    record_.add_answers(task, answers.file, missing, unknown);
    if (unknown > 0) record_.add_first_unknown(task, answers.first_unknown);
  }

  Outcome score_answers(const TableLayout& layout, const AnsweredTable& of) {
    const std::size_t units = units_.units().size();
    switch (layout.kind) {
      case TableKind::presence:
        return keep(score_presence(of, units));
      case TableKind::abnormality:
      case TableKind::disorders:
        return keep(score_lists(of, units, std::string(layout.task)));
      case TableKind::location:
        return keep(score_locations(of, units));
      case TableKind::size:
        return score_size_answers(of);
      case TableKind::region_report:
        return score_reports(of);
    }
    return done();
  }

  Outcome score_size_answers(const AnsweredTable& of) {
    FIDUCIAL_TRY(ScoredSizes sizes, score_sizes(of, units_.units().size()));
    if (wanted_.wants("size", table_contract("size_error"))) {
      record_.expect_sizes();
      for (const RowError& each : sizes.errors)
        record_.add_size(units_.units()[of.unit_of_row[each.row]].at, each);
    }
    return keep(std::move(sizes.scores));
  }

  Outcome score_reports(const AnsweredTable& of) {
    const std::vector<const TextMetric*> metrics = wanted_.texts(synonyms_ != nullptr);
    if (!metrics.empty()) {
      FIDUCIAL_TRY(ScoredTexts texts, score_texts(of, {units_, metrics, synonyms_}, call_));
      FIDUCIAL_TRY_DONE(keep(std::move(texts.scores)));
      for (std::size_t part = 0; part < texts.regions.size(); ++part)
        record_.add_region(units_.parts()[part], texts.regions[part]);
    }
    if (!wanted_.wants_labels()) return done();
    FIDUCIAL_TRY_DONE(call_.go_on());
    FIDUCIAL_TRY(ScoredLabels labels, score_labels(of, units_, call_));
    record_.expect_labels();
    for (const auto& [volume, found] : labels.volumes)
      record_.add_labels(units_.units()[units_.whole_scan_of(volume)].at, volume, found);
    return keep(std::move(labels.scores));
  }

  // Keeps the measures that are wanted.
  Outcome keep(Result<ScoreFamily> scored) {
    FIDUCIAL_TRY(ScoreFamily scores, std::move(scored));
    std::erase_if(scores.measures, [&](const FamilyMeasure& measure) {
      return !wanted_.wants(scores.name, *measure.contract);
    });
    if (!scores.measures.empty()) add_family(run_, std::move(scores));
    return done();
  }

  // The share of questions that were answered has a row for every unit, whatever was handed in: folders that
  // are compared have rows of the same units.
  void add_answered() {
    ScoreFamily scores{.name = "answered",
                       .absence = "no question is asked",
                       .counted = "questions",
                       .counts = std::move(asked_)};
    scores.failed = UnitValues(scores.counts.size());
    scores.add("answered", table_contract("answered")).sums = std::move(answered_);
    add_family(run_, std::move(scores), true);
  }

  Error no_answers() const {
    std::string wanted;
    for (const TableLayout& layout : radgenome::table_layouts()) {
      wanted += (wanted.empty() ? "" : ", ") + std::string(layout.task) + ".csv";
    }
    std::string found;
    for (const std::string& name : files_.names()) found += (found.empty() ? "" : ", ") + name;
    return invalid_data("no file of answers; expected any of " + wanted + ", or masks/, found " +
                        (found.empty() ? "nothing" : found));
  }

  const TaskCall& call_;
  Split& split_;
  const PredictionFiles& files_;
  const WantedMeasures& wanted_;
  const Synonyms* synonyms_ = nullptr;
  RegionUnits units_;
  TableRecord record_;
  TableExamples examples_;
  ScoreRun run_;
  UnitValues asked_;
  UnitValues answered_;
};

Result<std::optional<WordNet>> open_wordnet(const TaskCall& call, const WantedMeasures& wanted,
                                            ScoreRun& run) {
  const auto folder = call.path("wordnet");
  for (const TextMetric* metric : region_text_metrics()) {
    const std::string& id = metric->contract.id;
    if (!folder && metric->needs_synonyms && wanted.names(id))
      return Error(ErrorCode::unavailable, id + ": no WordNet was given (--wordnet DIR or auto)");
  }
  if (!folder) return std::optional<WordNet>();
  FIDUCIAL_TRY(WordNet wordnet, WordNet::open(*folder));
  run.inputs.push_back({"wordnet", "", "wordnet", wordnet.digest()});
  return std::optional<WordNet>(std::move(wordnet));
}

Result<ScoreRun> score_region_tables(TaskCall& call) {
  FIDUCIAL_TRY(const WantedMeasures wanted, WantedMeasures::parse(call.texts("metrics")));
  FIDUCIAL_TRY(const TableFolder folder, TableFolder::open(call.dataset()));
  FIDUCIAL_TRY(const std::string name, folder.choose_split(call.optional_text("split")));
  FIDUCIAL_TRY(const PredictionFiles files, PredictionFiles::open(call.predictions(), organ_masks_folder));
  FIDUCIAL_TRY(Split split, radgenome::read_split(folder, name, radgenome::TableUse::scoring));
  FIDUCIAL_TRY_DONE(call.go_on());
  ScoreRun run = call.new_run("radgenome", name);
  run.baselines = radgenome::blind_baselines(split, run.seed).json();
  FIDUCIAL_TRY(const std::optional<WordNet> wordnet, open_wordnet(call, wanted, run));
  TableScorer scorer(call, split, files, wanted);
  FIDUCIAL_TRY(run, scorer.score(std::move(run), wordnet ? &*wordnet : nullptr));
  if (wanted.wants_masks()) FIDUCIAL_TRY_DONE(score_region_masks(call, scorer.units(), run));
  run.dataset.name = "tables of " + name;
  run.predictions = HashedFile{.name = call.predictions_name()};
  return run;
}

bool takes_tables(const Path& predictions) {
  const Result<PredictionFiles> files = PredictionFiles::open(predictions, organ_masks_folder);
  return files.ok() && has_table_answers(*files);
}

OptionValues options_of_first_table_plans(const Json& plan) {
  OptionValues out;
  if (const Json* words = plan.find("asked_metrics"); words != nullptr && words->as_array() != nullptr) {
    for (const Json& word : *words->as_array()) {
      if (word.as_string() != nullptr) out["metrics"].push_back(*word.as_string());
    }
  }
  const Json* rules = plan.find("mask_rules");
  if (rules == nullptr) return out;
  if (const Json* tolerance = rules->find("tolerance_mm"))
    out["tolerance-mm"] = {shortest(tolerance->as_number().value_or(1))};
  const Json* spacing = rules->find("spacing_mm");
  if (spacing == nullptr || spacing->as_array() == nullptr) return out;
  for (const Json& edge : *spacing->as_array())
    out["spacing"].push_back(shortest(edge.as_number().value_or(0)));
  return out;
}

}  // namespace

bool has_table_answers(const PredictionFiles& files) {
  for (const TableLayout& layout : radgenome::table_layouts()) {
    const Result<std::string> file = find_answer_file(files, layout);
    if (!file.ok() || !file->empty()) return true;
  }
  return false;
}

Task region_tables_task() {
  std::vector<TaskOption> options = organ_mask_options();
  options.push_back({.name = "wordnet",
                     .help = "WordNet 3 database for METEOR with synonyms, or auto",
                     .kind = TaskOption::Kind::path,
                     .heading = "Region reports"});
  std::vector<std::string> metrics{"presence",  "abnormality",   "location", "size",
                                   "disorders", "region_report", "clinical"};
  for (std::string& group : text_groups_of("region_tables")) metrics.push_back(std::move(group));
  for (const char* word : {"masks", "all"}) metrics.emplace_back(word);
  return {.id = "region_tables",
          .title = "Region reports and questions about volumes, with organ masks beside them",
          .unit = "region",
          .predictions = "a folder or flat zip of presence.csv, region_report.csv, ... and masks/",
          .options = std::move(options),
          .metrics = std::move(metrics),
          .reads_masks = true,
          .takes = takes_tables,
          .cases = cases_of_tables,
          .score = score_region_tables,
          .conclude = conclude_tables,
          .options_of_first_plans = options_of_first_table_plans};
}

}  // namespace fiducial
