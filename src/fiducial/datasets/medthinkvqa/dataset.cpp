#include "fiducial/datasets/medthinkvqa/dataset.h"

#include <algorithm>
#include <map>
#include <system_error>

#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/grounded_dataset.h"
#include "fiducial/datasets/hub_snapshot.h"
#include "fiducial/datasets/medthinkvqa/json_row.h"
#include "fiducial/datasets/medthinkvqa/lint.h"
#include "fiducial/datasets/medthinkvqa/parquet_rows.h"

namespace fiducial::medthinkvqa {

namespace {

bool is_file(const Path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

bool is_link(const Path& path) {
  std::error_code ignored;
  return std::filesystem::is_symlink(path, ignored);
}

Error at_line(const Error& error, std::uint64_t line, const std::string& path) {
  Place place = error.place();
  place.line = line;
  place.path = path;
  return {error.code(), error.message(), std::move(place)};
}

Result<Digest> read_json_rows(const Path& path, std::size_t longest_line, const RowVisitor& visit) {
  FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path));
  HashingStream stream(std::move(file));
  LineReader lines(stream, longest_line);
  while (true) {
    Result<std::optional<std::string_view>> line = lines.next();
    if (!line.ok()) return std::move(line).error().in_file(path.string());
    if (!*line) break;
    if (is_blank(**line)) continue;
    Result<RawRow> row = parse_json_row(**line);
    if (row.ok()) {
      row->line = lines.number();
      FIDUCIAL_TRY_DONE(visit(std::move(row)));
    } else {
      FIDUCIAL_TRY_DONE(visit(at_line(row.error(), lines.number(), path.string())));
    }
  }
  return stream.finish();
}

Result<Digest> file_digest(const Path& path) {
  FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path));
  return HashingStream(std::move(file)).finish();
}

}  // namespace

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

std::vector<SplitFile> split_files(const Path& folder) {
  std::vector<SplitFile> out;
  for (const std::string split : {"train", "test"}) {
    const SplitFile forms[] = {{split, split + ".jsonl", false}, {split, split + ".parquet", true}};
    const auto* found = std::find_if(std::begin(forms), std::end(forms), [&folder](const SplitFile& form) {
      return is_file(folder / form.file);
    });
    if (found == std::end(forms)) {
      found = std::find_if(std::begin(forms), std::end(forms),
                           [&folder](const SplitFile& form) { return is_link(folder / form.file); });
    }
    if (found != std::end(forms)) out.push_back(*found);
  }
  return out;
}

Outcome refuse_lfs_pointer(const Path& path) {
  constexpr std::string_view mark = "version https://git-lfs.github.com/spec/";
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(path));
  std::string head(mark.size(), '\0');
  FIDUCIAL_TRY(const std::size_t got, file->read(std::as_writable_bytes(std::span(head))));
  if (got < mark.size() || head != mark) return done();
  return Error(ErrorCode::invalid_data,
               "expected the file itself, found a Git LFS pointer to it; 'git lfs pull' fetches the file",
               Place{.path = path.string()});
}

Result<Digest> read_rows(const Path& folder, const SplitFile& split, const RowReading& how,
                         const RowVisitor& visit) {
  const Path path = folder / split.file;
  FIDUCIAL_TRY_DONE(require_downloaded(folder, split.file));
  FIDUCIAL_TRY_DONE(refuse_lfs_pointer(path));
  if (!split.is_parquet) return read_json_rows(path, how.max_line_bytes, visit);
  FIDUCIAL_TRY_DONE(
      read_parquet_rows(path, how.with_pictures, [&visit](RawRow row) { return visit(std::move(row)); }));
  return file_digest(path);
}

Result<Dataset> Dataset::open(const Path& folder) {
  std::vector<SplitFile> splits = split_files(folder);
  if (splits.empty()) {
    return Error(ErrorCode::invalid_data,
                 "expected test.jsonl or test.parquet (or those of train), found none",
                 Place{.path = folder.string()});
  }
  for (const SplitFile& split : splits) {
    FIDUCIAL_TRY_DONE(require_downloaded(folder, split.file));
    FIDUCIAL_TRY_DONE(refuse_lfs_pointer(folder / split.file));
  }
  return Dataset(folder, std::move(splits));
}

std::vector<std::string> Dataset::split_names() const {
  std::vector<std::string> out;
  for (const SplitFile& split : splits_) out.push_back(split.split);
  return out;
}

Result<DiagnosticSplit> Dataset::read_split(const std::string& name) const {
  const auto split =
      std::find_if(splits_.begin(), splits_.end(), [&name](const SplitFile& s) { return s.split == name; });
  if (split == splits_.end()) return bad_usage(folder_.string() + ": no split \"" + name + "\"");
  const std::string path = (folder_ / split->file).string();
  DiagnosticSplit out{.name = name, .file = split->file, .digest = {}, .cases = {}};
  std::map<std::int64_t, std::uint64_t> lines;  // of each case number
  FIDUCIAL_TRY(out.digest, read_rows(folder_, *split, {}, [&](Result<RawRow> row) -> Outcome {
                 if (!row.ok()) return std::move(row).error();
                 const std::uint64_t line = row->line;
                 FIDUCIAL_TRY(DiagnosticCase checked, checked_case(*std::move(row)).in_file(path));
                 const auto [earlier, is_new] = lines.emplace(checked.number, line);
                 if (!is_new) {
                   return Error(ErrorCode::invalid_data,
                                "\"" + checked.title + "\" is already in line " + decimal(earlier->second),
                                Place{.path = path, .line = line});
                 }
                 out.cases.push_back(std::move(checked));
                 return done();
               }));
  if (out.cases.empty()) {
    return Error(ErrorCode::invalid_data, "split \"" + name + "\" has no case", Place{.path = path});
  }
  std::sort(out.cases.begin(), out.cases.end(),
            [](const DiagnosticCase& a, const DiagnosticCase& b) { return a.number < b.number; });
  return out;
}

}  // namespace fiducial::medthinkvqa

namespace fiducial {

DatasetAdapter medthinkvqa_adapter() {
  return {.id = "medthinkvqa",
          .title = "MedThinkVQA: differential diagnosis from several images",
          .layout = "test.jsonl or test.parquet (or those of train) and images/",
          .recognises = [](const Path& folder) { return !medthinkvqa::split_files(folder).empty(); },
          .open_diagnostic = [](const Path& folder) -> Result<std::unique_ptr<DiagnosticDataset>> {
            FIDUCIAL_TRY(medthinkvqa::Dataset dataset, medthinkvqa::Dataset::open(folder));
            return {std::make_unique<medthinkvqa::Dataset>(std::move(dataset))};
          },
          .lint = medthinkvqa::lint};
}

}  // namespace fiducial
