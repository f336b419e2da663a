#include "fiducial/datasets/rexgroundingct/lint.h"

#include <algorithm>
#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/datasets/grounded_report_check.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/datasets/rexgroundingct/lint_case.h"
#include "fiducial/datasets/rexgroundingct/lint_document.h"
#include "fiducial/datasets/rexgroundingct/lint_rules.h"
#include "fiducial/datasets/split_choice.h"
#include "fiducial/datasets/submission.h"
#include "fiducial/datasets/volume_checks.h"

namespace fiducial::rexgroundingct {

namespace {

namespace rules = lint_rules;

struct CaseTask {
  const LintedSplit* split = nullptr;
  const LintedEntry* entry = nullptr;
  CheckedFiles result;
};

// The split predictions are for, by the rule that scoring has.
Result<const LintedSplit*> submitted_split(const LintedDocument& document, const LintRequest& request,
                                           const std::string& file) {
  SplitChoice choice{.place = file, .usual = {"test", "val", "validation"}};
  for (const LintedSplit& split : document.splits) choice.names.push_back(split.name);
  FIDUCIAL_TRY(const std::string name, chosen_split(choice, request.split));
  return document.find_split(name);
}

// The published challenge file counts one entity for every finding of its withheld test split.
bool has_placeholder_counts(const LintedSplit& split) {
  return split.name == "test" &&
         std::all_of(split.entries.begin(), split.entries.end(), [](const auto& entry) {
           const auto& findings = entry.entry.findings;
           return std::all_of(findings.begin(), findings.end(),
                              [](const Finding& finding) { return finding.entities == 1; });
         });
}

// Findings that every case of a split shares are told once.
class SplitSummary {
 public:
  SplitSummary(const LintedSplit& split, std::string file) : split_(split), file_(std::move(file)) {}

  void fold(const std::vector<CaseTask*>& cases, bool others_have_masks, LintProblems& out) const {
    std::int64_t missing = 0;
    std::int64_t miscounted = 0;
    for (const CaseTask* one : cases) {
      missing += one->result.problems.count(rules::mask_missing);
      miscounted += one->result.problems.count(rules::mask_entities);
    }
    // One lost file, or one wrong count, is a mistake; all of them are how private splits are published.
    if (others_have_masks && missing > 1 && missing == static_cast<std::int64_t>(cases.size())) {
      for (CaseTask* one : cases) one->result.problems.remove(rules::mask_missing);
      out.add(rules::split_without_masks, {file_, "/" + split_.name},
              "expected " + decimal(missing) + " masks, found none; are they withheld?");
    }
    if (miscounted > 1 && has_placeholder_counts(split_)) {
      for (CaseTask* one : cases) one->result.problems.remove(rules::mask_entities);
      out.add(rules::entity_counts_placeholder, {file_, "/" + split_.name},
              "entity_counts are 1 for every finding, a placeholder; " + decimal(miscounted) +
                  " findings have another number of ids");
    }
  }

 private:
  const LintedSplit& split_;
  std::string file_;
};

// A dataset's check in progress.
class DatasetLint {
 public:
  DatasetLint(const LintRequest& request, std::string file, LintedDocument document)
      : request_(request), document_(std::move(document)) {
    report_.benchmark = "rexgroundingct";
    report_.dataset_file = std::move(file);
    report_.problems = std::move(document_.problems);
  }

  Outcome open_predictions() {
    if (request_.split || request_.predictions) {
      FIDUCIAL_TRY(submitted_,
                   submitted_split(document_, request_, (request_.dataset / report_.dataset_file).string()));
    }
    if (!request_.predictions) return done();
    FIDUCIAL_TRY(predictions_, open_submission(*request_.predictions, report_.problems));
    if (submitted_->names.empty()) {
      report_.problems.add(rules::split_empty, {report_.dataset_file, "/" + submitted_->name},
                           "expected cases, found none");
    }
    return done();
  }

  void open_metadata() {
    if (request_.volumes || request_.metadata) metadata_ = open_checked_metadata(request_, report_.problems);
  }

  Outcome check_cases(const Executor& executor, Progress& progress) {
    for (const LintedSplit& split : document_.splits) {
      if (request_.split && split.name != *request_.split) continue;
      report_.splits.emplace_back(split.name, static_cast<std::int64_t>(split.entries.size()));
      for (const LintedEntry& entry : split.entries) tasks_.push_back({&split, &entry, {}});
    }
    progress.begin("checking", static_cast<std::int64_t>(tasks_.size()));
    Outcome outcome =
        executor.for_each(static_cast<std::int64_t>(tasks_.size()), [&](std::int64_t index) -> Outcome {
          CaseTask& task = tasks_[static_cast<std::size_t>(index)];
          FIDUCIAL_TRY(task.result,
                       checked_files(request_, to_check(index), [&] { return check_case(task); }));
          progress.advance(1);
          return done();
        });
    progress.end();
    return outcome;
  }

  LintReport take() {
    fold_splits();
    for (CaseTask& task : tasks_) report_.problems.append(std::move(task.result.problems));
    if (predictions_ && has_grounded_reports(*predictions_)) {
      CheckedReports checked = check_grounded_reports(*predictions_, submitted_->name,
                                                      {submitted_->names.begin(), submitted_->names.end()});
      report_.problems.append(std::move(checked.problems));
      report_.submission = std::move(checked.facts);
    } else if (predictions_) {
      report_.problems.append(check_extra_files(*predictions_, splits_by_name(), submitted_->name));
      report_.submission = submission_facts();
    }
    return std::move(report_);
  }

 private:
  bool is_handed_in(const CaseTask& task) const {
    return predictions_ && task.split == submitted_ && !has_grounded_reports(*predictions_);
  }

  CheckedFiles check_case(const CaseTask& task) const {
    return lint_case({request_.dataset, report_.dataset_file, request_.volumes,
                      metadata_ ? &*metadata_ : nullptr, is_handed_in(task) ? &*predictions_ : nullptr},
                     task.split->name, *task.entry);
  }

  // Where the files of a case lie is looked up only for who lists them.
  CaseToCheck to_check(std::int64_t index) const {
    const CaseTask& task = tasks_[static_cast<std::size_t>(index)];
    const std::string& name = task.entry->entry.name;
    CaseToCheck out{index, name, {}};
    if (request_.checks == nullptr || !request_.checks->lists()) return out;
    out.files.emplace_back("dataset", request_.dataset / mask_name_in(request_.dataset, name));
    if (is_handed_in(task) && !predictions_->is_archive())
      out.files.emplace_back("predictions", *request_.predictions / name);
    const auto volume = request_.volumes ? find_volume(*request_.volumes, name) : std::nullopt;
    if (volume) out.files.emplace_back("volumes", *volume);
    return out;
  }

  bool has_mask_outside(const LintedSplit& split) const {
    return std::any_of(document_.splits.begin(), document_.splits.end(), [&](const LintedSplit& other) {
      return &other != &split &&
             std::any_of(other.entries.begin(), other.entries.end(), [&](const LintedEntry& entry) {
               return is_there(request_.dataset / mask_name_in(request_.dataset, entry.entry.name));
             });
    });
  }

  void fold_splits() {
    for (const LintedSplit& split : document_.splits) {
      std::vector<CaseTask*> cases;
      for (CaseTask& task : tasks_) {
        if (task.split == &split) cases.push_back(&task);
      }
      SplitSummary(split, report_.dataset_file).fold(cases, has_mask_outside(split), report_.problems);
    }
  }

  // A name in two splits counts for the one that was handed in.
  std::map<std::string, std::string> splits_by_name() const {
    std::map<std::string, std::string> out;
    for (const std::string& name : submitted_->names) out.emplace(name, submitted_->name);
    for (const LintedSplit& split : document_.splits) {
      for (const std::string& name : split.names) out.emplace(name, split.name);
    }
    return out;
  }

  SubmissionFacts submission_facts() {
    SubmissionFacts out{.split = submitted_->name, .kind = predictions_->is_archive() ? "zip" : "folder"};
    for (CaseTask& task : tasks_) {
      if (task.result.submitted) out.files.push_back(*std::move(task.result.submitted));
    }
    std::sort(out.files.begin(), out.files.end(),
              [](const SubmittedFile& a, const SubmittedFile& b) { return a.name < b.name; });
    return out;
  }

  const LintRequest& request_;
  LintedDocument document_;
  const LintedSplit* submitted_ = nullptr;
  std::optional<PredictionFiles> predictions_;
  std::optional<VolumeMetadata> metadata_;
  std::vector<CaseTask> tasks_;
  LintReport report_;
};

}  // namespace

Result<LintReport> lint(const LintRequest& request, const Executor& executor, Progress& progress) {
  const std::optional<std::string> file = find_dataset_file(request.dataset);
  if (!file) {
    if (!is_folder(request.dataset)) return path_missing("no such dataset folder", request.dataset.string());
    return invalid_data("no dataset.json in the folder").in_file(request.dataset.string());
  }
  if (request.volumes) FIDUCIAL_TRY_DONE(check_reachable(*request.volumes));
  if (request.volumes && !is_folder(*request.volumes)) {
    return path_missing("no such folder of volumes", request.volumes->string());
  }
  const Result<std::string> text = read_text_file(request.dataset / *file);
  LintedDocument document;
  if (text.ok()) {
    document = lint_document(*text, *file);
  } else {
    document.problems.add(rules::dataset_unreadable, LintPlace::of(*file, text.error()),
                          text.error().message());
  }
  if (document.splits.empty()) {
    return LintReport{
        .benchmark = "rexgroundingct", .dataset_file = *file, .problems = std::move(document.problems)};
  }
  DatasetLint lint(request, *file, std::move(document));
  FIDUCIAL_TRY_DONE(lint.open_predictions());
  lint.open_metadata();
  FIDUCIAL_TRY_DONE(lint.check_cases(executor, progress));
  return lint.take();
}

}  // namespace fiducial::rexgroundingct
