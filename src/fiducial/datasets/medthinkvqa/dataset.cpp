#include "fiducial/datasets/medthinkvqa/dataset.h"

#include <algorithm>
#include <map>
#include <system_error>

#include "fiducial/base/executor.h"
#include "fiducial/base/line_blocks.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/hub_snapshot.h"
#include "fiducial/datasets/medthinkvqa/card.h"
#include "fiducial/datasets/medthinkvqa/json_row.h"
#include "fiducial/datasets/medthinkvqa/lint.h"
#include "fiducial/datasets/medthinkvqa/parquet_rows.h"
#include "fiducial/datasets/medthinkvqa/split_shards.h"
#include "fiducial/table/croissant_file.h"

namespace fiducial::medthinkvqa {

namespace {

bool is_link(const Path& path) {
  std::error_code ignored;
  return std::filesystem::is_symlink(path, ignored);
}

Error at_line(const Error& error, std::uint64_t line, const std::string& path) {
  Place place = error.place();
  place.line = line;
  place.path = path;
  return error.at(std::move(place));
}

struct NumberedLine {
  std::uint64_t number = 0;
  std::string_view text;
};

// Cuts blocks into lines, and counts them.
class LineCutter {
 public:
  explicit LineCutter(std::size_t longest_line) : longest_line_(longest_line) {}

  // The lines of the next block that hold something, up to one that is too long.
  std::vector<NumberedLine> lines(std::string_view block) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    std::vector<NumberedLine> out;
    while (!block.empty() && !is_too_long_) {
      ++number_;
      const std::size_t end = std::min(block.find('\n'), block.size());
      std::string_view line = block.substr(0, end);
      block.remove_prefix(std::min(end + 1, block.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (number_ == 1 && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
      is_too_long_ = line.size() > longest_line_;
      if (!is_too_long_ && !is_blank(line)) out.push_back({number_, line});
    }
    return out;
  }

  std::uint64_t number() const { return number_; }  // of the line that was cut last, from 1
  bool is_too_long() const { return is_too_long_; }

 private:
  std::size_t longest_line_;
  std::uint64_t number_ = 0;
  bool is_too_long_ = false;
};

// Reads a file of rows block by block: the lines of a block are parsed by several threads, and its bytes are
// hashed meanwhile.
class JsonRows {
 public:
  JsonRows(const Path& path, const RowReading& how, const RowVisitor& visit)
      : path_(path.string()), how_(how), visit_(visit), executor_(how.threads) {}

  Result<Digest> read(ByteStream& stream) {
    LineBlocks blocks(stream, how_.max_line_bytes);
    LineCutter cutter(how_.max_line_bytes);
    while (true) {
      const Result<std::optional<std::string_view>> block = blocks.next();
      if (!block.ok()) return at_line(block.error(), cutter.number() + 1, path_);
      if (!*block) return hash_.digest();
      held_ = blocks.held();
      FIDUCIAL_TRY_DONE(parse(cutter.lines(**block), **block));
      held_.reset();
      if (cutter.is_too_long()) return at_line(too_long_line(how_.max_line_bytes), cutter.number(), path_);
    }
  }

 private:
  Outcome parse(const std::vector<NumberedLine>& lines, std::string_view block) {
    const auto slices = static_cast<std::size_t>(executor_.threads());
    parsers_.resize(slices);
    std::vector<std::vector<Result<RawRow>>> rows(slices);
    const auto slice_begin = [&](std::size_t slice) { return lines.size() * slice / slices; };
    FIDUCIAL_TRY_DONE(executor_.for_each(static_cast<std::int64_t>(slices) + 1, [&](std::int64_t item) {
      if (item == 0) {
        if (how_.with_digest) hash_.update(as_bytes(block));
        return done();
      }
      const auto slice = static_cast<std::size_t>(item - 1);
      rows[slice].reserve(lines.size() / slices + 1);
      for (std::size_t i = slice_begin(slice); i < slice_begin(slice + 1); ++i) {
        rows[slice].push_back(parse_line(parsers_[slice], lines[i]));
      }
      return done();
    }));
    for (auto& slice : rows) {
      for (Result<RawRow>& row : slice) FIDUCIAL_TRY_DONE(visit_(std::move(row)));
    }
    return done();
  }

  Result<RawRow> parse_line(RowParser& parser, const NumberedLine& line) const {
    Result<RawRow> row = parser.parse(line.text);
    if (!row.ok()) return at_line(row.error(), line.number, path_);
    row->line = line.number;
    row->bytes.share(held_);
    return row;
  }

  std::string path_;
  const RowReading& how_;
  const RowVisitor& visit_;
  Executor executor_;
  std::vector<RowParser> parsers_;    // one a slice
  std::shared_ptr<const void> held_;  // the lines that are being parsed
  Sha256 hash_;
};

Result<Digest> read_json_rows(const Path& path, const RowReading& how, const RowVisitor& visit) {
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(path));
  return JsonRows(path, how, visit).read(*file);
}

Result<Digest> file_digest(const Path& path) {
  FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path));
  return HashingStream(std::move(file)).finish();
}

}  // namespace

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
    if (found != std::end(forms)) {
      out.push_back(*found);
    } else if (auto shards = find_split_shards(folder, split)) {
      const bool is_parquet = !shards->name.ends_with(".jsonl");
      out.push_back(
          {split, std::move(shards->name), is_parquet, std::move(shards->files), std::move(shards->problem)});
    }
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

namespace {

Result<Digest> read_file_rows(const Path& folder, const std::string& file, const RowReading& how,
                              const RowVisitor& visit) {
  const Path path = folder / file;
  FIDUCIAL_TRY_DONE(require_downloaded(folder, file));
  FIDUCIAL_TRY_DONE(refuse_lfs_pointer(path));
  if (path.extension() == ".jsonl") return read_json_rows(path, how, visit);
  const auto visit_row = [&visit](RawRow row) { return visit(std::move(row)); };
  FIDUCIAL_TRY_DONE(path.extension() == ".arrow" ? read_arrow_rows(path, how.with_pictures, visit_row)
                                                 : read_parquet_rows(path, how.with_pictures, visit_row));
  if (!how.with_digest) return Digest{};
  return file_digest(path);
}

}  // namespace

Result<Digest> read_rows(const Path& folder, const SplitFile& split, const RowReading& how,
                         const RowVisitor& visit) {
  if (!split.problem.empty())
    return Error(ErrorCode::invalid_data, split.problem, Place{.path = (folder / split.file).string()});
  if (split.shards.empty()) return read_file_rows(folder, split.file, how, visit);
  Sha256 hash;
  std::uint64_t rows = 0;  // of the shards before
  std::uint64_t last = 0;
  for (const std::string& file : split.shards) {
    FIDUCIAL_TRY(const Digest digest, read_file_rows(folder, file, how, [&](Result<RawRow> row) -> Outcome {
                   if (row.ok()) row->line = last = rows + row->line;
                   return visit(std::move(row));
                 }));
    rows = last;
    if (how.with_digest) hash.update(as_bytes(digest.hex()));
  }
  return split.shards.size() == 1 && how.with_digest ? file_digest(folder / split.shards.front())
                                                     : Result<Digest>(hash.digest());
}

Dataset::Dataset(Path folder, std::vector<SplitFile> splits)
    : folder_(std::move(folder)),
      splits_(std::move(splits)),
      pictures_(std::make_shared<Pictures>(folder_)) {}

Result<Dataset> Dataset::open(const Path& folder) {
  std::vector<SplitFile> splits = split_files(folder);
  if (splits.empty()) {
    return Error(ErrorCode::invalid_data,
                 "expected test.jsonl or test.parquet (or those of train), found none",
                 Place{.path = folder.string()});
  }
  std::vector<Path> files;
  for (const SplitFile& split : splits) {
    if (!split.problem.empty())
      return Error(ErrorCode::invalid_data, split.problem, Place{.path = (folder / split.file).string()});
    for (const std::string& file : split.files()) {
      FIDUCIAL_TRY_DONE(require_downloaded(folder, file));
      FIDUCIAL_TRY_DONE(refuse_lfs_pointer(folder / file));
      files.push_back(folder / file);
    }
  }
  FIDUCIAL_TRY_DONE(check_croissant(folder, files));
  return Dataset(folder, std::move(splits));
}

std::vector<std::string> Dataset::split_names() const {
  std::vector<std::string> out;
  for (const SplitFile& split : splits_) out.push_back(split.split);
  return out;
}

Result<const SplitFile*> Dataset::find_split(const std::string& name) const {
  const auto split =
      std::find_if(splits_.begin(), splits_.end(), [&name](const SplitFile& s) { return s.split == name; });
  if (split != splits_.end()) return &*split;
  return no_such_name("split", name, split_names(), folder_.string() + ": ");
}

Result<std::string> Dataset::read_picture(const std::string& split, const std::string& path) const {
  FIDUCIAL_TRY(const SplitFile* file, find_split(split));
  return pictures_->read(file->files(), path);
}

Result<DiagnosisSplit> Dataset::read_split(const std::string& name) const {
  FIDUCIAL_TRY(const SplitFile* split, find_split(name));
  const std::string path = (folder_ / split->file).string();
  DiagnosisSplit out{.name = name, .file = split->file, .digest = {}, .cases = {}};
  std::map<std::int64_t, std::uint64_t> lines;  // of each case number
  FIDUCIAL_TRY(out.digest, read_rows(folder_, *split, {}, [&](Result<RawRow> row) -> Outcome {
                 if (!row.ok()) return std::move(row).error();
                 const std::uint64_t line = row->line;
                 FIDUCIAL_TRY(DiagnosisCase checked, checked_case(*row).in_file(path));
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
            [](const DiagnosisCase& a, const DiagnosisCase& b) { return a.number < b.number; });
  return out;
}

}  // namespace fiducial::medthinkvqa

namespace fiducial {

DatasetAdapter medthinkvqa_adapter() {
  return {
      .id = "medthinkvqa",
      .title = "MedThinkVQA: differential diagnosis from several images",
      .layout =
          "test.jsonl or test.parquet (or those of train), whole, in shards or saved by datasets, and "
          "images/",
      .recognises = [](const Path& folder) { return !medthinkvqa::split_files(folder).empty(); },
      .tasks = {"diagnosis"},
      .open_questions = [](const Path& folder) -> Result<std::unique_ptr<DiagnosisDataset>> {
        FIDUCIAL_TRY(medthinkvqa::Dataset dataset, medthinkvqa::Dataset::open(folder));
        return {std::make_unique<medthinkvqa::Dataset>(std::move(dataset))};
      },
      .lint_inputs = {LintInput::predictions, LintInput::synonyms, LintInput::view, LintInput::line_limit},
      .lint = medthinkvqa::lint,
      .card = medthinkvqa::card_facts};
}

}  // namespace fiducial
