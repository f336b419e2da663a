#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/file.h"
#include "fiducial/base/sha256.h"
#include "fiducial/table/csv.h"

namespace fiducial::radgenome {

// The tables of a split, one a task.
enum class TableKind { region_report, abnormality, location, presence, size, disorders };
inline constexpr std::size_t table_kinds = 6;

// What the columns of a table mean. A question is asked about a volume and, where the table has them, a place
// and a finding.
struct TableLayout {
  TableKind kind = TableKind::region_report;
  std::string_view task;     // "presence"
  std::string_view name;     // of the file without split and ending: "vqa_presence"
  std::string_view place;    // column of the anatomy that is asked about; "" where none is
  std::string_view finding;  // column of the finding that is asked about; "" where none is
  std::string_view answer;   // column of what is to be said
};
const std::array<TableLayout, table_kinds>& table_layouts();
const TableLayout& layout_of(TableKind kind);

inline constexpr std::string_view volume_column = "Volumename";
inline constexpr std::string_view nothing_found = "no findings";  // the only normal list

// A table's file.
struct TableFile {
  std::string split;  // "train", "validation"; "all" where names have no split before them
  TableKind kind = TableKind::region_report;
  std::string file;  // relative to the folder
};

// The tables of a release: {train,validation}_*.csv in the folder, its radgenome_files/ or
// dataset/radgenome_files/, or the same without a split; plain or gzip.
class TableFolder {
 public:
  // Refuses a folder without tables, and two files for one table.
  static Result<TableFolder> open(const Path& folder);
  // Cheap: whether there is any table.
  static bool recognises(const Path& folder);
  // One table by itself; its kind is told by its columns, and location by its name.
  static Result<TableFolder> of_file(const Path& file);

  const Path& folder() const { return folder_; }
  const std::vector<TableFile>& files() const { return files_; }
  std::vector<std::string> split_names() const;
  const TableFile* find(std::string_view split, TableKind kind) const;
  Path path_of(const TableFile& file) const { return folder_ / file.file; }
  // The wanted split, or by default "validation", "test", "all", else the first one.
  Result<std::string> choose_split(const std::optional<std::string>& wanted) const;

 private:
  Path folder_;
  std::vector<TableFile> files_;  // by split, then kind
};

// A row; views are valid until the next one is read.
struct TableRow {
  std::uint64_t line = 0;
  std::string_view volume;
  std::string_view place;
  std::string_view finding;
  std::string_view answer;
};

// Which columns of a file stand for what; further ones are ignored.
struct TableColumns {
  std::string volume{volume_column};
  std::string place;
  std::string finding;
  std::string answer;
};

// A table row by row, in memory that grows with its longest row.
class TableRows {
 public:
  // Refuses, with file, line and column: what is no CSV, and columns that are not there.
  static Result<TableRows> open(std::unique_ptr<ByteStream> stored, std::string name,
                                const TableColumns& columns);
  static Result<TableRows> open(const Path& path, const TableLayout& layout);

  // Nothing after the last row. A row without a volume is refused.
  Result<std::optional<TableRow>> next();
  // Reads what is left and returns the hash of the file as it is stored.
  Result<Digest> finish();
  // An error about the row that was read last.
  Error row_error(const std::string& message) const;

 private:
  TableRows() = default;
  Outcome read_batch();

  std::string name_;
  std::unique_ptr<HashingStream> stored_;
  std::unique_ptr<ByteStream> bytes_;
  std::unique_ptr<CsvBatches> batches_;
  std::optional<CsvTable> table_;
  std::size_t row_ = 0;
  std::uint64_t line_ = 0;
  std::size_t volume_ = 0;
  std::optional<std::size_t> place_, finding_, answer_;
};

// The text of a stored CSV file, inflated where its name says that it is gzip.
Result<std::unique_ptr<ByteStream>> open_table_text(const Path& path);

// The column names of a stored CSV file.
Result<std::vector<std::string>> read_column_names(std::unique_ptr<ByteStream> stored,
                                                   const std::string& name);

// The atoms of a list cell: what stands between commas, without the white space around it; none for "no
// findings".
std::vector<std::string_view> list_atoms(std::string_view cell);

// The first name of a path: the region. "" for the whole scan.
std::string_view head_of(std::string_view path);

// The fields of a volume's name, "train_12_a_1" with or without ".nii.gz".
struct VolumeName {
  std::string split;
  std::int64_t patient = 0;
  std::string scan;
  std::int64_t reconstruction = 0;
};
std::optional<VolumeName> find_volume_name(std::string_view text);

}  // namespace fiducial::radgenome
