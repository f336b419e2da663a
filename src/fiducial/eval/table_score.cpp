#include "fiducial/eval/table_score.h"

#include <algorithm>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/cases/grounded_case.h"
#include "fiducial/datasets/radgenome/blind.h"
#include "fiducial/eval/grounded_report.h"
#include "fiducial/eval/grounded_report_score.h"
#include "fiducial/eval/table_tasks.h"
#include "fiducial/metrics/table_contracts.h"
#include "fiducial/text/wordnet.h"

namespace fiducial {

namespace {

using radgenome::PooledRow;
using radgenome::PooledTable;
using radgenome::Split;
using radgenome::TableFolder;
using radgenome::TableKind;
using radgenome::TableLayout;

constexpr const char* text_metric_ids[] = {
    "bleu1_13a_smooth_mean", "bleu2_13a_smooth_mean", "bleu3_13a_smooth_mean",
    "bleu4_13a_smooth_mean", "rouge_1_nostem",        "rouge_2_nostem",
    "rouge_l_nostem",        "meteor_nltk",           "cider_d"};

// Which measures are wanted, by the words of a user.
class WantedMeasures {
 public:
  static Result<WantedMeasures> parse(const std::vector<std::string>& words) {
    std::set<std::string> known{"all", "masks"};
    std::string groups;
    for (const TableLayout& layout : radgenome::table_layouts()) known.insert(std::string(layout.task));
    for (const MetricContract& contract : table_contracts()) known.insert({contract.id, contract.group});
    for (const char* id : text_metric_ids) known.insert({id, table_contract(id).group});
    known.insert(meteor_with_synonyms);
    for (const std::string& word : words) {
      if (known.contains(word)) continue;
      for (const std::string& each : known) groups += (groups.empty() ? "" : ", ") + each;
      return bad_usage("no task or metric \"" + word + "\" of tables; there is " + groups);
    }
    WantedMeasures out;
    out.words_ = std::set<std::string>(words.begin(), words.end());
    return out;
  }

  bool wants(const std::string& task, const MetricContract& contract) const {
    return words_.empty() || words_.contains("all") || words_.contains(task) ||
           words_.contains(contract.id) || words_.contains(contract.group);
  }
  std::vector<std::string> texts(bool with_synonyms) const {
    std::vector<std::string> out;
    for (const char* id : text_metric_ids) {
      if (wants("region_report", table_contract(id))) out.emplace_back(id);
    }
    if (with_synonyms && wants("region_report", table_contract(meteor_with_synonyms)))
      out.emplace_back(meteor_with_synonyms);
    return out;
  }
  bool names(const std::string& word) const { return words_.contains(word); }
  bool wants_labels() const { return wants("region_report", table_contract("clinical_f1")); }

 private:
  std::set<std::string> words_;
};

// Scores the tables of a split, one after another.
class TableScorer {
 public:
  TableScorer(Split& split, const PredictionFiles& files, const WantedMeasures& wanted,
              const Synonyms* synonyms)
      : split_(split), files_(files), wanted_(wanted), synonyms_(synonyms) {}

  Result<TaskRun> score(TaskRun run, const Executor& executor) {
    run_ = std::move(run);
    name_parts();
    name_cases();
    name_units();
    count_questions();
    for (const TableLayout& layout : radgenome::table_layouts()) {
      FIDUCIAL_TRY_DONE(score_table(layout, executor));
      split_.tables[static_cast<std::size_t>(layout.kind)].reset();
    }
    if (run_.prediction_files.empty() && !files_.has_beside()) return no_answers();
    add_answered();
    run_.counts = Json::object({{"cases", static_cast<std::int64_t>(run_.cases.size())},
                                {"questions", run_.questions},
                                {"missing", run_.failures},
                                {"unknown_rows", unknown_rows_}});
    return std::move(run_);
  }
  // What became of each table; once it is scored.
  Json take_tasks() { return std::move(tasks_); }

 private:
  static std::string_view region_of(std::string_view path) {
    const std::string_view head = radgenome::head_of(path);
    return head.empty() ? std::string_view(whole_scan_part) : head;
  }
  std::uint32_t region_text(TableKind kind, const PooledRow& row) const {
    return kind == TableKind::location ? row.answer : row.place;
  }

  template <typename Visitor>
  void visit_tables(const Visitor& visit) const {
    for (const TableLayout& layout : radgenome::table_layouts()) {
      if (const PooledTable* table = split_.find(layout.kind)) visit(layout, *table);
    }
  }

  void name_parts() {
    std::set<std::uint32_t> paths;
    visit_tables([&](const TableLayout& layout, const PooledTable& table) {
      for (const PooledRow& row : table.rows) paths.insert(region_text(layout.kind, row));
    });
    std::set<std::string> names{whole_scan_part};
    for (const std::uint32_t path : paths) names.emplace(region_of(split_.texts.text(path)));
    run_.parts.assign(names.begin(), names.end());
    part_of_text_.resize(split_.texts.size());
    for (const std::uint32_t path : paths)
      part_of_text_[path] = part_named(region_of(split_.texts.text(path)));
  }
  std::uint32_t part_named(std::string_view name) const {
    return static_cast<std::uint32_t>(std::lower_bound(run_.parts.begin(), run_.parts.end(), name) -
                                      run_.parts.begin());
  }

  void name_cases() {
    std::vector<std::uint32_t> order(split_.volumes.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
      return split_.volumes.text(a) < split_.volumes.text(b);
    });
    case_of_volume_.resize(order.size());
    for (const std::uint32_t volume : order) {
      case_of_volume_[volume] = static_cast<std::uint32_t>(run_.cases.size());
      const std::string& name = split_.volumes.text(volume);
      run_.cases.push_back({name, patient_of(name)});
    }
  }

  std::uint64_t unit_key(TableKind kind, const PooledRow& row) const {
    return static_cast<std::uint64_t>(case_of_volume_[row.volume]) << 32U |
           part_of_text_[region_text(kind, row)];
  }
  std::uint32_t unit_of(std::uint64_t key) const {
    return static_cast<std::uint32_t>(std::lower_bound(unit_keys_.begin(), unit_keys_.end(), key) -
                                      unit_keys_.begin());
  }
  std::vector<std::uint32_t> units_of(TableKind kind, const PooledTable& table) const {
    std::vector<std::uint32_t> out;
    out.reserve(table.rows.size());
    for (const PooledRow& row : table.rows) out.push_back(unit_of(unit_key(kind, row)));
    return out;
  }

  void name_units() {
    const std::uint64_t whole = part_named(whole_scan_part);
    for (std::size_t i = 0; i < run_.cases.size(); ++i)
      unit_keys_.push_back(static_cast<std::uint64_t>(i) << 32U | whole);
    visit_tables([&](const TableLayout& layout, const PooledTable& table) {
      for (const PooledRow& row : table.rows) unit_keys_.push_back(unit_key(layout.kind, row));
      std::sort(unit_keys_.begin(), unit_keys_.end());
      unit_keys_.erase(std::unique(unit_keys_.begin(), unit_keys_.end()), unit_keys_.end());
    });
    for (const std::uint64_t key : unit_keys_) {
      run_.units.push_back({static_cast<std::uint32_t>(key >> 32U), static_cast<std::uint32_t>(key)});
    }
    for (std::uint32_t i = 0; i < split_.volumes.size(); ++i) {
      unit_of_volume_.push_back(unit_of(static_cast<std::uint64_t>(case_of_volume_[i]) << 32U | whole));
    }
    asked_ = UnitValues(run_.units.size());
    answered_ = UnitValues(run_.units.size());
  }

  void count_questions() {
    visit_tables([&](const TableLayout& layout, const PooledTable& table) {
      for (const PooledRow& row : table.rows) asked_[unit_of(unit_key(layout.kind, row))] += 1;
      run_.questions += static_cast<std::int64_t>(table.rows.size());
      run_.dataset_files.push_back({table.file, table.digest});
    });
  }

  Outcome score_table(const TableLayout& layout, const Executor& executor) {
    const std::string task(layout.task);
    FIDUCIAL_TRY(const std::string file, find_answer_file(files_, layout));
    const PooledTable* table = split_.find(layout.kind);
    if (table == nullptr || file.empty()) {
      const char* status = table == nullptr ? "no table" : "not submitted";
      const auto rows = table == nullptr ? std::int64_t{0} : static_cast<std::int64_t>(table->rows.size());
      tasks_.set(task, Json::object({{"status", status}, {"questions", rows}}));
      if (!file.empty()) run_.remarks.push_back({file, "no_table", "the split has no table that asks this"});
      return done();
    }
    FIDUCIAL_TRY(const TableAnswers answers, read_answers(files_, file, split_, layout.kind));
    const std::vector<std::uint32_t> units = units_of(layout.kind, *table);
    for (std::size_t row = 0; row < units.size(); ++row) {
      answered_[units[row]] += answers.of_row[row] == TextStore::none ? 0 : 1;
    }
    tell_of(task, answers);
    run_.prediction_files.push_back({file, answers.digest});
    return score_answers(layout, {split_, *table, answers, units}, executor);
  }

  void tell_of(const std::string& task, const TableAnswers& answers) {
    const std::int64_t missing = answers.missing();
    tasks_.set(task, Json::object({{"status", "scored"},
                                   {"questions", static_cast<std::int64_t>(answers.of_row.size())},
                                   {"missing", missing},
                                   {"unknown_rows", answers.unknown}}));
    run_.failures += missing;
    unknown_rows_ += answers.unknown;
    if (missing > 0) {
      run_.remarks.push_back({answers.file, "missing",
                              decimal(missing) + " of " + decimal(answers.of_row.size()) +
                                  " questions have no answer and score 0"});
    }
    if (answers.unknown > 0) {
      run_.remarks.push_back(
          {answers.file, "unknown_rows",
           decimal(answers.unknown) + " answers to what is not asked; the first: " + answers.first_unknown});
    }
  }

  Outcome score_answers(const TableLayout& layout, const AnsweredTable& of, const Executor& executor) {
    const std::size_t units = run_.units.size();
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
        return score_reports(of, executor);
    }
    return done();
  }

  Outcome score_size_answers(const AnsweredTable& of) {
    FIDUCIAL_TRY(ScoredSizes sizes, score_sizes(of, run_.units.size()));
    if (wanted_.wants("size", table_contract("size_error")))
      run_.blocks.emplace_back("size", std::move(sizes.errors));
    return keep(std::move(sizes.scores));
  }

  Outcome score_reports(const AnsweredTable& of, const Executor& executor) {
    const std::vector<std::string> metrics = wanted_.texts(synonyms_ != nullptr);
    if (!metrics.empty()) {
      FIDUCIAL_TRY(ScoredTexts texts, score_texts(of, {run_, metrics, synonyms_}, executor));
      FIDUCIAL_TRY_DONE(keep(std::move(texts.scores)));
      run_.blocks.emplace_back("corpus", std::move(texts.corpus));
    }
    if (!wanted_.wants_labels()) return done();
    FIDUCIAL_TRY(ScoredLabels labels, score_labels(of, unit_of_volume_, run_.units.size(), executor));
    run_.blocks.emplace_back("clinical", std::move(labels.labels));
    return keep(std::move(labels.scores));
  }

  // Keeps the measures that are wanted.
  Outcome keep(Result<TaskScores> scored) {
    FIDUCIAL_TRY(TaskScores scores, std::move(scored));
    std::erase_if(scores.measures,
                  [&](const TaskMeasure& measure) { return !wanted_.wants(scores.task, *measure.contract); });
    scores.pack();
    if (!scores.measures.empty()) run_.tasks.push_back(std::move(scores));
    return done();
  }

  // The share of questions that were answered has a row for every unit, whatever was handed in: folders that
  // are compared have rows of the same units.
  void add_answered() {
    TaskScores scores{.task = "answered", .absence = "no question is asked", .counts = std::move(asked_)};
    scores.failed = UnitValues(scores.counts.size());
    scores.add("answered", "answered").sums = std::move(answered_);
    scores.pack();
    run_.tasks.push_back(std::move(scores));
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

  Split& split_;
  const PredictionFiles& files_;
  const WantedMeasures& wanted_;
  const Synonyms* synonyms_;
  TaskRun run_;
  std::vector<std::uint32_t> part_of_text_;
  std::vector<std::uint32_t> case_of_volume_;
  std::vector<std::uint64_t> unit_keys_;  // ascending; beside the run's units
  std::vector<std::uint32_t> unit_of_volume_;
  UnitValues asked_;
  UnitValues answered_;
  std::int64_t unknown_rows_ = 0;
  Json tasks_ = Json::object({});
};

}  // namespace

Result<TaskRun> score_tables(const TableScoreRequest& request, const Executor& executor) {
  FIDUCIAL_TRY(const WantedMeasures wanted, WantedMeasures::parse(request.metrics));
  FIDUCIAL_TRY(const TableFolder folder, TableFolder::open(request.dataset));
  FIDUCIAL_TRY(const std::string name, folder.choose_split(request.split));
  FIDUCIAL_TRY(const PredictionFiles files, PredictionFiles::open(request.predictions, table_masks_folder));
  FIDUCIAL_TRY(Split split, radgenome::read_split(folder, name, radgenome::TableUse::scoring));
  Path predictions = request.predictions;
  if (!predictions.has_filename()) predictions = predictions.parent_path();
  TaskRun run{.benchmark = "radgenome",
              .split = name,
              .system = request.system.value_or(predictions.stem().string()),
              .metrics = request.metrics,
              .seed = request.seed,
              .resamples = request.resamples,
              .dataset_file = "tables of " + name,
              .predictions_file = predictions.filename().string(),
              .part_kind = "region"};
  run.baselines = radgenome::blind_baselines(split, request.seed).json();
  std::optional<WordNet> wordnet;
  if (!request.wordnet && wanted.names(meteor_with_synonyms)) {
    return Error(ErrorCode::unavailable,
                 std::string(meteor_with_synonyms) + ": no WordNet was given (--wordnet DIR or auto)");
  }
  if (request.wordnet) {
    FIDUCIAL_TRY(wordnet, WordNet::open(*request.wordnet));
    run.wordnet = wordnet->digest();
  }
  TableScorer scorer(split, files, wanted, wordnet ? &*wordnet : nullptr);
  FIDUCIAL_TRY(run, scorer.score(std::move(run), executor));
  Json tasks = scorer.take_tasks();
  FIDUCIAL_TRY(std::optional<Json> masks, score_table_masks(request, run));
  if (masks) tasks.set("masks", std::move(*masks));
  run.blocks.insert(run.blocks.begin(), {"tasks", std::move(tasks)});
  return run;
}

std::string usual_task(const Path& predictions) {
  const Result<PredictionFiles> files = PredictionFiles::open(predictions);
  if (!files.ok() || !files->has(grounded_reports_file)) return "";
  for (const TableLayout& layout : radgenome::table_layouts()) {
    const Result<std::string> file = find_answer_file(*files, layout);
    if (!file.ok() || !file->empty()) return "";
  }
  return grounded_report_task;
}

Result<TaskRun> score_tasks(const TableScoreRequest& request, const Executor& executor) {
  if (request.task == grounded_report_task) return score_grounded_reports(request, executor);
  if (request.task.empty()) return score_tables(request, executor);
  return bad_usage("no task \"" + request.task + "\"");
}

}  // namespace fiducial
