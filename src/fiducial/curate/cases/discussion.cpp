#include "fiducial/curate/cases/discussion_edit.h"
#include "fiducial/curate/engine/item_fields.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

constexpr const char* discussion_system_words =
    "Edit a case discussion as little as possible: delete clauses and sentences about the extra diagnoses, "
    "never material "
    "about the allowed ones, and add nothing. Answer with JSON: discussion_new, the whole edited text.";

Json discussion_reply_schema() {
  return Json::object({{"type", "object"},
                       {"properties", Json::object({{"discussion_new", Json::object({{"type", "string"}})}})},
                       {"required", Json::array({"discussion_new"})}});
}

ModelRequest request_for(const DiscussionEdit& editing) {
  std::string user = "Allowed diagnoses:\n";
  for (const std::string& each : editing.allowed) user += "- " + each + "\n";
  user += "\nExtra diagnoses:\n";
  for (const std::string& each : editing.extras) user += "- " + each + "\n";
  user += "\nDiscussion:\n" + editing.before;
  return {.prompt = "discussion/1",
          .system = discussion_system_words,
          .user = std::move(user),
          .schema = discussion_reply_schema()};
}

Result<ItemStatus> cut_discussion(StageCall& call, Item& item) {
  const std::size_t diagnoses = differential_diagnoses(item.value, call.strict()).size();
  const DiscussionEdit editing = discussion_edit(item.value, call.strict());
  if (diagnoses <= 5 || editing.extras.empty()) return ItemStatus{.code = "nothing_to_cut"};
  FIDUCIAL_TRY(const std::optional<ModelReply> reply, call.ask(request_for(editing), item.id()));
  if (!reply) return ItemStatus{.status = "skipped", .code = "unanswered"};
  const std::string after = scalar_text(reply->value.find("discussion_new")).value_or("");
  const bool has_failed = !reply->error.empty() || white_space_trimmed(after).empty();
  if (!call.strict()) {
    if (has_failed) return ItemStatus{.code = "kept_silently"};
    item.value.set(editing.field, after);
    return ItemStatus{.status = "changed"};
  }
  if (has_failed) {
    return ItemStatus{.status = reply->error.empty() ? "invalid" : "error",
                      .code = reply->error.empty() ? "reply_empty" : "model_error",
                      .detail = reply->error};
  }
  if (auto refused = objection_to_cut(editing, after)) return *refused;
  item.value.set(editing.field, after);
  return ItemStatus{.status = "changed",
                    .facts = Json::object({{"removed", removed_sentences(editing, after)}})};
}

Outcome run_discussion(StageCall& call) {
  return change_items(
      call, "CASES", [&call](Item& item) { return cut_discussion(call, item); }, true);
}

}  // namespace

Stage discussion_stage() {
  return {.name = "discussion",
          .summary = "Cut discussions to the five options, by a model's replies",
          .example = "fiducial curate discussion cases.json --replay replies.jsonl -o cut.json",
          .inputs = {{.name = "CASES",
                      .help = "Cases with DIF_DIAGNOSIS_LIST and options (JSON, JSONL)",
                      .required = true}},
          .asks = true,
          .run = run_discussion};
}

}  // namespace fiducial
