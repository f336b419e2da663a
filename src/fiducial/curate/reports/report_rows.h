#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/byte_stream.h"
#include "fiducial/table/csv.h"

namespace fiducial {

// A text of a report and the column it stands in.
struct ReportText {
  char section = 'F';  // of findings, or of the text as a whole; 'I' of impressions
  std::string_view column;
  std::string_view text;
};

// One row of a table of reports; views are valid until the next one is read.
struct ReportRow {
  std::int64_t index = 0;  // from 0
  std::uint64_t line = 0;  // where the row begins
  std::string_view id;
  std::string_view volume;  // the file to annotate (VolumeToAnnotate); "" where the table has no such column
  std::vector<ReportText> texts;  // to read, in order
};

// Which columns a stage reads.
struct ReportColumns {
  std::string text_column;  // instead of findings and impressions; "": those
  bool findings_only = false;
  bool unique_names = false;  // a report whose name an earlier one has is rejected: it would replace that one
  bool any_language = false;  // reports that the rules cannot read are given to the stage too
};

// A table of reports (CSV, or CSV in gzip) row by row, in memory that grows with the longest row.
//
// The id is in the first of these columns there is: VolumeName, Volumename, volume_name, AccessionNo, id;
// else in the first column. Findings are in Findings_EN or Findings, impressions in Impressions_EN,
// Impression_EN, Impressions or Impression, in any case. Names may occur twice: rows are rows.
class ReportRows {
 public:
  static Result<ReportRows> open(const Path& path, const ReportColumns& columns);

  // Nothing after the last row.
  Result<std::optional<ReportRow>> next();
  // Reads what is left and returns the hash of the file as it is stored.
  Result<Digest> finish();

 private:
  explicit ReportRows(Path path) : path_(std::move(path)) {}
  Outcome read_batch();
  Outcome find_columns(const ReportColumns& columns);

  Path path_;
  std::unique_ptr<HashingStream> stored_;
  std::unique_ptr<ByteStream> bytes_;
  std::unique_ptr<CsvBatches> batches_;
  std::optional<CsvTable> table_;
  std::size_t row_ = 0;
  std::int64_t index_ = 0;
  std::size_t id_ = 0;
  std::optional<std::size_t> volume_;
  std::vector<std::size_t> texts_;  // findings, or what stands for them, first
};

}  // namespace fiducial
