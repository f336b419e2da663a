// Tables about images of cases, CSV and JSON Lines: what a stage makes of one is whole, or an error in words.
#include "fiducial/curate/all_stages.h"

#include "fuzz_files.h"

namespace {

using namespace fiducial;

constexpr std::string_view fuzz_case =
    R"({"title":"Case number 1","CLINICAL_HISTORY":"h","image_count":2,"image_01_id":"a","image_01_path":"images/a.jpg",)"
    R"("image_02_id":"b","image_02_path":"images/b.jpg"})"
    "\n";

void label(const char* stage, const Path& table) {
  const Path& folder = fuzz::folder();
  const StageRequest request{
      .values = {{"CASES", {(folder / "cases.jsonl").string()}}, {"LABELS", {table.string()}}},
      .output = folder / "out.jsonl",
      .overwrite = true};
  SilentProgress progress;
  const Result<StageOutcome> outcome = run_stage(**find_stage(stage), request, progress);
  fuzz::require(outcome.ok() ? outcome->items == 1 : !outcome.error().text().empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = as_text(fuzz::view(bytes, size));
  fuzz::put(fuzz::folder() / "cases.jsonl", fuzz_case);
  const bool is_csv = text.empty() || (text.front() != '{' && text.front() != '[');
  const Path table = fuzz::folder() / (is_csv ? "labels.csv" : "labels.jsonl");
  fuzz::put(table, text);
  label("modality", table);
  label("audit", table);
  return 0;
}
