// Cases of either schema, from JSON or a case table: any item becomes a released row or is refused in words,
// and the way back gives the same row again.
#include "fiducial/base/json.h"
#include "fiducial/curate/cases/case_schemas.h"
#include "fiducial/table/csv.h"

#include "fuzz_input.h"

namespace {

using namespace fiducial;

void convert(const Json& item) {
  if (item.as_object() == nullptr) return;
  (void)case_table_cells(item);
  const Result<Json> released = released_from_working(item, 3);
  if (!released.ok()) {
    fuzz::require(!released.error().text().empty());
    return;
  }
  const Result<Json> again = released_from_working(working_from_released(*released), 3);
  fuzz::require(again.ok());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = as_text(fuzz::view(bytes, size));
  if (const Result<Json> item = parse_json(text); item.ok()) {
    convert(*item);
    if (item->as_object() != nullptr) (void)working_from_released(*item);
    return 0;
  }
  const Result<CsvTable> table = parse_csv(text);
  for (std::size_t row = 0; table.ok() && row < table->rows(); ++row)
    convert(working_from_table(*table, row));
  return 0;
}
