#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "fiducial/base/number_text.h"
#include "fiducial/curate/engine/stage_call.h"
#include "fiducial/curate/reports/review_folder.h"
#include "fiducial/curate/reports/review_rates.h"
#include "fiducial/curate/reports/review_sheet.h"

namespace fiducial {

namespace {

Result<std::vector<std::string>> drawn_reports(StageCall& call, const ReviewFolder& folder) {
  FIDUCIAL_TRY(const std::int64_t wanted, call.integer("sample"));
  if (wanted < 1) return bad_usage("--sample: expected a number of reports");
  const std::vector<std::string>& names = folder.names();
  const std::size_t count = std::min(static_cast<std::size_t>(wanted), names.size());
  std::vector<std::size_t> chosen = call.random().sample(names.size(), count);
  std::sort(chosen.begin(), chosen.end());
  std::vector<std::string> out;
  out.reserve(count);
  for (const std::size_t at : chosen) out.push_back(names[at]);
  return out;
}

Outcome write_sheet(StageCall& call, const ReviewFolder& folder, OutputFile& page) {
  FIDUCIAL_TRY(const std::vector<std::string> names, drawn_reports(call, folder));
  FIDUCIAL_TRY(const std::vector<SheetReport> reports, folder.read(names));
  for (std::size_t i = 0; i < reports.size(); ++i)
    FIDUCIAL_TRY_DONE(call.record(static_cast<std::int64_t>(i), reports[i].id, ItemStatus{}));
  return page.write(review_page(reports));
}

Result<std::vector<TickedSheet>> ticked_sheets(StageCall& call) {
  std::vector<TickedSheet> out;
  for (const std::string& name : call.texts("import")) {
    const Path path = name;
    FIDUCIAL_TRY(TickedSheet sheet, TickedSheet::read(path));
    FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path));
    FIDUCIAL_TRY(const Digest digest, HashingStream(std::move(file)).finish());
    call.record_input("import", path, digest);
    FIDUCIAL_TRY_DONE(
        call.record(static_cast<std::int64_t>(out.size()), path.filename().string(), ItemStatus{}));
    out.push_back(std::move(sheet));
  }
  return out;
}

Outcome write_rates(StageCall& call, const ReviewFolder& folder, OutputFile& rates) {
  FIDUCIAL_TRY(const std::vector<TickedSheet> sheets, ticked_sheets(call));
  FIDUCIAL_TRY(const std::vector<SheetReport> reports, folder.read(folder.names()));
  FIDUCIAL_TRY_DONE(rates.write("Reader,Kind,Aspect,Reports,Items,Wrong,Rate,Low,High\n"));
  for (std::size_t i = 0; i < sheets.size(); ++i) {
    FIDUCIAL_TRY_DONE(sheets[i].check(reports));
    FIDUCIAL_TRY_DONE(rates.write(rates_of_reader("reader" + decimal(i + 1), sheets[i])));
  }
  FIDUCIAL_TRY(OutputFile * ratings, call.output().add("ratings.csv"));
  return ratings->write(ratings_of_readers(sheets));
}

Outcome run_review(StageCall& call) {
  FIDUCIAL_TRY(const ReviewFolder folder, ReviewFolder::open(call.text("FOLDER")));
  FIDUCIAL_TRY(OutputFile * file, call.output().add_main(".html"));
  return call.has("import") ? write_rates(call, folder, *file) : write_sheet(call, folder, *file);
}

}  // namespace

Stage review_stage() {
  return {
      .name = "review",
      .summary = "Write a sheet to read reports by, or take ticked sheets: error rates with intervals",
      .example = "fiducial curate review corpus --sample 60 --seed 1 -o sheet.html",
      .inputs = {{.name = "FOLDER", .help = "Output of curate ctrate, or its stages", .required = true}},
      .options =
          {{.name = "sample",
            .help = "Number of reports on the sheet",
            .kind = StageOption::Kind::integer,
            .fallback = "60"},
           {.name = "import",
            .help =
                "Ticked sheet.csv, once for every reader: writes error rates, and OUT.ratings.csv for agree",
            .kind = StageOption::Kind::texts,
            .is_path = true}},
      .draws = true,
      .default_seed = 42,
      .writes_file = true,
      .run = run_review};
}

}  // namespace fiducial
