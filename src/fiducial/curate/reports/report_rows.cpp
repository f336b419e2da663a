#include "fiducial/curate/reports/report_rows.h"

#include <algorithm>

#include "fiducial/base/inflate.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

std::optional<std::size_t> column_named(const CsvTable& table,
                                        std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    for (std::size_t i = 0; i < table.columns().size(); ++i) {
      if (ascii_lower(table.columns()[i]) == name) return i;
    }
  }
  return std::nullopt;
}

}  // namespace

Result<ReportRows> ReportRows::open(const Path& path, const ReportColumns& columns) {
  ReportRows out(path);
  FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path));
  out.stored_ = std::make_unique<HashingStream>(std::move(file));
  out.bytes_ = std::make_unique<BorrowedStream>(*out.stored_);
  FIDUCIAL_TRY(const bool compressed, is_gzip_file(path));
  if (compressed) out.bytes_ = std::make_unique<InflateStream>(std::move(out.bytes_), DeflateWrapper::gzip);
  out.batches_ = std::make_unique<CsvBatches>(*out.bytes_);
  FIDUCIAL_TRY_DONE(out.read_batch());
  FIDUCIAL_TRY_DONE(out.find_columns(columns).in_file(path.string()));
  return out;
}

Outcome ReportRows::read_batch() {
  FIDUCIAL_TRY(table_, batches_->next().in_file(path_.string()));
  row_ = 0;
  return done();
}

Outcome ReportRows::find_columns(const ReportColumns& columns) {
  const CsvTable& table = *table_;
  const auto findings = column_named(table, {"findings_en", "findings"});
  const auto impressions =
      column_named(table, {"impressions_en", "impression_en", "impressions", "impression"});
  if (!columns.text_column.empty()) {
    FIDUCIAL_TRY(const std::size_t text, table.column(columns.text_column));
    texts_ = {text};
  } else if (findings) {
    texts_ = {*findings};
    if (impressions && !columns.findings_only) texts_.push_back(*impressions);
  } else {
    return Error(ErrorCode::invalid_data,
                 "no column with findings; expected Findings_EN or Findings, or --text-column with one of " +
                     joined(table.columns()),
                 Place{.line = 1});
  }
  volume_ = column_named(table, {"volumetoannotate"});
  id_ = column_named(table, {"volumename", "volume_name", "accessionno", "id"}).value_or(0);
  if (std::find(texts_.begin(), texts_.end(), id_) == texts_.end()) return done();
  return Error(ErrorCode::invalid_data,
               "no column with the name of the volume; expected VolumeName, found " + joined(table.columns()),
               Place{.line = 1});
}

Result<std::optional<ReportRow>> ReportRows::next() {
  while (table_ && row_ >= table_->rows()) {
    FIDUCIAL_TRY_DONE(read_batch());
  }
  if (!table_) return std::optional<ReportRow>();
  ReportRow row{.index = index_++, .line = table_->line(row_), .id = table_->cell(row_, id_)};
  if (volume_) row.volume = table_->cell(row_, *volume_);
  for (const std::size_t text : texts_) {
    const char section = row.texts.empty() ? 'F' : 'I';
    row.texts.push_back({section, table_->columns()[text], table_->cell(row_, text)});
  }
  ++row_;
  return std::optional<ReportRow>(std::move(row));
}

Result<Digest> ReportRows::finish() { return stored_->finish(); }

}  // namespace fiducial
