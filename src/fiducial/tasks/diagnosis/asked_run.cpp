#include "fiducial/tasks/diagnosis/asked_run.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/datasets/medthinkvqa/answer_predictions.h"
#include "fiducial/eval/inputs/reply_cleanup.h"
#include "fiducial/text/answer_extraction.h"

namespace fiducial {

namespace {

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

}  // namespace

Result<Json> asked_of_run(const Path& predictions) {
  const Path manifest = predictions / "manifest.json";
  if (!is_file(manifest)) return Json();
  FIDUCIAL_TRY(const std::string text, read_text_file(manifest));
  FIDUCIAL_TRY(const Json document, parse_json(text).in_file(manifest.string()));
  return text_at(document, "schema") == "fiducial.run/1" ? asked_json(document) : Json();
}

Result<Json> sample_accuracy(const Path& predictions, const std::vector<DiagnosisCase>& cases) {
  Json each = Json::Array{};
  double sum = 0;
  double squares = 0;
  const double all = std::max<double>(1, static_cast<double>(cases.size()));
  for (std::size_t number = 1;; ++number) {
    const Path file = predictions / "samples" / (decimal(number) + ".jsonl");
    if (!is_file(file)) break;
    FIDUCIAL_TRY(const AnswerPredictions sample, read_answer_predictions(file));
    double right = 0;
    for (const DiagnosisCase& entry : cases) {
      const auto found = sample.by_number.find(entry.number);
      if (found == sample.by_number.end() || !found->second.reply) continue;
      const std::string said = cleaned_reply(*found->second.reply, Scorer::strict);
      right += extract_answer(said, entry.options).letter == entry.key ? 1 : 0;
    }
    each.push(right / all);
    sum += right / all;
    squares += right / all * (right / all);
  }
  const auto samples = static_cast<double>(each.as_array()->size());
  if (samples < 1) return Json();
  const double mean = sum / samples;
  const double variance = samples < 2 ? 0 : std::max(0.0, (squares - samples * mean * mean) / (samples - 1));
  return Json::object({{"each", std::move(each)}, {"mean", mean}, {"sd", std::sqrt(variance)}});
}

}  // namespace fiducial
