#include "fiducial/base/number_text.h"
#include "fiducial/curate/engine/item_fields.h"
#include "fiducial/curate/engine/stage_call.h"
#include "fiducial/text/reasoning_steps.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

constexpr const char* usual_field = "parsed_explanation";

constexpr const char* steps_system_words =
    "Split a diagnostic explanation into ordered, atomic steps of one sentence each. Keep observation, "
    "interpretation and "
    "elimination of a diagnosis apart. Use only what the explanation says: add no fact, drop none. The case "
    "is context "
    "only. Answer with JSON: steps, a list of 1 to 15 texts.";

Json steps_reply_schema() {
  Json steps = Json::object({{"type", "array"},
                             {"minItems", 1},
                             {"maxItems", static_cast<std::int64_t>(max_reasoning_steps)},
                             {"items", Json::object({{"type", "string"}})}});
  return Json::object({{"type", "object"},
                       {"properties", Json::object({{"steps", std::move(steps)}})},
                       {"required", Json::array({"steps"})},
                       {"additionalProperties", false}});
}

ModelRequest request_for(const Json& item, const std::string& explanation) {
  return {.prompt = "split-steps/1",
          .system = steps_system_words,
          .user = "Title: " + first_text(item, {"title"}) +
                  "\nHistory: " + first_text(item, {"CLINICAL_HISTORY"}) + "\nFindings: " +
                  first_text(item, {"IMAGING_FINDINGS"}) + "\n\nExplanation:\n" + explanation,
          .schema = steps_reply_schema()};
}

// The steps of a reply that follows the schema, or nothing.
std::optional<std::vector<std::string>> replied_steps(const Json& reply) {
  const Json::Object* object = reply.as_object();
  const Json* steps = reply.find("steps");
  if (object == nullptr || object->size() != 1 || steps == nullptr || steps->as_array() == nullptr)
    return std::nullopt;
  const Json::Array& texts = *steps->as_array();
  if (texts.empty() || texts.size() > max_reasoning_steps) return std::nullopt;
  std::vector<std::string> out;
  for (const Json& text : texts) {
    if (text.as_string() == nullptr) return std::nullopt;
    out.push_back(white_space_collapsed(*text.as_string()));
  }
  return out;
}

void write_steps(Json& item, const std::vector<std::string>& steps) {
  Json list = Json::strings(steps);
  item.set("explanation_steps", std::move(list));
  item.set("explanation_step_count", static_cast<std::int64_t>(steps.size()));
}

// The text at a field, or at "outer.inner".
std::string text_in(const Json& item, const std::string& field) {
  const std::size_t dot = field.find('.');
  const Json* value = item.find(field);
  if (value == nullptr && dot != std::string::npos) {
    const Json* outer = item.find(field.substr(0, dot));
    if (outer != nullptr && outer->as_object() != nullptr) value = outer->find(field.substr(dot + 1));
  }
  return scalar_text(value).value_or("");
}

// What explains the answer: the field that was asked for, else the first of those that score reads.
std::string explanation_of(StageCall& call, const Json& item) {
  if (!call.strict() || call.text("field") != usual_field) return text_in(item, call.text("field"));
  for (const char* field : {"prediction_twi.step3_differential_reasoning", "prediction_rationale",
                            usual_field, "raw_output.explanation"}) {
    std::string text = text_in(item, field);
    if (!white_space_trimmed(text).empty()) return text;
  }
  return {};
}

Result<ItemStatus> split(StageCall& call, Item& item) {
  const std::string explanation = explanation_of(call, item.value);
  if (white_space_trimmed(explanation).empty()) {
    write_steps(item.value, {});
    return ItemStatus{.code = "no_explanation"};
  }
  const bool asks = call.request().replay.has_value() || !call.request().model.empty();
  std::optional<ModelReply> reply;
  if (asks) {
    FIDUCIAL_TRY(reply, call.ask(request_for(item.value, explanation), item.id()));
    if (!reply) return ItemStatus{.status = "skipped", .code = "unanswered"};
  }
  std::optional<std::vector<std::string>> steps;
  if (reply && reply->error.empty()) steps = replied_steps(reply->value);
  const bool by_fallback = !steps;
  if (by_fallback) steps = split_reasoning_steps(explanation, !call.strict());
  const bool is_cut = by_fallback && call.strict() && steps->size() == max_reasoning_steps;
  write_steps(item.value, *steps);
  ItemStatus status{.facts = Json::object({{"steps", static_cast<std::int64_t>(steps->size())},
                                           {"by", by_fallback ? "rules" : "model"}})};
  if (is_cut) {
    status.code = "steps_at_limit";
    status.detail =
        "there may be more than " + decimal(max_reasoning_steps) + " steps; the others are left out";
  }
  if (asks && by_fallback) status.code = reply->error.empty() ? "reply_invalid" : "model_error";
  if (asks && by_fallback)
    status.detail = "cut by rules: " + (reply->error.empty() ? "the reply breaks its schema" : reply->error);
  return status;
}

Outcome run_split_steps(StageCall& call) {
  return change_items(call, "CASES", [&call](Item& item) { return split(call, item); });
}

}  // namespace

Stage split_steps_stage() {
  return {
      .name = "split-steps",
      .summary = "Cut explanations into reasoning steps, by a model's replies or by rules",
      .example = "fiducial curate split-steps answers.jsonl -o steps.jsonl",
      .inputs = {{.name = "CASES", .help = "Records with an explanation (JSON, JSONL)", .required = true}},
      .options = {{.name = "field",
                   .help = "Where the explanation is; outer.inner for a field inside another. By default, in "
                           "strict mode, "
                           "also where submissions have it",
                   .fallback = usual_field}},
      .asks = true,
      .run = run_split_steps};
}

}  // namespace fiducial
