#include <map>

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

// History and findings of cases by their title, for records that have none of their own.
using CaseContexts = std::map<std::string, Json>;

std::string context_in(const Json& item, const CaseContexts& contexts,
                       std::initializer_list<const char*> fields) {
  std::string own = first_text(item, fields);
  if (!own.empty()) return own;
  const auto found = contexts.find(first_text(item, {"title"}));
  return found == contexts.end() ? own : first_text(found->second, fields);
}

ModelRequest request_for(const Json& item, const CaseContexts& contexts, const std::string& explanation) {
  return {.prompt = "split-steps/1",
          .system = steps_system_words,
          .user = "Title: " + first_text(item, {"title"}) +
                  "\nHistory: " + context_in(item, contexts, {"CLINICAL_HISTORY", "clinical_history"}) +
                  "\nFindings: " + context_in(item, contexts, {"IMAGING_FINDINGS", "imaging_findings"}) +
                  "\n\nExplanation:\n" + explanation,
          .schema = steps_reply_schema()};
}

Result<CaseContexts> read_contexts(StageCall& call) {
  CaseContexts out;
  if (!call.has("context")) return out;
  const Path path = call.text("context");
  FIDUCIAL_TRY(ItemReader reader, call.open_items("context", path));
  while (true) {
    FIDUCIAL_TRY(const std::optional<Item> item, reader.next());
    if (!item) break;
    Json kept = Json::Object{};
    for (const char* field :
         {"CLINICAL_HISTORY", "clinical_history", "IMAGING_FINDINGS", "imaging_findings"}) {
      if (const Json* value = item->value.find(field)) kept.set(field, *value);
    }
    out.emplace(first_text(item->value, {"title"}), std::move(kept));
  }
  FIDUCIAL_TRY_DONE(call.close_items("context", path, reader));
  return out;
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

Result<ItemStatus> split(StageCall& call, const CaseContexts& contexts, Item& item) {
  const std::string explanation = explanation_of(call, item.value);
  if (white_space_trimmed(explanation).empty()) {
    write_steps(item.value, {});
    return ItemStatus{.code = "no_explanation"};
  }
  const bool asks = call.request().replay.has_value() || !call.request().model.empty();
  std::optional<ModelReply> reply;
  if (asks) {
    FIDUCIAL_TRY(reply, call.ask(request_for(item.value, contexts, explanation), item.id()));
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
  FIDUCIAL_TRY(const CaseContexts contexts, read_contexts(call));
  return change_items(
      call, "CASES", [&](Item& item) { return split(call, contexts, item); }, true);
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
                   .fallback = usual_field},
                  {.name = "context",
                   .help = "Cases (JSON, JSONL) whose history and findings stand in the requests, by title, "
                           "where the records have none",
                   .is_path = true}},
      .asks = true,
      .run = run_split_steps};
}

}  // namespace fiducial
