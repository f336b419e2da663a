#include "fiducial/base/json_fields.h"
#include "fiducial/chat/batch_language.h"
#include "fiducial/chat/request_body.h"

namespace fiducial {

Vendor responses_vendor();

namespace {

Json responses_part(const ChatPart& part, ChatMessage::Role role, RequestBody& body) {
  if (part.image) {
    const std::string url = "data:" + part.image->media_type + ";base64," + body.base64_of(*part.image);
    return Json::object({{"type", "input_image"}, {"image_url", url}, {"detail", "auto"}});
  }
  const char* type = role == ChatMessage::Role::assistant ? "output_text" : "input_text";
  return Json::object({{"type", type}, {"text", part.text}});
}

Result<std::string> responses_body(const ChatRequest& request, const ImageBytes& images) {
  RequestBody body(request);
  Json::Array input;
  for (const ChatMessage& message : request.messages) {
    Json::Array parts;
    for (const ChatPart& part : message.parts) parts.push_back(responses_part(part, message.role, body));
    input.push_back(Json::object({{"role", to_string(message.role)}, {"content", std::move(parts)}}));
  }
  // Nothing is to be kept on the other side.
  Json out = Json::object({{"model", request.model}, {"input", std::move(input)}, {"store", false}});
  static const Vendor vendor = responses_vendor();
  FIDUCIAL_TRY_DONE(set_parameters(vendor, request, out));
  if (!request.schema.is_null()) {
    Json format = Json::object({{"type", "json_schema"},
                                {"name", "reply"},
                                {"strict", true},
                                {"schema", schema_for(responses_vendor(), request)}});
    out.set("text", Json::object({{"format", std::move(format)}}));
  }
  return body.text(out, images);
}

std::string responses_finish(const Json& document) {
  if (text_at(document, "status") == "completed") return finished;
  const Json* details = document.find("incomplete_details");
  const std::string reason = details == nullptr ? std::string() : text_at(*details, "reason");
  if (reason == "max_output_tokens") return cut_off;
  return reason == "content_filter" ? withheld : text_at(document, "status");
}

TokenUsage responses_usage(const Json& document) {
  const Json* usage = document.find("usage");
  if (usage == nullptr || usage->as_object() == nullptr) return {};
  const auto detail = [usage](const char* group, const char* name) {
    const Json* details = usage->find(group);
    return details == nullptr ? 0 : token_count(*details, name);
  };
  return {.prompt = token_count(*usage, "input_tokens"),
          .cached = detail("input_tokens_details", "cached_tokens"),
          .completion = token_count(*usage, "output_tokens"),
          .reasoning = detail("output_tokens_details", "reasoning_tokens")};
}

Result<ChatReply> responses_reply(const Json& document) {
  const Json::Array* output = find_array(document, "output");
  if (output == nullptr) return invalid_data("the reply has no \"output\"");
  ChatReply out{.text = {},
                .finish = responses_finish(document),
                .usage = responses_usage(document),
                .model = text_at(document, "model"),
                .logprobs = {}};
  for (const Json& item : *output) {
    const Json::Array* content = text_at(item, "type") == "message" ? find_array(item, "content") : nullptr;
    if (content == nullptr) continue;
    for (const Json& part : *content) {
      const std::string refusal = text_at(part, "refusal");
      out.text += refusal.empty() ? text_at(part, "text") : refusal;
      if (!refusal.empty()) out.finish = "refusal";
      if (const Json* logprobs = part.find("logprobs");
          logprobs != nullptr && logprobs->as_array() != nullptr)
        out.logprobs = *logprobs;
    }
  }
  return out;
}

}  // namespace

Vendor responses_vendor() {
  return {.id = "responses",
          .title = "OpenAI responses",
          .base = "https://HOST/v1",
          .key_names = {"OPENAI_API_KEY"},
          .parameters = {{"temperature", "temperature"},
                         {"top_p", "top_p"},
                         {"max_tokens", "max_output_tokens"},
                         {"effort", "reasoning.effort"},
                         {"logprobs", "top_logprobs"},
                         {"schema", "text.format"}},
          .streaming = Json::object({{"stream", true}}),
          .path = [](const ChatRequest&) -> std::string { return "/responses"; },
          .headers = [](const std::string& key) -> std::vector<std::string> {
            if (key.empty()) return {};
            return {"Authorization: Bearer " + key};
          },
          .body = responses_body,
          .reply = responses_reply,
          .batches = openai_batches};
}

}  // namespace fiducial
