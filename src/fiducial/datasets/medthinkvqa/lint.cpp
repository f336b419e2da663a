#include "fiducial/datasets/medthinkvqa/lint.h"

#include <map>
#include <memory>
#include <system_error>

#include "fiducial/archive/zip_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/medthinkvqa/dataset.h"
#include "fiducial/datasets/medthinkvqa/lint_row.h"
#include "fiducial/datasets/medthinkvqa/picture_file.h"

namespace fiducial::medthinkvqa {

namespace {

constexpr std::size_t batch_rows = 64;
constexpr std::uint64_t max_picture_bytes = std::uint64_t{256} << 20;

// The images of a folder: files below images/, or members of images.zip.
class PictureFiles {
 public:
  static Result<PictureFiles> open(const Path& folder) {
    PictureFiles out(folder);
    std::error_code ignored;
    out.has_folder_ = std::filesystem::is_directory(folder / "images", ignored);
    if (out.has_folder_ || !std::filesystem::exists(folder / "images.zip", ignored)) return out;
    FIDUCIAL_TRY_DONE(refuse_lfs_pointer(folder / "images.zip"));
    FIDUCIAL_TRY(ZipReader zip, ZipReader::open(folder / "images.zip"));
    out.zip_ = std::make_unique<ZipReader>(std::move(zip));
    return out;
  }

  bool are_there() const { return has_folder_ || zip_ != nullptr; }

  // Absent where there is no such file.
  Result<std::optional<std::string>> read(const std::string& path) const {
    if (zip_ != nullptr) return read_member(path);
    std::error_code ignored;
    if (!std::filesystem::exists(folder_ / path, ignored)) return std::optional<std::string>();
    FIDUCIAL_TRY(std::string bytes, read_text_file(folder_ / path, max_picture_bytes));
    return std::optional(std::move(bytes));
  }

 private:
  explicit PictureFiles(Path folder) : folder_(std::move(folder)) {}

  Result<std::optional<std::string>> read_member(const std::string& path) const {
    const auto index = zip_->find(path);
    if (!index) return std::optional<std::string>();
    const std::uint64_t size = zip_->entries()[*index].size;
    if (size > max_picture_bytes) return invalid_data("a picture of " + decimal(size) + " bytes");
    FIDUCIAL_TRY(const std::unique_ptr<ByteStream> stream, zip_->open_entry(*index));
    std::string bytes(size, '\0');
    FIDUCIAL_TRY(const std::size_t got, stream->read(std::as_writable_bytes(std::span(bytes))));
    bytes.resize(got);
    return std::optional(std::move(bytes));
  }

  Path folder_;
  bool has_folder_ = false;
  std::unique_ptr<ZipReader> zip_;
};

void check_picture(const PictureFiles& files, const std::string& path, LintFindings& findings) {
  const Result<std::optional<std::string>> bytes = files.read(path);
  if (!bytes.ok()) return findings.add(lint_rules::s13_image_unreadable, {path, ""}, bytes.error().message());
  if (!*bytes) {
    return findings.add(lint_rules::s13_image_unreadable, {path, ""}, "expected a file, found none");
  }
  const ByteView view = as_bytes(**bytes);
  if (const auto damage = picture_damage(view)) {
    return findings.add(lint_rules::s13_image_unreadable, {path, ""},
                        "expected a whole picture, but " + *damage);
  }
  const PictureFormat format = sniffed_format(view);
  if (format == PictureFormat::jpeg) return;
  findings.add(lint_rules::s13_image_format, {path, ""},
               "expected JPEG by its name, found " + std::string(to_string(format)));
}

// Checks the rows of one file, a batch at a time.
class SplitLint {
 public:
  SplitLint(const PictureFiles& pictures, const Executor& executor, Progress& progress)
      : pictures_(pictures), executor_(executor), progress_(progress) {}

  Outcome check(const Path& folder, const SplitFile& split, LintReport& report) {
    file_ = split.file;
    std::int64_t rows = 0;
    titles_.clear();
    const Result<Digest> read = read_rows(folder, split, [&](Result<RawRow> row) -> Outcome {
      ++rows;
      if (!row.ok()) {
        FIDUCIAL_TRY_DONE(flush(report));
        report.findings.add(lint_rules::row_unreadable, LintPlace::of(file_, row.error()),
                            row.error().message());
        return done();
      }
      batch_.push_back(*std::move(row));
      return batch_.size() < batch_rows ? done() : flush(report);
    });
    FIDUCIAL_TRY_DONE(flush(report));
    if (!read.ok()) {
      if (read.error().code() == ErrorCode::interrupted) return read.error();
      report.findings.add(lint_rules::split_unreadable, LintPlace::of(file_, read.error()),
                          read.error().message());
    } else if (rows == 0) {
      report.findings.add(lint_rules::split_unreadable, {file_, ""}, "expected cases, found none");
    }
    report.splits.emplace_back(split.split, rows);
    return done();
  }

 private:
  Outcome flush(LintReport& report) {
    std::vector<LintFindings> pictures(batch_.size());
    FIDUCIAL_TRY_DONE(executor_.for_each(static_cast<std::int64_t>(batch_.size()), [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      if (pictures_.are_there()) {
        for (const std::string& path : sound_paths(batch_[at])) check_picture(pictures_, path, pictures[at]);
      }
      return done();
    }));
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      report.findings.append(lint_row(file_, batch_[i]));
      title(batch_[i], report);
      report.findings.append(std::move(pictures[i]));
    }
    progress_.advance(static_cast<std::int64_t>(batch_.size()));
    batch_.clear();
    return done();
  }

  void title(const RawRow& row, LintReport& report) {
    if (!row.title || !case_number(*row.title)) return;
    const auto [earlier, is_new] = titles_.emplace(*row.title, row.line);
    if (!is_new) {
      return report.findings.add(
          lint_rules::s10_title, row_place(file_, row, "title"),
          "expected a title once, found \"" + *row.title + "\" in line " + decimal(earlier->second) + " too");
    }
    const auto [other, is_first] = files_.emplace(*row.title, file_);
    if (is_first) return;
    report.findings.add(
        lint_rules::case_in_two_splits, row_place(file_, row, "title"),
        "expected \"" + *row.title + "\" in one split, found it in " + other->second + " too");
  }

  const PictureFiles& pictures_;
  const Executor& executor_;
  Progress& progress_;
  std::string file_;
  std::vector<RawRow> batch_;
  std::map<std::string, std::uint64_t> titles_;  // of this file, with their lines
  std::map<std::string, std::string> files_;     // in which a title was seen first
};

}  // namespace

Result<LintReport> lint(const LintRequest& request, const Executor& executor, Progress& progress) {
  if (request.predictions || request.volumes || request.metadata) {
    return bad_usage("medthinkvqa: check takes no --predictions, --volumes or --metadata for this benchmark");
  }
  LintReport report{.benchmark = "medthinkvqa"};
  std::vector<SplitFile> splits = split_files(request.dataset);
  if (request.split) {
    std::erase_if(splits, [&](const SplitFile& split) { return split.split != *request.split; });
  }
  if (splits.empty()) {
    return bad_usage(request.dataset.string() + ": no file of split \"" + request.split.value_or("test") +
                     "\"");
  }
  for (const SplitFile& split : splits)
    report.dataset_file += (report.dataset_file.empty() ? "" : ", ") + split.file;
  Result<PictureFiles> pictures = PictureFiles::open(request.dataset);
  if (!pictures.ok()) {
    report.findings.add(lint_rules::s13_image_unreadable, {"images.zip", ""}, pictures.error().message());
    pictures = PictureFiles::open(Path());
  } else if (!pictures->are_there()) {
    report.findings.add(lint_rules::s13_images_absent, {"images", ""},
                        "expected the folder images/ or images.zip, found neither: no image was checked");
  }
  FIDUCIAL_TRY(const PictureFiles files, std::move(pictures));
  progress.begin("checking cases", 0);
  SplitLint checker(files, executor, progress);
  for (const SplitFile& split : splits) FIDUCIAL_TRY_DONE(checker.check(request.dataset, split, report));
  progress.end();
  return report;
}

}  // namespace fiducial::medthinkvqa
