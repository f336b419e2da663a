#include "fiducial/export/submission_package.h"

#include <algorithm>

#include "fiducial/archive/zip_writer.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/version.h"
#include "fiducial/datasets/case_checks.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/prediction_files.h"
#include "fiducial/datasets/radgenome/lint.h"
#include "fiducial/datasets/radgenome/tables.h"
#include "fiducial/datasets/rexgroundingct/lint.h"
#include "fiducial/export/answer_submission.h"

namespace fiducial {

namespace {

// A prediction is held in memory while it is packed.
constexpr std::uint64_t max_prediction_bytes = std::uint64_t{4} << 30;

// Passes an archive on and hashes it on the way.
class HashingSink final : public ByteSink {
 public:
  explicit HashingSink(ByteSink& downstream) : downstream_(downstream) {}
  Outcome write(ByteView bytes) override {
    hash_.update(bytes);
    size_ += bytes.size();
    return downstream_.write(bytes);
  }
  Digest digest() { return hash_.digest(); }
  std::uint64_t size() const { return size_; }

 private:
  ByteSink& downstream_;
  Sha256 hash_;
  std::uint64_t size_ = 0;
};

bool is_part(const SubmissionRequest& request) {
  return request.checks != nullptr && !request.checks->is_whole();
}

bool is_listed(const SubmissionRequest& request) {
  return request.checks != nullptr && request.checks->lists();
}

Outcome refuse_existing(const SubmissionRequest& request) {
  if (request.overwrite) return done();
  for (const Path& path : {request.output, manifest_path(request.output)}) {
    if (!is_there(path)) continue;
    return Error(ErrorCode::bad_usage, "output exists; --overwrite replaces it",
                 Place{.path = path.string()});
  }
  return done();
}

bool concerns_masks(const LintProblem& problem) {
  return problem.code.starts_with("mask_") || problem.code == "split_without_masks";
}

template <typename Wanted>
LintProblems only(const LintProblems& problems, const Wanted& is_wanted) {
  LintProblems out;
  for (const LintProblem& problem : problems.all()) {
    if (!is_wanted(problem)) continue;
    out.add({problem.code, problem.severity, {}}, {problem.file, problem.place}, problem.message,
            problem.occurrences);
  }
  return out;
}

Result<Bytes> content_of(const PredictionFiles& files, const SubmittedFile& expected) {
  const auto failed = [&expected](ErrorCode code, std::string message) {
    return Error(code, std::move(message), Place{.path = expected.name});
  };
  FIDUCIAL_TRY(const StoredFile stored, files.open_file(expected.name));
  if (stored.size != expected.bytes)
    return failed(ErrorCode::integrity, "the file changed while it was packed");
  if (stored.size > max_prediction_bytes) {
    return failed(ErrorCode::invalid_data, "more than " + decimal(max_prediction_bytes) + " bytes");
  }
  Bytes out(stored.size);
  FIDUCIAL_TRY(const std::size_t count, stored.bytes->read(out));
  if (count != out.size() || sha256(out) != expected.digest) {
    return failed(ErrorCode::integrity, "the file changed while it was packed");
  }
  return out;
}

Outcome write_archive(const PredictionFiles& files, const SubmissionFacts& facts, ByteSink& sink,
                      Progress& progress) {
  ZipWriter zip(sink);
  progress.begin("packing", static_cast<std::int64_t>(facts.files.size()));
  for (const SubmittedFile& file : facts.files) {
    FIDUCIAL_TRY(const Bytes content, content_of(files, file));
    FIDUCIAL_TRY_DONE(zip.add(file.name, content, ZipMethod::stored));
    progress.advance(1);
  }
  progress.end();
  return zip.finish();
}

// The dataset that a submission answers.
struct AnsweredDataset {
  std::string file;
  Digest digest;
};

Json manifest_of(const AnsweredDataset& dataset, const LintReport& report, const SubmittedFile& archive) {
  Json files = Json::Array{};
  for (const SubmittedFile& file : report.submission->files) {
    files.push(Json::object({{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.digest->hex()}}));
  }
  return Json::object(
      {{"schema", "fiducial.submission/1"},
       {"tool", Json::object({{"name", "fiducial"}, {"version", tool_version}})},
       {"benchmark", report.benchmark},
       {"split", report.submission->split},
       {"dataset", Json::object({{"file", dataset.file}, {"sha256", dataset.digest.hex()}})},
       {"archive",
        Json::object({{"name", archive.name}, {"bytes", archive.bytes}, {"sha256", archive.digest->hex()}})},
       {"warnings", report.problems.count(Severity::warning)},
       {"files", files}});
}

// Packs the files of a submission that was checked, where no error was found.
Result<PackedSubmission> pack_files(const SubmissionRequest& request, const AnsweredDataset& dataset,
                                    LintReport report, Progress& progress) {
  if (report.has_errors() || !report.submission) return PackedSubmission{std::move(report), std::nullopt};
  auto& files = report.submission->files;
  std::sort(files.begin(), files.end(),
            [](const SubmittedFile& a, const SubmittedFile& b) { return a.name < b.name; });
  FIDUCIAL_TRY(const PredictionFiles predictions, PredictionFiles::open(request.predictions, "masks/"));
  FIDUCIAL_TRY(const std::unique_ptr<FileSink> sink, FileSink::create(request.output));
  HashingSink archive(*sink);
  FIDUCIAL_TRY_DONE(write_archive(predictions, *report.submission, archive, progress));
  Json manifest = manifest_of(
      dataset, report,
      {.name = request.output.filename().string(), .bytes = archive.size(), .digest = archive.digest()});
  FIDUCIAL_TRY_DONE(write_file(manifest_path(request.output), manifest.pretty()));
  FIDUCIAL_TRY_DONE(sink->publish());
  return PackedSubmission{std::move(report), std::move(manifest)};
}

Result<PackedSubmission> pack_masks(const SubmissionRequest& request, const GroundedDataset& dataset,
                                    const Executor& executor, Progress& progress) {
  FIDUCIAL_TRY(const std::string split, choose_split(dataset, request.split));
  const LintRequest check{.dataset = request.dataset,
                          .predictions = request.predictions,
                          .split = split,
                          .checks = request.checks};
  FIDUCIAL_TRY(LintReport report, rexgroundingct::lint(check, executor, progress));
  if (is_part(request)) return PackedSubmission{std::move(report), std::nullopt};
  report.problems = only(report.problems, [](const LintProblem& each) { return !concerns_masks(each); });
  return pack_files(request, {dataset.file_name(), dataset.digest()}, std::move(report), progress);
}

bool concerns_answers(const LintProblem& problem) {
  return problem.code.starts_with("table_answers") || problem.code == "table_not_answered" ||
         problem.code.starts_with("report") || problem.code.starts_with("submission_");
}

// The tables of a split, as the hash of a line with name and hash for each.
Result<AnsweredDataset> answered_tables(const radgenome::TableFolder& folder, const std::string& split) {
  AnsweredDataset out;
  std::string lines;
  for (const radgenome::TableFile& file : folder.files()) {
    if (file.split != split) continue;
    FIDUCIAL_TRY(std::unique_ptr<FileStream> stored, FileStream::open(folder.path_of(file)));
    FIDUCIAL_TRY(const Digest digest, HashingStream(std::move(stored)).finish());
    append_joined(out.file, file.file);
    lines += file.file + " " + digest.hex() + "\n";
  }
  out.digest = sha256(as_bytes(lines));
  return out;
}

Result<PackedSubmission> pack_tables(const SubmissionRequest& request, const radgenome::TableFolder& folder,
                                     const Executor& executor, Progress& progress) {
  FIDUCIAL_TRY(const std::string split, folder.choose_split(request.split));
  const LintRequest check{.dataset = request.dataset, .predictions = request.predictions, .split = split};
  if (is_listed(request)) return PackedSubmission{};
  FIDUCIAL_TRY(LintReport report, request.checked ? Result<LintReport>(*request.checked)
                                                  : radgenome::lint(check, executor, progress));
  if (is_part(request)) return PackedSubmission{std::move(report), std::nullopt};
  report.problems = only(report.problems, concerns_answers);
  report.audit.reset();
  FIDUCIAL_TRY(const AnsweredDataset dataset, answered_tables(folder, split));
  return pack_files(request, dataset, std::move(report), progress);
}

Result<PackedSubmission> pack_answers(const SubmissionRequest& request, const DiagnosisDataset& dataset) {
  if (is_listed(request)) return PackedSubmission{};
  FIDUCIAL_TRY(const std::string name, choose_split(dataset, request.split));
  FIDUCIAL_TRY(const DiagnosisSplit split, dataset.read_split(name));
  FIDUCIAL_TRY(AnswerSubmission made, answer_submission(split, request.dataset, request.predictions,
                                                        request.output.filename().string()));
  LintReport& report = made.report;
  if (is_part(request) || report.has_errors() || !report.submission)
    return PackedSubmission{std::move(report), std::nullopt};
  Json manifest = manifest_of({split.file, split.digest}, report, report.submission->files.front());
  FIDUCIAL_TRY_DONE(write_file(manifest_path(request.output), manifest.pretty()));
  FIDUCIAL_TRY_DONE(write_file(request.output, made.text));
  return PackedSubmission{std::move(report), std::move(manifest)};
}

}  // namespace

Path manifest_path(const Path& archive) { return archive.string() + ".manifest.json"; }

Result<PackedSubmission> pack_submission(const SubmissionRequest& request, const Executor& executor,
                                         Progress& progress) {
  FIDUCIAL_TRY_DONE(refuse_existing(request));
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(request.dataset));
  if (adapter->open_questions != nullptr) {
    FIDUCIAL_TRY(const std::unique_ptr<DiagnosisDataset> dataset, adapter->open_questions(request.dataset));
    return pack_answers(request, *dataset);
  }
  if (adapter->open_tables != nullptr) {
    FIDUCIAL_TRY(const radgenome::TableFolder folder, adapter->open_tables(request.dataset));
    return pack_tables(request, folder, executor, progress);
  }
  FIDUCIAL_TRY(const OpenedGroundedDataset opened, open_grounded_dataset(request.dataset));
  return pack_masks(request, *opened.dataset, executor, progress);
}

}  // namespace fiducial
