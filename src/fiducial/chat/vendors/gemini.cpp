#include "fiducial/base/json_fields.h"
#include "fiducial/chat/batch_language.h"
#include "fiducial/chat/request_body.h"

namespace fiducial {

Vendor gemini_vendor();

namespace {

Json gemini_parts(const ChatMessage& message, RequestBody& body) {
  Json::Array out;
  for (const ChatPart& part : message.parts) {
    if (!part.image) {
      out.push_back(Json::object({{"text", part.text}}));
      continue;
    }
    Json bytes = Json::object({{"mimeType", part.image->media_type}, {"data", body.base64_of(*part.image)}});
    out.push_back(Json::object({{"inlineData", std::move(bytes)}}));
  }
  return out;
}

Result<std::string> gemini_body(const ChatRequest& request, const ImageBytes& images) {
  RequestBody body(request);
  Json out = Json::Object{};
  Json::Array contents;
  for (const ChatMessage& message : request.messages) {
    Json parts = gemini_parts(message, body);
    if (message.role == ChatMessage::Role::system) {
      out.set("systemInstruction", Json::object({{"parts", std::move(parts)}}));
      continue;
    }
    const char* role = message.role == ChatMessage::Role::assistant ? "model" : "user";
    contents.push_back(Json::object({{"role", role}, {"parts", std::move(parts)}}));
  }
  out.set("contents", std::move(contents));
  static const Vendor vendor = gemini_vendor();
  FIDUCIAL_TRY_DONE(set_parameters(vendor, request, out));
  if (!request.schema.is_null()) {
    const Json* before = out.find("generationConfig");
    Json config = before == nullptr ? Json(Json::Object{}) : *before;
    config.set("responseMimeType", "application/json")
        .set("responseJsonSchema", schema_for(gemini_vendor(), request));
    out.set("generationConfig", std::move(config));
  }
  return body.text(out, images);
}

std::string gemini_finish(const std::string& reason) {
  if (reason == "STOP") return finished;
  if (reason == "MAX_TOKENS") return cut_off;
  for (const char* hidden :
       {"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"}) {
    if (reason == hidden) return withheld;
  }
  return reason;
}

TokenUsage gemini_usage(const Json& document) {
  const Json* usage = document.find("usageMetadata");
  if (usage == nullptr) return {};
  const std::int64_t thoughts = token_count(*usage, "thoughtsTokenCount");
  return {.prompt = token_count(*usage, "promptTokenCount"),
          .cached = token_count(*usage, "cachedContentTokenCount"),
          .completion = token_count(*usage, "candidatesTokenCount") + thoughts,
          .reasoning = thoughts};
}

Result<ChatReply> gemini_reply(const Json& document) {
  ChatReply out{.text = {},
                .finish = {},
                .usage = gemini_usage(document),
                .model = text_at(document, "modelVersion"),
                .logprobs = {}};
  const Json::Array* candidates = find_array(document, "candidates");
  if (candidates == nullptr || candidates->empty()) {
    const Json* feedback = document.find("promptFeedback");
    if (feedback == nullptr) return invalid_data("the reply has no \"candidates\"");
    out.finish = withheld;
    return out;
  }
  const Json& candidate = candidates->front();
  out.finish = gemini_finish(text_at(candidate, "finishReason"));
  const Json* content = candidate.find("content");
  const Json::Array* parts = content == nullptr ? nullptr : find_array(*content, "parts");
  if (parts == nullptr) return out;
  for (const Json& part : *parts) {
    if (!flag_at(part, "thought").value_or(false)) out.text += text_at(part, "text");
  }
  return out;
}

}  // namespace

Vendor gemini_vendor() {
  return {.id = "gemini",
          .title = "Gemini",
          .base = "https://generativelanguage.googleapis.com/v1beta",
          .key_names = {"GEMINI_API_KEY", "GOOGLE_API_KEY"},
          .parameters = {{"temperature", "generationConfig.temperature"},
                         {"top_p", "generationConfig.topP"},
                         {"max_tokens", "generationConfig.maxOutputTokens"},
                         {"seed", "generationConfig.seed"},
                         {"effort", "generationConfig.thinkingConfig.thinkingLevel"},
                         {"schema", "generationConfig.responseJsonSchema"}},
          .streaming = {},
          .path = [](const ChatRequest& request) { return "/models/" + request.model + ":generateContent"; },
          .headers = [](const std::string& key) -> std::vector<std::string> {
            if (key.empty()) return {};
            return {"x-goog-api-key: " + key};
          },
          .body = gemini_body,
          .reply = gemini_reply,
          .batches = gemini_batches};
}

}  // namespace fiducial
