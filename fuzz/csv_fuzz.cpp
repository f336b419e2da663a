// parse_csv on any text; what it accepts, writing it must give back.
#include <string>
#include <vector>

#include "fiducial/table/csv.h"

#include "fuzz_input.h"

namespace fiducial::fuzz {

namespace {

std::vector<std::string> row_of(const CsvTable& table, std::size_t row) {
  std::vector<std::string> out;
  for (std::size_t column = 0; column < table.columns().size(); ++column) {
    out.emplace_back(table.cell(row, column));
  }
  return out;
}

std::string written(const CsvTable& table) {
  std::string text = csv_row(table.columns());
  for (std::size_t row = 0; row < table.rows(); ++row) text += csv_row(row_of(table, row));
  return text;
}

}  // namespace

}  // namespace fiducial::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const Result<CsvTable> parsed = parse_csv(as_text(fuzz::view(bytes, size)));
  if (!parsed.ok()) return 0;
  const std::string text = fuzz::written(*parsed);
  const Result<CsvTable> again = parse_csv(text);
  fuzz::require(again.ok() && again->rows() == parsed->rows() && again->columns() == parsed->columns());
  fuzz::require(fuzz::written(*again) == text);
  return 0;
}
