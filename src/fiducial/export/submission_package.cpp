#include "fiducial/export/submission_package.h"

#include <algorithm>
#include <system_error>

#include "fiducial/archive/zip_writer.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/version.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/prediction_files.h"
#include "fiducial/datasets/rexgroundingct/lint.h"

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

Outcome refuse_existing(const SubmissionRequest& request) {
  if (request.overwrite) return done();
  for (const Path& path : {request.output, manifest_path(request.output)}) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) continue;
    return Error(ErrorCode::bad_usage, "output exists; --overwrite replaces it",
                 Place{.path = path.string()});
  }
  return done();
}

bool concerns_masks(const LintProblem& problem) {
  return problem.code.starts_with("mask_") || problem.code == "split_without_masks";
}

LintProblems without_masks(const LintProblems& problems) {
  LintProblems out;
  for (const LintProblem& problem : problems.all()) {
    if (concerns_masks(problem)) continue;
    out.add({problem.code, problem.severity, {}}, {problem.file, problem.place}, problem.message);
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

Result<std::unique_ptr<GroundedDataset>> open_dataset(const Path& folder) {
  FIDUCIAL_TRY(OpenedGroundedDataset opened, open_grounded_dataset(folder));
  return std::move(opened.dataset);
}

Json manifest_of(const GroundedDataset& dataset, const LintReport& report, const std::string& name,
                 HashingSink& archive) {
  Json files = Json::Array{};
  for (const SubmittedFile& file : report.submission->files) {
    files.push(Json::object({{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.digest->hex()}}));
  }
  const std::uint64_t bytes = archive.size();
  return Json::object(
      {{"schema", "fiducial.submission/1"},
       {"tool", Json::object({{"name", "fiducial"}, {"version", tool_version}})},
       {"benchmark", report.benchmark},
       {"split", report.submission->split},
       {"dataset", Json::object({{"file", dataset.file_name()}, {"sha256", dataset.digest().hex()}})},
       {"archive", Json::object({{"name", name}, {"bytes", bytes}, {"sha256", archive.digest().hex()}})},
       {"warnings", report.problems.count(Severity::warning)},
       {"files", files}});
}

}  // namespace

Path manifest_path(const Path& archive) { return archive.string() + ".manifest.json"; }

Result<PackedSubmission> pack_submission(const SubmissionRequest& request, const Executor& executor,
                                         Progress& progress) {
  FIDUCIAL_TRY_DONE(refuse_existing(request));
  FIDUCIAL_TRY(const std::unique_ptr<GroundedDataset> dataset, open_dataset(request.dataset));
  FIDUCIAL_TRY(const std::string split, choose_split(*dataset, request.split));
  const LintRequest check{.dataset = request.dataset, .predictions = request.predictions, .split = split};
  FIDUCIAL_TRY(LintReport report, rexgroundingct::lint(check, executor, progress));
  report.problems = without_masks(report.problems);
  if (report.has_errors() || !report.submission) return PackedSubmission{std::move(report), std::nullopt};
  auto& files = report.submission->files;
  std::sort(files.begin(), files.end(),
            [](const SubmittedFile& a, const SubmittedFile& b) { return a.name < b.name; });
  FIDUCIAL_TRY(const PredictionFiles predictions, PredictionFiles::open(request.predictions));
  FIDUCIAL_TRY(const std::unique_ptr<FileSink> sink, FileSink::create(request.output));
  HashingSink archive(*sink);
  FIDUCIAL_TRY_DONE(write_archive(predictions, *report.submission, archive, progress));
  Json manifest = manifest_of(*dataset, report, request.output.filename().string(), archive);
  FIDUCIAL_TRY_DONE(write_file(manifest_path(request.output), manifest.pretty()));
  FIDUCIAL_TRY_DONE(sink->publish());
  return PackedSubmission{std::move(report), std::move(manifest)};
}

}  // namespace fiducial
