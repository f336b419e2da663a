#include <map>
#include <memory>

#include "fiducial/base/interruption.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/staged_file.h"

#include "kept_files.h"
#include "planned_verb.h"
#include "segmented_ct.h"

namespace fiducial::cli {

namespace {

bool is_nifti(const Path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(".nii") || name.ends_with(".nii.gz");
}

// The CTs at any depth below a folder, by name: where each lies is no part of what comes out.
Result<std::vector<CaseInput>> cts_below(const Path& folder) {
  FIDUCIAL_TRY_DONE(check_reachable(folder));
  if (!is_folder(folder)) return path_missing("no such folder of CTs", folder.string());
  FIDUCIAL_TRY(const std::vector<Path> files, files_below(folder));
  std::map<std::string, Path> by_name;
  for (const Path& file : files) {
    if (!is_nifti(file)) continue;
    const auto [known, is_new] = by_name.emplace(file.filename().string(), file);
    if (!is_new)
      return Error(ErrorCode::invalid_data, "two CTs have one name, the other is " + known->second.string(),
                   Place{.path = file.string()});
  }
  std::vector<CaseInput> out;
  out.reserve(by_name.size());
  for (const auto& [name, path] : by_name) out.push_back({name, {{"volumes", path}}});
  return out;
}

Result<PlannedRequest> resolve_anatomy(const std::string& folder) {
  const std::string cts = absolute_text(folder);
  FIDUCIAL_TRY(std::vector<CaseInput> cases, cts_below(cts));
  return PlannedRequest{.request = Json::object({{"volumes", cts}}), .inputs = {}, .cases = std::move(cases)};
}

Result<PlannedWork> open_anatomy(const OpenJob& job) {
  FIDUCIAL_TRY(const std::string folder, required_string(job.plan.request, "volumes", "/request"));
  PlannedWork out;
  out.cases = cases_listed_once(job.plan, [folder] { return cts_below(folder); });
  out.work = [cases_of = out.cases, job](std::int64_t unit, const Path& journal) -> Result<UnitResult> {
    FIDUCIAL_TRY(const UnitFolder made, UnitFolder::create(journal));
    FIDUCIAL_TRY(const std::vector<CaseInput> cases, cases_of(unit));
    for (const CaseInput& each : cases) {
      if (call_given_up()) return given_up();
      if (stop_requested())
        return Error(ErrorCode::interrupted, "stopped; the same command goes on from here");
      FIDUCIAL_TRY_DONE(segment_ct(each.files.front().path, made.path() / each.name));
    }
    FIDUCIAL_TRY(auto files, made.keep(job.folder));
    return UnitResult{unit, Json::object({{"cases", static_cast<std::int64_t>(cases.size())}}),
                      std::move(files)};
  };
  return out;
}

Result<int> merge_anatomy(const OpenJob& job, const MergeRequest& request) {
  if (request.overwrite) return bad_usage("--overwrite: a folder of label maps is never replaced");
  FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(request.output, "", false));
  std::int64_t cases = 0;
  FIDUCIAL_TRY_DONE(job.folder.visit_results([&](const UnitResult& result) -> Outcome {
    cases += integer_at(result.value, "cases");
    return take_kept_files(job.folder, result, folder.staging());
  }));
  FIDUCIAL_TRY_DONE(flush_folder(folder.staging()));
  FIDUCIAL_TRY_DONE(folder.publish());
  job.console.print(request.json ? Json::object({{"cases", cases}}).pretty()
                                 : request.output + ": " + decimal(cases) + " CTs\n");
  return 0;
}

}  // namespace

PlannedVerb planned_anatomy() {
  return {.name = "anatomy",
          .summary = "Segment body, bones, trachea and both lungs of every CT below a folder",
          .example = "fiducial plan anatomy ct-rate/ --units 1000 -o JOB",
          .mb_per_core_s = 10,
          .define = [](Verb verb) -> std::function<Result<PlannedRequest>()> {
            auto folder = std::make_shared<std::string>();
            verb.add_option("DIR", *folder, "Folder of CTs: NIfTI files at any depth")->required();
            return [folder] { return resolve_anatomy(*folder); };
          },
          .open = open_anatomy,
          .merge = merge_anatomy};
}

}  // namespace fiducial::cli
