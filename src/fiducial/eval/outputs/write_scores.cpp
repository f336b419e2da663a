#include "fiducial/eval/outputs/write_scores.h"

#include "fiducial/eval/outputs/private_run.h"
#include "fiducial/eval/task/case_journal.h"
#include "fiducial/table/parquet.h"

namespace fiducial {

namespace {

Outcome write_detail(const CaseDetail& detail, const Path& folder) {
  if (const Table* table = std::get_if<Table>(&detail.content))
    return write_parquet(folder / detail.name, *table);
  return write_file(folder / detail.name, std::get<std::string>(detail.content));
}

Outcome write_more(const ScoreRun& told, const Json& summary, const ScoreOutput& output, const Path& folder) {
  if (!output.more) return done();
  FIDUCIAL_TRY(const std::vector<NamedText> more, output.more(told, summary));
  for (const auto& [name, text] : more) FIDUCIAL_TRY_DONE(write_file(folder / name, text));
  return done();
}

// Writes what may be told of a run.
Result<Json> write_told(const ScoreRun& run, const PooledRun& pooled, const ScoreOutput& output,
                        const Path& folder) {
  const std::string plan = plan_json(run).pretty();
  Json summary = summary_json(run, pooled, sha256(as_bytes(plan)));
  FIDUCIAL_TRY_DONE(write_file(folder / score_folder_marker, plan));
  FIDUCIAL_TRY_DONE(write_file(folder / "summary.json", summary.pretty()));
  if (!output.is_private) FIDUCIAL_TRY_DONE(write_rows(run, folder / "rows.parquet"));
  for (const CaseDetail& detail : run.details) FIDUCIAL_TRY_DONE(write_detail(detail, folder));
  FIDUCIAL_TRY_DONE(write_more(run, summary, output, folder));
  return summary;
}

}  // namespace

Outcome check_output(const Path& folder, bool overwrite) {
  FIDUCIAL_TRY_DONE(StagedFolder::create(folder, score_folder_marker, overwrite));
  return done();
}

Result<Json> write_scores(const ScoreRun& run, const ScoreOutput& output, const Executor& executor) {
  FIDUCIAL_TRY(StagedFolder folder,
               StagedFolder::create(output.folder, score_folder_marker, output.overwrite));
  FIDUCIAL_TRY(PooledRun pool, pooled(run, executor));
  Json summary;
  if (output.is_private) {
    const ScoreRun told = private_run(run, output.min_group, pool);
    FIDUCIAL_TRY(summary, write_told(told, pool, output, folder.staging()));
  } else {
    FIDUCIAL_TRY(summary, write_told(run, pool, output, folder.staging()));
  }
  if (output.lock) output.lock->release();
  FIDUCIAL_TRY_DONE(publish_and_forget(output.folder, folder));
  return summary;
}

}  // namespace fiducial
