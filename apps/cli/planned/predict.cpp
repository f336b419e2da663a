#include <memory>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/staged_file.h"
#include "fiducial/export/text_region_predictions.h"

#include "kept_files.h"
#include "planned_verb.h"

namespace fiducial::cli {

namespace {

struct PredictJob {
  std::string predictor;
  std::string dataset;
  std::string volumes;
  std::string masks;
  std::string split;

  TextRegionRequest request() const {
    TextRegionRequest out{.dataset = dataset, .volumes = volumes};
    if (!masks.empty()) out.masks = masks;
    if (!split.empty()) out.split = split;
    return out;
  }
  Json json() const {
    return Json::object({{"predictor", predictor},
                         {"dataset", dataset},
                         {"volumes", volumes},
                         {"masks", masks},
                         {"split", split}});
  }
};

Result<std::vector<CaseInput>> cases_of(const PredictJob& asked) {
  FIDUCIAL_TRY(const std::vector<TextRegionCase> cases, text_region_cases(asked.request()));
  std::vector<CaseInput> out;
  out.reserve(cases.size());
  for (const TextRegionCase& each : cases) out.push_back({each.name, {{"volumes", each.volume}}});
  return out;
}

Result<PlannedRequest> resolve_predict(PredictJob asked) {
  for (std::string* path : {&asked.dataset, &asked.volumes, &asked.masks}) *path = absolute_text(*path);
  FIDUCIAL_TRY(std::vector<CaseInput> cases, cases_of(asked));
  std::vector<JobInput> inputs{{"dataset", asked.dataset}};
  if (!asked.masks.empty()) inputs.push_back({"masks", asked.masks});
  return PlannedRequest{.request = asked.json(), .inputs = std::move(inputs), .cases = std::move(cases)};
}

Result<PredictJob> parse_predict(const Json& request) {
  PredictJob out{.predictor = text_at(request, "predictor"),
                 .dataset = text_at(request, "dataset"),
                 .volumes = text_at(request, "volumes"),
                 .masks = text_at(request, "masks"),
                 .split = text_at(request, "split")};
  if (out.dataset.empty()) return at_pointer("/request/dataset", "expected a folder");
  return out;
}

Result<PlannedWork> open_predict(const OpenJob& job) {
  FIDUCIAL_TRY(const PredictJob asked, parse_predict(job.plan.request));
  PlannedWork out;
  out.cases = cases_listed_once(job.plan, [asked] { return cases_of(asked); });
  out.work = [asked, job](std::int64_t unit, const Path& journal) -> Result<UnitResult> {
    FIDUCIAL_TRY(const UnitFolder folder, UnitFolder::create(journal));
    TextRegionRequest request = asked.request();
    request.output = folder.path();
    const std::vector<std::string> names = names_of_unit(job.plan, unit);
    FIDUCIAL_TRY(const TextRegionCounts counts,
                 predict_text_region_cases(request, {names.begin(), names.end()}));
    FIDUCIAL_TRY(auto files, folder.keep(job.folder));
    return UnitResult{unit, counts.json(), std::move(files)};
  };
  return out;
}

Result<int> merge_predict(const OpenJob& job, const MergeRequest& request) {
  if (request.overwrite) return bad_usage("--overwrite: a folder of predictions is never replaced");
  FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(request.output, "", false));
  TextRegionCounts counts;
  FIDUCIAL_TRY_DONE(job.folder.visit_results([&](const UnitResult& result) -> Outcome {
    FIDUCIAL_TRY(const TextRegionCounts part, TextRegionCounts::parse(result.value));
    counts += part;
    return take_kept_files(job.folder, result, folder.staging());
  }));
  FIDUCIAL_TRY_DONE(flush_folder(folder.staging()));
  FIDUCIAL_TRY_DONE(folder.publish());
  FIDUCIAL_TRY_DONE(write_file(request.output + ".json", counts.json().pretty()));
  job.console.print(request.json ? counts.json().pretty()
                                 : request.output + ": " + decimal(counts.cases) + " cases, " +
                                       decimal(counts.findings) + " findings, " + decimal(counts.empty) +
                                       " without a voxel\n");
  return 0;
}

}  // namespace

PlannedVerb planned_predict() {
  return {.name = "predict",
          .summary = "Write the predictions of a baseline without a trained model",
          .example = "fiducial plan predict text-region rexgroundingct --volumes ct-rate -o JOB",
          .define = [](Verb verb) -> std::function<Result<PlannedRequest>()> {
            auto asked = std::make_shared<PredictJob>();
            verb.add_option("PREDICTOR", asked->predictor, "What predicts: text-region")
                ->required()
                ->one_of({"text-region"});
            verb.add_option("DIR", asked->dataset, "Dataset folder (ReXGroundingCT layout)")->required();
            verb.add_option("--volumes", asked->volumes, "Folder of CTs")->required();
            verb.add_option("--masks", asked->masks, "Organ masks (default: segment the lungs by rules)");
            verb.add_option("--split", asked->split, "Split to predict (default: test)");
            return [asked] { return resolve_predict(*asked); };
          },
          .open = open_predict,
          .merge = merge_predict};
}

}  // namespace fiducial::cli
