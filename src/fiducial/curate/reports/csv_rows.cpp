#include "fiducial/curate/reports/csv_rows.h"

#include <memory>
#include <optional>

namespace fiducial {

Outcome for_each_csv_row(const Path& path, const CsvRowUse& use) {
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(path));
  CsvBatches batches(*file);
  while (true) {
    FIDUCIAL_TRY(const std::optional<CsvTable> table, batches.next().in_file(path.string()));
    if (!table) return done();
    for (std::size_t row = 0; row < table->rows(); ++row)
      FIDUCIAL_TRY_DONE(use(*table, row).in_file(path.string()));
  }
}

Result<std::string_view> csv_cell(const CsvTable& table, std::size_t row, const char* column) {
  FIDUCIAL_TRY(const std::size_t at, table.column(column));
  return table.cell(row, at);
}

}  // namespace fiducial
