#include "fiducial/datasets/needed_run.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/paths.h"
#include "fiducial/datasets/grounded_reports_file.h"
#include "fiducial/datasets/prediction_files.h"
#include "fiducial/datasets/radgenome/tables.h"

namespace fiducial {

namespace {

std::string with_ending(std::string_view volume) {
  std::string out(volume);
  return out.ends_with(".nii.gz") ? out : out + ".nii.gz";
}

Result<NeededRun> run_of_plan(const Json& plan) {
  NeededRun out;
  FIDUCIAL_TRY(const Json* split, required_field(plan, "split", ""));
  FIDUCIAL_TRY(out.split, expect_string(*split, "/split"));
  const Json* paths = plan.find("given_paths");
  const Json::Array* given = paths == nullptr ? nullptr : paths->as_array();
  out.needs_volumes = given != nullptr && std::any_of(given->begin(), given->end(), [](const Json& path) {
                        return path.as_string() != nullptr && *path.as_string() == "volumes";
                      });
  const Json* files = plan.find("files");
  if (files == nullptr || files->as_array() == nullptr || files->as_array()->empty()) return out;
  out.cases.emplace();
  for (const Json& file : *files->as_array()) {
    FIDUCIAL_TRY_DONE(expect_object(file, "/files"));
    FIDUCIAL_TRY(const Json* name, required_field(file, "case", "/files"));
    FIDUCIAL_TRY(std::string text, expect_string(*name, "/files/case"));
    out.cases->insert(std::move(text));
  }
  return out;
}

// Volumes of reports that say where they look, and of the masks beside them.
Result<std::set<std::string>> cases_of_masks(const PredictionFiles& files) {
  std::set<std::string> out;
  for (const std::string& name : files.names()) {
    if (name != grounded_reports_file) {
      out.insert(name);
      continue;
    }
    FIDUCIAL_TRY(StoredFile file, files.open_file(name));
    FIDUCIAL_TRY(const GroundedReports reports, read_grounded_reports(std::move(file)).in_file(name));
    for (const auto& [volume, sentences] : reports.by_case) out.insert(volume);
  }
  return out;
}

// Adds the volumes of a table's rows. A file without a column of volumes answers nothing.
Outcome add_volumes_of_table(const PredictionFiles& files, const std::string& name,
                             std::set<std::string>& out) {
  FIDUCIAL_TRY(StoredFile head, files.open_file(name));
  FIDUCIAL_TRY(const std::vector<std::string> columns,
               radgenome::read_column_names(std::move(head.bytes), name));
  if (std::find(columns.begin(), columns.end(), radgenome::volume_column) == columns.end()) return done();
  FIDUCIAL_TRY(StoredFile file, files.open_file(name));
  FIDUCIAL_TRY(radgenome::TableRows rows,
               radgenome::TableRows::open(std::move(file.bytes), name, radgenome::TableColumns()));
  FIDUCIAL_TRY(std::optional<radgenome::TableRow> row, rows.next());
  while (row) {
    out.insert(with_ending(row->volume));
    FIDUCIAL_TRY(row, rows.next());
  }
  return done();
}

Result<std::set<std::string>> cases_of_tables(const Path& run) {
  std::set<std::string> out;
  const bool is_table = is_file(run) && run.extension() != ".zip";
  FIDUCIAL_TRY(const PredictionFiles files, PredictionFiles::open(is_table ? run.parent_path() / "." : run));
  const std::vector<std::string> named{run.filename().string()};
  for (const std::string& name : is_table ? named : files.names()) {
    if (name == grounded_reports_file) return cases_of_masks(files);
    if (name.ends_with(".csv") || name.ends_with(".csv.gz")) {
      FIDUCIAL_TRY_DONE(add_volumes_of_table(files, name, out));
    } else if (name.ends_with(".nii.gz")) {
      out.insert(name);
    }
  }
  return out;
}

}  // namespace

Result<NeededRun> read_needed_run(const Path& run, const DatasetAdapter& dataset) {
  if (is_file(run / "plan.json")) {
    const std::string name = (run / "plan.json").string();
    FIDUCIAL_TRY(const std::string text, read_text_file(name));
    FIDUCIAL_TRY(const Json plan, parse_json(text).in_file(name));
    return run_of_plan(plan).in_file(name);
  }
  NeededRun out;
  if (dataset.open_questions != nullptr) {
    FIDUCIAL_TRY(out.answers, read_answer_predictions(run));
  } else if (dataset.open_tables != nullptr) {
    FIDUCIAL_TRY(out.cases, cases_of_tables(run));
  } else {
    FIDUCIAL_TRY(const PredictionFiles files, PredictionFiles::open(run));
    FIDUCIAL_TRY(out.cases, cases_of_masks(files));
  }
  return out;
}

}  // namespace fiducial
