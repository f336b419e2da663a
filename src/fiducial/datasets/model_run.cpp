#include "fiducial/datasets/model_run.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

Result<Json> manifest_of_run(const Path& predictions) {
  const Path manifest = predictions / "manifest.json";
  if (!is_file(manifest)) {
    if (!is_file(predictions / "journal.jsonl")) return Json();
    return Error(ErrorCode::unfinished, "the run has not ended; its command goes on with it",
                 Place{.path = predictions.string()});
  }
  FIDUCIAL_TRY(const std::string text, read_text_file(manifest));
  FIDUCIAL_TRY(Json document, parse_json(text).in_file(manifest.string()));
  if (text_at(document, "schema") != "fiducial.run/1") return Json();
  if (flag_at(document, "finished").value_or(false)) return document;
  return Error(ErrorCode::unfinished,
               "the run is not finished (" + text_at(document, "stopped") + "); its command goes on with it",
               Place{.path = predictions.string()});
}

std::vector<std::string> notes_of_run(const Json& manifest) {
  std::vector<std::string> out;
  const Json* calls = manifest.find("calls");
  const Json::Object* dropped = calls == nullptr ? nullptr : find_object(*calls, "dropped_parameters");
  if (dropped != nullptr) {
    for (const auto& [name, count] : *dropped)
      out.push_back("the endpoint refused the parameter " + name + ", which was left out of " +
                    count.compact() + " requests");
  }
  if (flag_at(manifest, "expert_texts_shown").value_or(false))
    out.push_back("oracle: the model was shown what experts wrote, which names the key in " +
                  decimal(integer_at(manifest, "cases_whose_cues_name_the_key")) + " cases");
  return out;
}

}  // namespace fiducial
