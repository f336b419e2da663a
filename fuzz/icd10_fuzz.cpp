// WHO's three tables, and the text that is made of them: what is accepted, writing and reading must give
// back.
#include <string>

#include "fiducial/curate/cases/icd10_table.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const std::string_view text = as_text(fuzz::view(bytes, size));
  static_cast<void>(icd10_category_in(text));
  static_cast<void>(icd10_block_in(text));
  static_cast<void>(icd10_chapter_in(text));
  static_cast<void>(Icd10Table::parse(text));

  // Two lines of '=' part the three tables.
  const std::size_t first = text.find("\n=\n");
  const std::size_t second = first == std::string_view::npos ? first : text.find("\n=\n", first + 3);
  if (second == std::string_view::npos) return 0;
  const Icd10Source source{.chapters = std::string(text.substr(0, first)),
                           .groups = std::string(text.substr(first + 3, second - first - 3)),
                           .codes = std::string(text.substr(second + 3))};
  for (std::int64_t count = 0; count < 3; ++count) {
    const auto table = Icd10Table::build(source, {.chapters = 1, .blocks = count, .categories = count});
    if (table.ok()) static_cast<void>(Icd10Table::parse(table->text("source", "time")));
  }
  return 0;
}
