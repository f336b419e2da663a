// What stages wrote about reports, read again by later ones: `check`, `review` and `--from`. The first byte
// says which file the rest is.
#include <string>

#include "fiducial/curate/all_stages.h"
#include "fiducial/curate/reports/review_folder.h"
#include "fiducial/curate/reports/review_rates.h"
#include "fiducial/datasets/curated_check.h"

#include "fuzz_files.h"

namespace {

using namespace fiducial;

// As the stages write them, of one report.
struct StageFile {
  const char* name;
  std::string_view usual;
};
constexpr StageFile stage_files[] = {
    {"sentences.csv", "VolumeName,Findings,Impressions\nv1,A nodule.,\n"},
    {"findings/facts.jsonl",
     R"({"VolumeName":"v1","finding":"nodule","polarity":"present","certainty":"stated","column":"Findings_EN","begin":2,"end":8})"
     "\n"},
    {"findings/findings.jsonl",
     R"({"VolumeName":"v1","place":"P1","text":"nodule","category":"2a","polarity":"present","sources":[{"column":"Findings_EN","begin":2,"end":8}]})"
     "\n"},
    {"standardise/sources.jsonl", R"({"VolumeName":"v1","sentence":"L0","sources":[]})"
                                  "\n"},
    {"categories/categories.csv", "VolumeName,Finding,Category\nv1,nodule,2a\n"},
    {"labels.csv.explain.jsonl", R"({"VolumeName":"v1","label":"Lung nodule","begin":2,"end":8})"
                                 "\n"},
    {"regions.csv.explain.jsonl", R"({"VolumeName":"v1","sentence":0,"regions":["lung"]})"
                                  "\n"},
    {"vqa/questions.jsonl",
     R"({"Volumename":"v1","family":"presence","question":"Is there a nodule?","answer":"Yes."})"
     "\n"},
    {"from/positive_finding_reports/v1.json", R"({"P1": "A nodule."})"},
    {"from/manifest.json", R"({"schema":"fiducial.curation/1","stage":"findings"})"},
    {"sheet.csv", "report,kind,item,aspect,wrong\nv1,finding,P1,code,0\n"},
};

void write_folder(std::string_view input) {
  const std::size_t which =
      input.empty() ? 0 : static_cast<unsigned char>(input.front()) % std::size(stage_files);
  for (const StageFile& file : stage_files) {
    const Path path = fuzz::folder() / file.name;
    std::filesystem::create_directories(path.parent_path());
    fuzz::put(path, &file == &stage_files[which] && !input.empty() ? input.substr(1) : file.usual);
  }
  fuzz::put(fuzz::folder() / "reports.csv", "VolumeName,Findings_EN,Impressions_EN\nv1,A nodule.,\n");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  write_folder(as_text(fuzz::view(bytes, size)));
  SilentProgress progress;
  const Result<LintReport> checked = check_curated({.dataset = fuzz::folder()}, progress);
  fuzz::require(checked.ok() || !checked.error().text().empty());
  const Result<ReviewFolder> folder = ReviewFolder::open(fuzz::folder());
  const auto reports =
      folder.ok() ? folder->read(folder->names()) : Result<std::vector<SheetReport>>(folder.error());
  fuzz::require(!reports.ok() || reports->size() == folder->names().size());
  const Result<TickedSheet> sheet = TickedSheet::read(fuzz::folder() / "sheet.csv");
  if (sheet.ok() && reports.ok() && sheet->check(*reports).ok()) (void)rates_of_reader("reader", *sheet);
  const StageRequest request{.values = {{"REPORTS", {(fuzz::folder() / "reports.csv").string()}},
                                        {"from", {(fuzz::folder() / "from").string()}}},
                             .output = fuzz::folder() / "coded",
                             .overwrite = true};
  const Result<StageOutcome> outcome = run_stage(**find_stage("categories"), request, progress);
  fuzz::require(outcome.ok() ? outcome->items == 1 : !outcome.error().text().empty());
  return 0;
}
