// Journals of runs: any bytes are lines that were kept or none, and a scored case that is taken is written
// back as it was.
#include "fiducial/eval/task/case_journal.h"
#include "fiducial/eval/task/kept_numbers.h"
#include "fiducial/tasks/finding_masks/case_score_json.h"

#include "fuzz_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const std::string_view text = as_text(fuzz::view(bytes, size));
  const fuzz::MemoryFile file(R"({"schema":"fiducial.journal/1","key":"fuzz"})"
                              "\n" +
                              std::string(text));
  const Result<std::unique_ptr<CaseJournal>> journal = CaseJournal::open(file.path(), "fuzz");
  fuzz::require(journal.ok() && *journal != nullptr);
  const Result<Json> value = parse_json(text.substr(0, text.find('\n')));
  if (!value.ok()) return 0;
  if (const Json* name = value->find("case"); name != nullptr && name->as_string() != nullptr)
    fuzz::require((*journal)->size() > 0 || text.find('\n') == std::string_view::npos);
  const Result<std::vector<double>> numbers = parse_kept_numbers(*value, "sums", 3);
  if (numbers.ok()) fuzz::require(numbers->size() == 3);
  const Result<CaseScore> scored = parse_case_score(*value);
  if (!scored.ok()) return 0;
  const Json written = to_json(*scored);
  const Result<CaseScore> again = parse_case_score(written);
  fuzz::require(again.ok() && to_json(*again).compact() == written.compact());
  return 0;
}
