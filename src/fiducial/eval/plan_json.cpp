#include "fiducial/eval/outputs.h"

namespace fiducial {

Json plan_json(const ScoredRun& run) {
  Json files;
  for (const CaseScore& scored : run.cases) {
    Json file = Json::object(
        {{"case", scored.name},
         {"reference", scored.reference_file},
         {"reference_sha256", scored.reference_digest.hex()},
         {"prediction_sha256", scored.prediction_digest ? Json(scored.prediction_digest->hex()) : Json()}});
    if (scored.ignored_digest) file.set("ignored_sha256", scored.ignored_digest->hex());
    if (scored.spacing_mm) {
      const Vec3& spacing = *scored.spacing_mm;
      file.set("spacing_mm", Json::array({spacing[0], spacing[1], spacing[2]}));
    }
    files.push(std::move(file));
  }
  Json out =
      Json::object({{"schema", "fiducial.plan/1"}, {"tool", "fiducial"}, {"tool_version", FIDUCIAL_VERSION}});
  const Json plan = to_json(run.plan);
  for (const auto& [key, value] : *plan.as_object()) out.set(key, value);
  out.set("dataset", Json::object({{"file", run.dataset_file}, {"sha256", run.dataset_digest.hex()}}));
  return out.set("files", std::move(files));
}

}  // namespace fiducial
