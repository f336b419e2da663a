#include "fiducial/eval/inputs/table_file.h"

#include "fiducial/archive/zip_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/table/worksheet.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

constexpr std::uint64_t most_part_bytes = std::uint64_t{256} << 20;

Result<std::string> read_part(const ZipReader& archive, const std::string& name) {
  const auto index = archive.find(name);
  if (!index) return invalid_data("expected a workbook with " + name + ", found none");
  const std::uint64_t size = archive.entries()[*index].size;
  if (size > most_part_bytes) {
    return invalid_data("expected " + name + " of at most 256 MiB, found " + decimal(size) + " bytes");
  }
  FIDUCIAL_TRY(const std::unique_ptr<ByteStream> stream, archive.open_entry(*index));
  std::string text(size, '\0');
  FIDUCIAL_TRY(const std::size_t got, stream->read(std::as_writable_bytes(std::span(text))));
  text.resize(got);
  return text;
}

Result<CsvTable> read_workbook(const Path& path) {
  FIDUCIAL_TRY(const ZipReader archive, ZipReader::open(path));
  FIDUCIAL_TRY(const std::string workbook, read_part(archive, "xl/workbook.xml"));
  FIDUCIAL_TRY(const std::string relations, read_part(archive, "xl/_rels/workbook.xml.rels"));
  FIDUCIAL_TRY(const std::string name, first_sheet(workbook, relations));
  std::vector<std::string> shared;
  if (archive.find("xl/sharedStrings.xml")) {
    FIDUCIAL_TRY(const std::string texts, read_part(archive, "xl/sharedStrings.xml"));
    FIDUCIAL_TRY(shared, parse_shared_strings(texts));
  }
  FIDUCIAL_TRY(const std::string sheet, read_part(archive, "xl/" + name));
  return parse_worksheet(sheet, shared);
}

}  // namespace

Result<CsvTable> read_table_file(const Path& path) {
  if (ascii_lower(path.extension().string()) != ".xlsx") return read_csv(path);
  return read_workbook(path).in_file(path.string());
}

}  // namespace fiducial
