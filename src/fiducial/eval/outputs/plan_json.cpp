#include "fiducial/base/version.h"
#include "fiducial/eval/outputs/private_run.h"
#include "fiducial/eval/outputs/write_scores.h"

namespace fiducial {

namespace {

Json metrics_json(const ScoreRun& run) {
  Json out{Json::Array{}};
  for (const Scorer scorer : run.scorers()) {
    for (const ScoreColumn& column : run.columns) {
      if (column.scorer != scorer) continue;
      out.push(Json::object({{"id", column.id},
                             {"contract", column.contract->id},
                             {"version", column.contract->version},
                             {"scorer", to_string(scorer)}}));
    }
  }
  return out;
}

Json options_json(const OptionValues& options) {
  Json out = Json::object({});
  for (const auto& [name, values] : options) {
    out.set(name, Json::strings(values));
  }
  return out;
}

Json file_json(const std::string& name, const Digest& digest) {
  return Json::object({{"file", name}, {"sha256", digest.hex()}});
}

Json files_json(const std::vector<HashedFile>& files) {
  Json out{Json::Array{}};
  for (const HashedFile& file : files) out.push(file_json(file.name, file.digest));
  return out;
}

Json inputs_json(const ScoreRun& run) {
  Json out{Json::Array{}};
  for (const InputFile& input : run.inputs) {
    Json one = file_json(input.file, input.digest);
    one.set("role", input.role);
    if (!input.name.empty()) one.set("name", input.name);
    out.push(std::move(one));
  }
  return out;
}

Json digest_or_null(const std::optional<Digest>& digest) { return digest ? Json(digest->hex()) : Json(); }

Json case_json(const CaseFiles& files) {
  Json out = Json::object({{"case", files.name},
                           {"reference", files.reference},
                           {"reference_sha256", digest_or_null(files.reference_digest)},
                           {"prediction_sha256", digest_or_null(files.prediction_digest)}});
  if (files.ignored_digest) out.set("ignored_sha256", files.ignored_digest->hex());
  if (files.spacing_mm) {
    const Vec3& spacing = *files.spacing_mm;
    out.set("spacing_mm", Json::array({spacing[0], spacing[1], spacing[2]}));
  }
  return out;
}

}  // namespace

Json plan_json(const ScoreRun& run) {
  Json out = Json::object({{"schema", "fiducial.plan/2"},
                           {"tool", "fiducial"},
                           {"tool_version", tool_version},
                           {"task", run.task},
                           {"benchmark", run.benchmark},
                           {"split", run.split},
                           {"mode", to_string(run.mode)},
                           {"system", run.system},
                           {"seed", run.seed},
                           {"resamples", run.resamples},
                           {"options", options_json(run.options)}});
  if (!run.given_paths.empty()) out.set("given_paths", Json::strings(run.given_paths));
  if (!run.rules.is_null()) out.set("rules", run.rules);
  out.set("metrics", metrics_json(run));
  if (run.min_group) {
    out.set("private", Json::object({{"min_group", *run.min_group}, {"decimals", private_decimals}}));
  } else {
    out.set("dataset", file_json(run.dataset.name, run.dataset.digest));
  }
  if (run.predictions) out.set("predictions", file_json(run.predictions->name, run.predictions->digest));
  if (!run.dataset_files.empty()) out.set("dataset_files", files_json(run.dataset_files));
  if (!run.prediction_files.empty()) out.set("prediction_files", files_json(run.prediction_files));
  if (!run.inputs.empty()) out.set("inputs", inputs_json(run));
  Json files{Json::Array{}};
  for (const CaseFiles& each : run.files) files.push(case_json(each));
  return out.set("files", std::move(files));
}

}  // namespace fiducial
