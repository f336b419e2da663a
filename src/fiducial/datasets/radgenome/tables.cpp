#include "fiducial/datasets/radgenome/tables.h"

#include <algorithm>

#include "fiducial/base/inflate.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/store.h"
#include "fiducial/datasets/split_choice.h"
#include "fiducial/table/hub_view.h"
#include "fiducial/text/words.h"

namespace fiducial::radgenome {

namespace {

constexpr std::array<TableLayout, table_kinds> layouts{{
    {TableKind::region_report, "region_report", "region_report", "Anatomy", "", "Sentence"},
    {TableKind::abnormality, "abnormality", "vqa_abnormality", "Anatomy", "", "Abnormality"},
    {TableKind::location, "location", "vqa_location", "", "Abnormality", "Anatomy"},
    {TableKind::presence, "presence", "vqa_presence", "Anatomy", "Finding", "Presence"},
    {TableKind::size, "size", "vqa_size", "Anatomy", "Abnormality", "Size"},
    {TableKind::disorders, "disorders", "case_disorders", "", "", "Disorders"},
}};

constexpr std::string_view split_prefixes[] = {"", "train_", "validation_", "valid_", "val_", "test_"};
constexpr std::string_view endings[] = {".csv", ".csv.gz"};
constexpr std::string_view table_folders[] = {"", "radgenome_files", "dataset/radgenome_files", view_folder};

std::string split_of_prefix(std::string_view prefix) {
  if (prefix.empty()) return "all";
  if (prefix == "valid_" || prefix == "val_") return "validation";
  return std::string(prefix.substr(0, prefix.size() - 1));
}

// Every file that a table could stand in.
template <typename Visitor>
void visit_table_files(const Path& folder, const Visitor& visit) {
  for (const std::string_view below : table_folders) {
    if (below == view_folder && !find_hub_view(folder)) continue;
    for (const std::string_view prefix : split_prefixes) {
      for (const TableLayout& layout : layouts) {
        for (const std::string_view ending : endings) {
          const std::string name = std::string(prefix) + std::string(layout.name) + std::string(ending);
          const std::string file = below.empty() ? name : std::string(below) + "/" + name;
          if (is_file(folder / file)) visit(TableFile{split_of_prefix(prefix), layout.kind, file});
        }
      }
    }
  }
}

bool has_name(const std::vector<std::string>& names, std::string_view wanted) {
  return std::find(names.begin(), names.end(), wanted) != names.end();
}

std::optional<TableKind> kind_of_columns(const std::vector<std::string>& columns, const std::string& file) {
  if (!has_name(columns, volume_column)) return std::nullopt;
  if (has_name(columns, "Presence")) return TableKind::presence;
  if (has_name(columns, "Size")) return TableKind::size;
  if (has_name(columns, "Disorders")) return TableKind::disorders;
  if (has_name(columns, "Sentence")) return TableKind::region_report;
  if (!has_name(columns, "Abnormality")) return std::nullopt;
  return file.find("location") == std::string::npos ? TableKind::abnormality : TableKind::location;
}

Result<std::unique_ptr<ByteStream>> open_stored_table(const Path& path) {
  FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path));
  return std::unique_ptr<ByteStream>(std::move(file));
}

// The bytes of a table: those of the stream, inflated where its name says that they are gzip.
std::unique_ptr<ByteStream> table_bytes(std::unique_ptr<ByteStream> stored, const std::string& name) {
  if (!name.ends_with(".gz")) return stored;
  return std::make_unique<InflateStream>(std::move(stored), DeflateWrapper::gzip);
}

Result<std::size_t> column_at(const CsvTable& table, const std::string& name) {
  if (const auto found = table.find_column(name)) return *found;
  std::string hint;
  for (const std::string& column : table.columns()) {
    if (ascii_lower(column) == ascii_lower(name)) hint = "; names are compared with their capitals";
  }
  return Error(ErrorCode::invalid_data,
               "expected a column \"" + name + "\", found only " + joined(table.columns()) + hint,
               Place{.line = 1});
}

}  // namespace

const std::array<TableLayout, table_kinds>& table_layouts() { return layouts; }

const TableLayout& layout_of(TableKind kind) { return layouts.at(static_cast<std::size_t>(kind)); }

bool TableFolder::recognises(const Path& folder) {
  bool found = false;
  visit_table_files(folder, [&found](const TableFile&) { found = true; });
  return found;
}

Result<TableFolder> TableFolder::open(const Path& folder) {
  TableFolder out;
  out.folder_ = folder;
  std::string twice;
  visit_table_files(folder, [&](TableFile file) {
    const TableFile* known = out.find(file.split, file.kind);
    if (known != nullptr) twice = known->file + " and " + file.file;
    out.files_.push_back(std::move(file));
  });
  const Place place{.path = folder.string()};
  if (!twice.empty())
    return Error(ErrorCode::invalid_data, "expected one file a table, found " + twice, place);
  if (out.files_.empty()) {
    return Error(ErrorCode::invalid_data,
                 "no table of RadGenome-Chest CT; expected files such as vqa_presence.csv", place);
  }
  std::stable_sort(out.files_.begin(), out.files_.end(),
                   [](const TableFile& a, const TableFile& b) { return a.split < b.split; });
  return out;
}

Result<TableFolder> TableFolder::of_file(const Path& file) {
  FIDUCIAL_TRY(std::unique_ptr<ByteStream> stored, open_stored_table(file));
  const std::string name = file.filename().string();
  FIDUCIAL_TRY(const std::vector<std::string> columns,
               read_column_names(std::move(stored), name).in_file(file.string()));
  const auto kind = kind_of_columns(columns, name);
  if (!kind) {
    return Error(ErrorCode::invalid_data,
                 "expected the columns of a table of questions (Volumename, Anatomy and Presence, Size, "
                 "Disorders, Sentence or Abnormality; or Question and Answer, or what --question-column and "
                 "--answer-column name), found " +
                     joined(columns),
                 Place{.path = file.string(), .line = 1});
  }
  TableFolder out;
  out.folder_ = file.parent_path();
  out.files_ = {{"all", *kind, name}};
  return out;
}

std::vector<std::string> TableFolder::split_names() const {
  std::vector<std::string> out;
  for (const TableFile& file : files_) {
    if (!has_name(out, file.split)) out.push_back(file.split);
  }
  return out;
}

const TableFile* TableFolder::find(std::string_view split, TableKind kind) const {
  const auto found = std::find_if(files_.begin(), files_.end(), [&](const TableFile& file) {
    return file.split == split && file.kind == kind;
  });
  return found == files_.end() ? nullptr : &*found;
}

Result<std::string> TableFolder::choose_split(const std::optional<std::string>& wanted) const {
  return chosen_split({.place = folder_.string(),
                       .names = split_names(),
                       .usual = {"validation", "test", "all"},
                       .otherwise = SplitChoice::Otherwise::the_first},
                      wanted);
}

Result<TableRows> TableRows::open(std::unique_ptr<ByteStream> stored, std::string name,
                                  const TableColumns& columns) {
  TableRows out;
  out.name_ = std::move(name);
  out.stored_ = std::make_unique<HashingStream>(std::move(stored));
  out.bytes_ = table_bytes(std::make_unique<BorrowedStream>(*out.stored_), out.name_);
  out.batches_ = std::make_unique<CsvBatches>(*out.bytes_);
  FIDUCIAL_TRY_DONE(out.read_batch());
  FIDUCIAL_TRY(out.volume_, column_at(*out.table_, columns.volume).in_file(out.name_));
  const auto find = [&out](const std::string& column, std::optional<std::size_t>& at) -> Outcome {
    if (column.empty()) return done();
    FIDUCIAL_TRY(at, column_at(*out.table_, column).in_file(out.name_));
    return done();
  };
  FIDUCIAL_TRY_DONE(find(columns.place, out.place_));
  FIDUCIAL_TRY_DONE(find(columns.finding, out.finding_));
  FIDUCIAL_TRY_DONE(find(columns.answer, out.answer_));
  return out;
}

Result<TableRows> TableRows::open(const Path& path, const TableLayout& layout) {
  FIDUCIAL_TRY(std::unique_ptr<ByteStream> stored, open_stored_table(path));
  return open(std::move(stored), path.string(),
              {std::string(volume_column), std::string(layout.place), std::string(layout.finding),
               std::string(layout.answer)});
}

Outcome TableRows::read_batch() {
  FIDUCIAL_TRY(table_, batches_->next().in_file(name_));
  row_ = 0;
  return done();
}

Result<std::optional<TableRow>> TableRows::next() {
  while (table_ && row_ >= table_->rows()) FIDUCIAL_TRY_DONE(read_batch());
  if (!table_) return std::optional<TableRow>();
  const auto cell = [this](const std::optional<std::size_t>& column) {
    return column ? table_->cell(row_, *column) : std::string_view();
  };
  const TableRow out{table_->line(row_), table_->cell(row_, volume_), cell(place_), cell(finding_),
                     cell(answer_)};
  line_ = out.line;
  if (out.volume.empty()) return row_error("expected the name of a volume, found an empty cell");
  ++row_;
  return std::optional(out);
}

Result<Digest> TableRows::finish() { return stored_->finish(); }

Error TableRows::row_error(const std::string& message) const {
  return {ErrorCode::invalid_data, message, Place{.path = name_, .line = line_}};
}

Result<std::unique_ptr<ByteStream>> open_table_text(const Path& path) {
  FIDUCIAL_TRY(std::unique_ptr<ByteStream> stored, open_stored_table(path));
  return table_bytes(std::move(stored), path.string());
}

Result<std::vector<std::string>> read_column_names(std::unique_ptr<ByteStream> stored,
                                                   const std::string& name) {
  const std::unique_ptr<ByteStream> bytes = table_bytes(std::move(stored), name);
  FIDUCIAL_TRY(const std::optional<CsvTable> table, CsvBatches(*bytes).next());
  return table->columns();
}

std::vector<std::string_view> list_atoms(std::string_view cell) {
  std::vector<std::string_view> out;
  if (cell == nothing_found) return out;
  while (!cell.empty()) {
    const std::size_t end = std::min(cell.find(','), cell.size());
    std::string_view atom = cell.substr(0, end);
    while (!atom.empty() && atom.front() == ' ') atom.remove_prefix(1);
    while (!atom.empty() && atom.back() == ' ') atom.remove_suffix(1);
    if (!atom.empty()) out.push_back(atom);
    cell.remove_prefix(std::min(end + 1, cell.size()));
  }
  return out;
}

std::string_view head_of(std::string_view path) { return path.substr(0, path.find('/')); }

std::optional<VolumeName> find_volume_name(std::string_view text) {
  if (text.ends_with(".nii.gz")) text.remove_suffix(7);
  std::array<std::string_view, 4> fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t end = text.find('_');
    if ((end == std::string_view::npos) != (i == 3)) return std::nullopt;
    fields[i] = text.substr(0, end);
    if (fields[i].empty()) return std::nullopt;
    if (i < 3) text.remove_prefix(end + 1);
  }
  const auto patient = parse_unsigned(fields[1]);
  const auto reconstruction = parse_unsigned(fields[3]);
  const bool is_known_split = fields[0] == "train" || fields[0] == "valid" || fields[0] == "test";
  const bool is_scan =
      std::all_of(fields[2].begin(), fields[2].end(), [](char c) { return c >= 'a' && c <= 'z'; });
  if (!is_known_split || !is_scan || !patient || !reconstruction) return std::nullopt;
  return VolumeName{std::string(fields[0]), static_cast<std::int64_t>(*patient), std::string(fields[2]),
                    static_cast<std::int64_t>(*reconstruction)};
}

}  // namespace fiducial::radgenome
