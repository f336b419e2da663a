// The documents of a workbook from any text, which stands for each of them: what is accepted is a table.
#include "fiducial/table/worksheet.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const std::string_view text = as_text(fuzz::view(bytes, size));
  const auto shared = parse_shared_strings(text);
  const auto name = first_sheet(text, text);
  fuzz::require(name.ok() || !name.error().text().empty());
  const auto table = parse_worksheet(text, shared.ok() ? *shared : std::vector<std::string>{"a"});
  if (table.ok()) fuzz::require(!table->columns().empty());
  return 0;
}
