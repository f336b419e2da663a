// Tables of RadGenome-Chest CT and grounded reports: any text gives rows or an error with a place, and what
// is read keeps its promises.
#include <memory>

#include "fiducial/datasets/radgenome/size_text.h"
#include "fiducial/datasets/radgenome/tables.h"
#include "fiducial/tasks/grounded_reports/grounded_report.h"

#include "fuzz_input.h"

namespace {

using namespace fiducial;

void use_rows(ByteView bytes, const radgenome::TableLayout& layout) {
  Result<radgenome::TableRows> rows =
      radgenome::TableRows::open(std::make_unique<MemoryStream>(bytes), "fuzz.csv",
                                 {std::string(radgenome::volume_column), std::string(layout.place),
                                  std::string(layout.finding), std::string(layout.answer)});
  while (rows.ok()) {
    const Result<std::optional<radgenome::TableRow>> row = rows->next();
    if (!row.ok()) fuzz::require(!row.error().text().empty());
    if (!row.ok() || !*row) break;
    fuzz::require(!(*row)->volume.empty());
    for (const std::string_view atom : radgenome::list_atoms((*row)->answer)) fuzz::require(!atom.empty());
    if (const auto size = radgenome::find_size((*row)->answer)) {
      fuzz::require(radgenome::size_difference_mm(*size, *size) == 0);
    }
    if (const auto name = radgenome::find_volume_name((*row)->volume)) fuzz::require(!name->scan.empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes = fuzz::view(data, size);
  // One layout for an input: every one reads through a buffer of a megabyte.
  const auto& layouts = radgenome::table_layouts();
  use_rows(bytes, layouts[size % layouts.size()]);
  const Result<GroundedReports> reports =
      read_grounded_reports({std::make_unique<MemoryStream>(bytes), size});
  if (!reports.ok()) {
    fuzz::require(reports.error().code() == ErrorCode::invalid_data);
    return 0;
  }
  static FactFinder finder;  // its rules are read once
  for (const auto& [name, sentences] : reports->by_case) {
    const std::vector<ReportFact> facts = finder.facts(sentences);
    fuzz::require(match_facts(facts, facts, {}).size() == facts.size());
  }
  return 0;
}
