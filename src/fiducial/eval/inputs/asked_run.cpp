#include "fiducial/eval/inputs/asked_run.h"

#include "fiducial/base/json_fields.h"

namespace fiducial {

Json asked_json(const Json& manifest) {
  static const Json nothing = Json::Object{};
  const auto part = [](const Json& object, const char* key) -> const Json& {
    const Json* found = object.find(key);
    return found == nullptr ? nothing : *found;
  };
  const Json& plan = part(manifest, "plan");
  const Json& calls = part(manifest, "calls");
  Json out = Json::Object{};
  for (const char* key : {"model", "vendor", "workflow"}) out.set(key, text_at(plan, key));
  out.set("effort", text_at(part(plan, "parameters"), "effort"));
  for (const char* key : {"images", "hints", "summary"}) out.set(key, text_at(plan, key));
  out.set("samples", integer_at(plan, "samples"));
  out.set("parameters", part(plan, "parameters"));
  out.set("cases", integer_at(part(manifest, "dataset"), "asked"));
  if (const Json* shown = manifest.find("images_shown_a_case")) out.set("images_shown_a_case", *shown);
  out.set("tokens", part(calls, "tokens")).set("finish", part(calls, "finish"));
  for (const char* key : {"failed_as", "samples"}) {
    if (const Json* found = manifest.find(key))
      out.set(key == std::string_view("samples") ? "agreement" : key, *found);
  }
  if (const Json* items = manifest.find("items")) out.set("recovered", integer_at(*items, "recovered"));
  if (const Json* profile = plan.find("profile")) out.set("profile", *profile);
  if (const Json* effort = manifest.find("effort")) out.set("effort_taken", *effort);
  out.set("dropped_parameters", part(calls, "dropped_parameters"));
  out.set("expert_texts_shown", flag_at(manifest, "expert_texts_shown").value_or(false));
  if (const Json* cost = manifest.find("cost")) out.set("cost", *cost);
  return out;
}

}  // namespace fiducial
