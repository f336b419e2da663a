// Rows of score folders: any bytes are a table with the columns of scores, or an error in words.
#include "fiducial/eval/folder/score_folder.h"
#include "fiducial/table/parquet.h"

#include "fuzz_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const fuzz::MemoryFile file(as_text(fuzz::view(bytes, size)));
  const Result<Table> table = read_parquet(file.path());
  if (!table.ok()) {
    fuzz::require(!table.error().text().empty());
    return 0;
  }
  for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
    const Result<FindingRows> rows = finding_rows(*table, scorer);
    if (!rows.ok()) continue;
    for (const auto& [metric, values] : rows->values) fuzz::require(values.size() == rows->findings.size());
    for (const auto& [kind, labels] : rows->groups) fuzz::require(labels.size() == rows->findings.size());
  }
  return 0;
}
