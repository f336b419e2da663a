#include "fiducial/curate/report_stage.h"

#include "fiducial/base/interruption.h"

namespace fiducial {

StageOption reports_input() {
  return {.name = "REPORTS",
          .help = "CSV with the columns VolumeName, Findings_EN and Impressions_EN, plain or gzip",
          .required = true};
}

StageOption text_column_option() {
  return {.name = "text-column", .help = "Column to read instead of findings and impressions"};
}

StageOption ask_option() {
  return {.name = "ask",
          .help = "Take the replies of a model (--replay) instead of the rules, each checked by them",
          .kind = StageOption::Kind::flag};
}

Outcome for_each_report(StageCall& call, const ReportColumns& columns,
                        const std::function<Result<ItemStatus>(const ReportRow&)>& use) {
  const Path path = call.text("REPORTS");
  FIDUCIAL_TRY(ReportRows rows, ReportRows::open(path, columns));
  while (true) {
    FIDUCIAL_TRY(const std::optional<ReportRow> row, rows.next());
    if (!row) break;
    if (stop_requested()) return Error(ErrorCode::interrupted, "stopped by a signal; nothing was written");
    FIDUCIAL_TRY(const ItemStatus status, use(*row));
    FIDUCIAL_TRY_DONE(call.record(row->index, std::string(row->id), status));
  }
  FIDUCIAL_TRY(const Digest digest, rows.finish());
  call.record_input("REPORTS", path, digest);
  return done();
}

}  // namespace fiducial
