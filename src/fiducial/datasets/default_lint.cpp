#include "fiducial/datasets/default_lint.h"

#include <map>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/datasets/case_checks.h"
#include "fiducial/datasets/identifier_lint.h"
#include "fiducial/datasets/radgenome/tables.h"
#include "fiducial/datasets/shared_rules.h"
#include "fiducial/datasets/submission.h"
#include "fiducial/masks/mask_file.h"

namespace fiducial {

namespace {

// A case being checked.
struct CheckedCase {
  std::string split;
  const GroundedCase* entry = nullptr;
  CheckedFiles found;
};

// Holds cases with masks against the rules of any layout.
class GroundedLint {
 public:
  GroundedLint(const GroundedDataset& dataset, const LintRequest& request, LintReport& report)
      : dataset_(dataset), request_(request), report_(report) {}

  Outcome open() {
    if (request_.split || request_.predictions) {
      FIDUCIAL_TRY(chosen_, choose_split(dataset_, request_.split));
    }
    if (request_.predictions) {
      FIDUCIAL_TRY(predictions_, open_submission(*request_.predictions, report_.problems));
    }
    for (const std::string& split : dataset_.split_names()) {
      const std::vector<GroundedCase>& cases = *dataset_.find_split(split);
      check_names(split, cases);
      if (request_.split && split != *request_.split) continue;
      report_.splits.emplace_back(split, static_cast<std::int64_t>(cases.size()));
      for (const GroundedCase& entry : cases) cases_.push_back({.split = split, .entry = &entry});
    }
    return done();
  }

  Outcome check_cases(const Executor& executor, Progress& progress) {
    progress.begin("checking", static_cast<std::int64_t>(cases_.size()));
    const auto count = static_cast<std::int64_t>(cases_.size());
    Outcome outcome = executor.for_each(count, [&](std::int64_t index) -> Outcome {
      CheckedCase& each = cases_[static_cast<std::size_t>(index)];
      FIDUCIAL_TRY(each.found, checked_files(request_, to_check(index), [&] { return check_case(each); }));
      progress.advance(1);
      return done();
    });
    progress.end();
    return outcome;
  }

  void finish() {
    for (CheckedCase& each : cases_) report_.problems.append(std::move(each.found.problems));
    if (!predictions_) return;
    report_.problems.append(check_extra_files(*predictions_, split_of_, chosen_));
    report_.submission =
        SubmissionFacts{.split = chosen_, .kind = predictions_->is_archive() ? "zip" : "folder"};
    for (CheckedCase& each : cases_) {
      if (each.found.submitted) report_.submission->files.push_back(*std::move(each.found.submitted));
    }
  }

 private:
  void check_names(const std::string& split, const std::vector<GroundedCase>& cases) {
    const LintPlace where{dataset_.file_name(), split};
    if (cases.empty() && predictions_ && split == chosen_)
      report_.problems.add(shared_rules::split_empty, where, "expected cases, found none");
    for (const GroundedCase& entry : cases) {
      const auto [known, is_new] = split_of_.emplace(entry.name, split);
      if (!is_new && known->second == split) {
        report_.problems.add(shared_rules::name_duplicate, where, "duplicate name \"" + entry.name + "\"");
      } else if (!is_new) {
        report_.problems.add(shared_rules::name_in_two_splits, where,
                             "name \"" + entry.name + "\" is also in \"" + known->second + "\"");
      }
    }
    check_patients(split, cases);
  }

  // A warning for each earlier split that shares patients with this one.
  void check_patients(const std::string& split, const std::vector<GroundedCase>& cases) {
    std::map<std::string, std::set<std::string>> shared;
    for (const GroundedCase& entry : cases) {
      const auto [first, is_new] = split_of_patient_.emplace(entry.patient, split);
      if (!is_new && first->second != split && split_of_.at(entry.name) == split)
        shared[first->second].insert(entry.patient);
    }
    for (const auto& [other, patients] : shared) {
      report_.problems.add(shared_rules::patients_shared, {dataset_.file_name(), split},
                           "expected patients of one split only, found " + decimal(patients.size()) +
                               " also in \"" + other + "\", such as " + *patients.begin());
    }
  }

  CaseToCheck to_check(std::int64_t index) const {
    const CheckedCase& each = cases_[static_cast<std::size_t>(index)];
    CaseToCheck out{index, each.entry->name, {}};
    out.files.emplace_back("dataset", dataset_.folder() / dataset_.mask_name(*each.entry));
    if (predictions_ && each.split == chosen_ && !predictions_->is_archive())
      out.files.emplace_back("predictions", *request_.predictions / each.entry->name);
    return out;
  }

  CheckedFiles check_case(const CheckedCase& each) const {
    CheckedFiles out;
    for (const Finding& finding : each.entry->findings) {
      const LintPlace place = LintPlace::channel(dataset_.mask_name(*each.entry), finding.index);
      add_identifier_hints(finding.text, shared_rules::text_identifier, place, out.problems);
      if (finding.text.empty())
        out.problems.add(shared_rules::finding_text_empty, place, "expected a text, found none");
    }
    const std::optional<ChannelShape> shape = check_mask(*each.entry, out.problems);
    if (!predictions_ || each.split != chosen_) return out;
    CheckedPrediction checked = check_prediction(*predictions_, {.name = each.entry->name, .shape = shape});
    out.problems.append(std::move(checked.problems));
    out.submitted = std::move(checked.file);
    return out;
  }

  std::optional<ChannelShape> check_mask(const GroundedCase& entry, LintProblems& out) const {
    const std::string file = dataset_.mask_name(entry);
    if (!is_file(dataset_.folder() / file)) {
      out.add(shared_rules::mask_missing, {file, ""}, "expected the mask of a case, found no such file");
      return std::nullopt;
    }
    Result<StoredFile> stored = dataset_.open_mask(entry);
    const Result<MaskFile> mask = stored.ok() ? read_mask_file(*std::move(stored), std::nullopt).mask
                                              : Result<MaskFile>(std::move(stored).error());
    if (!mask.ok()) {
      out.add(shared_rules::mask_unreadable, LintPlace::of(file, mask.error()), mask.error().message());
      return std::nullopt;
    }
    if (entry.lists_findings && mask->channels.size() != entry.findings.size()) {
      out.add(shared_rules::mask_channels, {file, ""},
              "expected " + decimal(entry.findings.size()) + " channels, one a finding, found " +
                  decimal(mask->channels.size()));
    }
    return mask->shape;
  }

  const GroundedDataset& dataset_;
  const LintRequest& request_;
  LintReport& report_;
  std::string chosen_;  // the split that predictions are for
  std::optional<PredictionFiles> predictions_;
  std::map<std::string, std::string> split_of_;          // by case
  std::map<std::string, std::string> split_of_patient_;  // the first
  std::vector<CheckedCase> cases_;
};

Outcome lint_grounded(const GroundedDataset& dataset, const LintRequest& request, const Executor& executor,
                      Progress& progress, LintReport& report) {
  report.dataset_file = dataset.file_name();
  GroundedLint lint(dataset, request, report);
  FIDUCIAL_TRY_DONE(lint.open());
  FIDUCIAL_TRY_DONE(lint.check_cases(executor, progress));
  lint.finish();
  return done();
}

Outcome lint_questions(const DiagnosisDataset& dataset, const LintRequest& request, LintReport& report) {
  std::vector<std::string> names = dataset.split_names();
  if (request.split) {
    FIDUCIAL_TRY(const std::string chosen, choose_split(dataset, request.split));
    names = {chosen};
  }
  for (const std::string& name : names) {
    const Result<DiagnosisSplit> split = dataset.read_split(name);
    if (split.ok()) {
      report.splits.emplace_back(name, static_cast<std::int64_t>(split->cases.size()));
      append_joined(report.dataset_file, split->file);
    } else {
      report.problems.add(shared_rules::split_unreadable, LintPlace::of(name, split.error()),
                          split.error().message());
    }
  }
  return done();
}

// Tables of a layout without rules are opened; what they say is for the rules of a layout to judge.
void lint_tables(const radgenome::TableFolder& folder, LintReport& report) {
  for (const radgenome::TableFile& file : folder.files()) append_joined(report.dataset_file, file.file);
}

}  // namespace

std::vector<LintInput> default_lint_inputs(const DatasetAdapter& adapter) {
  if (adapter.open_grounded == nullptr) return {};
  return {LintInput::predictions};
}

Result<LintReport> default_lint(const DatasetAdapter& adapter, const LintRequest& request,
                                const Executor& executor, Progress& progress) {
  LintReport report{.benchmark = adapter.id};
  if (adapter.open_grounded != nullptr) {
    FIDUCIAL_TRY(const std::unique_ptr<GroundedDataset> dataset, adapter.open_grounded(request.dataset));
    FIDUCIAL_TRY_DONE(lint_grounded(*dataset, request, executor, progress, report));
  }
  if (adapter.open_questions != nullptr) {
    FIDUCIAL_TRY(const std::unique_ptr<DiagnosisDataset> dataset, adapter.open_questions(request.dataset));
    FIDUCIAL_TRY_DONE(lint_questions(*dataset, request, report));
  }
  if (adapter.open_tables != nullptr) {
    FIDUCIAL_TRY(const radgenome::TableFolder folder, adapter.open_tables(request.dataset));
    lint_tables(folder, report);
  }
  return report;
}

}  // namespace fiducial
