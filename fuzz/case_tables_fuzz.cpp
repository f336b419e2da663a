// Tables of teaching cases in Parquet and in Arrow's own format: any bytes are rows, or an error in words.
#include "fiducial/datasets/medthinkvqa/lint_row.h"
#include "fiducial/datasets/medthinkvqa/parquet_rows.h"

#include "fuzz_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const std::string_view text = as_text(fuzz::view(bytes, size));
  const fuzz::MemoryFile file(text);
  const auto visit = [](const medthinkvqa::RawRow& row) -> Outcome {
    (void)medthinkvqa::lint_row("test", row).count(Severity::error);
    (void)medthinkvqa::checked_case(row).ok();
    return done();
  };
  const bool is_parquet = text.starts_with("PAR1");
  const Outcome read = is_parquet ? medthinkvqa::read_parquet_rows(file.path(), true, visit)
                                  : medthinkvqa::read_arrow_rows(file.path(), true, visit);
  fuzz::require(read.ok() || !read.error().text().empty());
  (void)medthinkvqa::has_case_columns(file.path());
  return 0;
}
