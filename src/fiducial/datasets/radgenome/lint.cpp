#include "fiducial/datasets/radgenome/lint.h"

#include <map>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/datasets/case_checks.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/grounded_report_check.h"
#include "fiducial/datasets/radgenome/agreement.h"
#include "fiducial/datasets/radgenome/answer_check.h"
#include "fiducial/datasets/radgenome/audit.h"
#include "fiducial/datasets/radgenome/blind.h"
#include "fiducial/datasets/radgenome/card.h"
#include "fiducial/datasets/radgenome/questions.h"
#include "fiducial/datasets/radgenome/statistics.h"
#include "fiducial/datasets/submission.h"

namespace fiducial::radgenome {

namespace {

constexpr double least_label_precision = 0.5;
constexpr std::int64_t least_label_volumes = 20;

// Line and column of what is wrong with a table.
LintPlace place_in_table(const std::string& file, const Error& error) {
  Place place = error.place();
  place.path.clear();
  return {file, place.text()};
}

// Checks the splits of a folder, one at a time.
class TableLint {
 public:
  TableLint(const LintRequest& request, LintReport& report) : request_(request), report_(report) {}

  void check(const TableFolder& folder, const std::string& name) {
    Split split{.name = name};
    for (const TableFile& file : folder.files()) {
      if (file.split != name) continue;
      append_joined(report_.dataset_file, file.file);
      Result<PooledTable> table = read_table(folder, file, split, TableUse::audit);
      if (table.ok()) {
        split.tables[static_cast<std::size_t>(file.kind)] = *std::move(table);
      } else {
        report_.problems.add(lint_rules::table_unreadable, place_in_table(file.file, table.error()),
                             table.error().message());
      }
    }
    report_.splits.emplace_back(name, static_cast<std::int64_t>(split.volumes.size()));
    if (folder.split_names().size() > 1) check_splits(split);
    check_rules(split);
    check_blind(split);
    if (request_.labels) check_labels(split, *request_.labels);
    if (predictions_ != nullptr) check_predictions(split);
  }

  // What is handed in for the splits that are checked.
  void hand_in(const PredictionFiles& predictions) { predictions_ = &predictions; }

  LintAudit audit() {
    Json out = Json::object(
        {{"tables", std::move(tables_)}, {"checks", std::move(checks_)}, {"blind", std::move(blind_)}});
    if (request_.labels) out.set("agreement", std::move(agreement_));
    return {std::move(out), std::move(text_)};
  }

 private:
  void check_predictions(const Split& split) {
    if (has_grounded_reports(*predictions_)) {
      std::set<std::string> cases;
      for (std::uint32_t i = 0; i < split.volumes.size(); ++i) cases.insert(split.volumes.text(i));
      CheckedReports checked = check_grounded_reports(*predictions_, split.name, cases);
      report_.submission = std::move(checked.facts);
      report_.problems.append(std::move(checked.problems));
      return;
    }
    CheckedTableAnswers checked = check_table_answers(*predictions_, split);
    report_.submission = std::move(checked.facts);
    report_.problems.append(std::move(checked.problems));
  }

  void check_splits(const Split& split) {
    for (std::uint32_t i = 0; i < split.volumes.size(); ++i) {
      const auto [earlier, is_new] = split_of_.emplace(split.volumes.text(i), split.name);
      if (is_new) continue;
      report_.problems.add(lint_rules::volume_in_two_splits, {"", split.volumes.text(i)},
                           "expected it in one split, found it in " + earlier->second + " and " + split.name);
    }
  }

  void check_rules(const Split& split) {
    for (const TableStatistics& table : table_statistics(split)) {
      Json entry = Json::object({{"split", table.split},
                                 {"task", table.task},
                                 {"file", table.file},
                                 {"rows", table.rows},
                                 {"volumes", table.volumes},
                                 {"patients", table.patients}});
      tables_.push(std::move(entry));
      text_ += table.file + ": " + decimal(table.rows) + " rows of " + decimal(table.volumes) + " volumes\n";
    }
    for (const AuditCheck& check : audit_split(split)) {
      Json entry = check.json();
      checks_.push(entry.set("split", split.name));
      if (check.broken() == 0 || check.is_fine) continue;
      report_.problems.add(*check.rule, {check.table, check.first_place}, check.message(), check.broken());
    }
  }

  void check_blind(const Split& split) {
    const BlindBaselines baselines = blind_baselines(split, 0);
    blind_.set(split.name, baselines.json());
    text_ += baselines.text();
    for (const char* known : {"finding_and_region", "finding"}) {
      const auto* found = baselines.find("presence", known, "accuracy");
      if (found == nullptr || !found->value || *found->value <= highest_blind_accuracy) continue;
      const PooledTable* table = split.find(TableKind::presence);
      report_.problems.add(lint_rules::answerable_blind, {table->file, ""},
                           "expected at most " + fixed(highest_blind_accuracy, 2) +
                               " of the answers to be guessed without the image, found " +
                               fixed(*found->value, 4) + " from " + known);
      return;
    }
  }

  void check_labels(const Split& split, const Path& labels) {
    const Result<SplitAgreement> found = agreement_with_labels(split, labels);
    if (!found.ok()) {
      report_.problems.add(lint_rules::labels_unreadable,
                           place_in_table(labels.filename().string(), found.error()),
                           found.error().message());
      return;
    }
    agreement_.set(split.name, found->json());
    for (const LabelAgreement& each : found->abnormality) {
      if (each.said < least_label_volumes || each.labelled == 0) continue;
      const double precision = static_cast<double>(each.said_and_labelled) / static_cast<double>(each.said);
      if (precision >= least_label_precision) continue;
      report_.problems.add(lint_rules::labels_disagree,
                           {split.find(TableKind::abnormality)->file, each.label},
                           "expected most of the volumes with this finding to be labelled so, found " +
                               decimal(each.said_and_labelled) + " of " + decimal(each.said) + "; " +
                               decimal(each.labelled) + " are labelled");
    }
  }

  const LintRequest& request_;
  LintReport& report_;
  const PredictionFiles* predictions_ = nullptr;
  std::map<std::string, std::string> split_of_;  // by volume
  Json tables_{Json::Array{}};
  Json checks_{Json::Array{}};
  Json blind_ = Json::object({});
  Json agreement_ = Json::object({});
  std::string text_;
};

Result<LintReport> lint_folder(const LintRequest& request, const TableFolder& folder, Progress& progress) {
  std::vector<std::string> names = folder.split_names();
  if (request.split || request.predictions) {
    FIDUCIAL_TRY(const std::string chosen, folder.choose_split(request.split));
    names = {chosen};
  }
  LintReport report{.benchmark = "radgenome"};
  TableLint checker(request, report);
  std::optional<PredictionFiles> predictions;
  if (request.predictions) {
    FIDUCIAL_TRY(predictions, open_submission(*request.predictions, report.problems, "masks/"));
    if (predictions) checker.hand_in(*predictions);
  }
  progress.begin("checking splits", static_cast<std::int64_t>(names.size()));
  for (const std::string& name : names) {
    checker.check(folder, name);
    progress.advance(1);
  }
  progress.end();
  report.audit = checker.audit();
  return report;
}

}  // namespace

bool is_table_file(const Path& path) {
  const std::string name = path.filename().string();
  return (name.ends_with(".csv") || name.ends_with(".csv.gz")) && is_file(path);
}

Result<LintReport> lint(const LintRequest& request, const Executor& /*executor*/, Progress& progress) {
  // Its rules look at whole tables: there are no single cases to list.
  if (request.checks != nullptr && request.checks->lists()) return LintReport{.benchmark = "radgenome"};
  if (!is_table_file(request.dataset)) {
    if (request.names_columns())
      return bad_usage("radgenome: columns are named for one table, not for a folder");
    FIDUCIAL_TRY(const TableFolder folder, TableFolder::open(request.dataset));
    return lint_folder(request, folder, progress);
  }
  FIDUCIAL_TRY(std::unique_ptr<FileStream> stored, FileStream::open(request.dataset));
  FIDUCIAL_TRY(
      const std::vector<std::string> columns,
      read_column_names(std::move(stored), request.dataset.string()).in_file(request.dataset.string()));
  FIDUCIAL_TRY(const std::optional<QuestionColumns> questions, find_question_columns(columns, request));
  if (questions) return lint_questions(request.dataset, *questions);
  FIDUCIAL_TRY(const TableFolder folder, TableFolder::of_file(request.dataset));
  return lint_folder(request, folder, progress);
}

}  // namespace fiducial::radgenome

namespace fiducial {

DatasetAdapter radgenome_adapter() {
  return {.id = "radgenome",
          .title = "RadGenome-Chest CT: reports, questions and masks by region",
          .layout =
              "tables such as vqa_presence.csv or validation_region_report.csv, in it or in radgenome_files/",
          .recognises = radgenome::TableFolder::recognises,
          .recognises_file = radgenome::is_table_file,
          .tasks = {"region_tables", "organ_masks", "grounded_reports"},
          .open_tables = radgenome::TableFolder::open,
          .lint_inputs = {LintInput::predictions, LintInput::labels, LintInput::columns},
          .lint = radgenome::lint,
          .card = radgenome::card_facts};
}

}  // namespace fiducial
