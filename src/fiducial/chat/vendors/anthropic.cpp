#include "fiducial/base/json_fields.h"
#include "fiducial/chat/batch_language.h"
#include "fiducial/chat/request_body.h"

namespace fiducial {

Vendor anthropic_vendor();

namespace {

// The limit is no choice there; where none is given it is this one (docs/ask.md).
constexpr std::int64_t anthropic_max_tokens = 4096;

Json anthropic_part(const ChatPart& part, RequestBody& body) {
  if (!part.image) return Json::object({{"type", "text"}, {"text", part.text}});
  Json source = Json::object(
      {{"type", "base64"}, {"media_type", part.image->media_type}, {"data", body.base64_of(*part.image)}});
  return Json::object({{"type", "image"}, {"source", std::move(source)}});
}

Result<std::string> anthropic_body(const ChatRequest& request, const ImageBytes& images) {
  RequestBody body(request);
  std::string system;
  Json::Array messages;
  for (const ChatMessage& message : request.messages) {
    if (message.role == ChatMessage::Role::system) {
      system += (system.empty() ? "" : "\n\n") + text_of(message);
      continue;
    }
    Json::Array parts;
    for (const ChatPart& part : message.parts) parts.push_back(anthropic_part(part, body));
    messages.push_back(Json::object({{"role", to_string(message.role)}, {"content", std::move(parts)}}));
  }
  Json out = Json::object({{"model", request.model}, {"max_tokens", anthropic_max_tokens}});
  if (!system.empty()) out.set("system", system);
  out.set("messages", std::move(messages));
  static const Vendor vendor = anthropic_vendor();
  FIDUCIAL_TRY_DONE(set_parameters(vendor, request, out));
  if (!request.schema.is_null()) {
    const Json* before = out.find("output_config");
    Json config = before == nullptr ? Json(Json::Object{}) : *before;
    config.set("format",
               Json::object({{"type", "json_schema"}, {"schema", schema_for(anthropic_vendor(), request)}}));
    out.set("output_config", std::move(config));
  }
  return body.text(out, images);
}

std::string anthropic_finish(const std::string& reason) {
  if (reason == "end_turn" || reason == "stop_sequence") return finished;
  if (reason == "max_tokens" || reason == "model_context_window_exceeded") return cut_off;
  return reason;  // "refusal" is the same word
}

Result<ChatReply> anthropic_reply(const Json& document) {
  const Json::Array* content = find_array(document, "content");
  if (content == nullptr) return invalid_data("the reply has no \"content\"");
  ChatReply out{.text = {},
                .finish = anthropic_finish(text_at(document, "stop_reason")),
                .usage = {},
                .model = text_at(document, "model"),
                .logprobs = {}};
  for (const Json& part : *content) {
    if (text_at(part, "type") == "text") out.text += text_at(part, "text");
  }
  if (const Json* usage = document.find("usage")) {
    const std::int64_t cached = token_count(*usage, "cache_read_input_tokens");
    out.usage = {.prompt = token_count(*usage, "input_tokens") + cached +
                           token_count(*usage, "cache_creation_input_tokens"),
                 .cached = cached,
                 .completion = token_count(*usage, "output_tokens")};
  }
  return out;
}

}  // namespace

Vendor anthropic_vendor() {
  return {.id = "anthropic",
          .title = "Anthropic messages",
          .base = "https://api.anthropic.com/v1",
          .key_names = {"ANTHROPIC_API_KEY", "CLAUDE_KEY"},
          .parameters = {{"temperature", "temperature"},
                         {"top_p", "top_p"},
                         {"max_tokens", "max_tokens"},
                         {"effort", "output_config.effort"},
                         {"schema", "output_config.format"}},
          .streaming = Json::object({{"stream", true}}),
          .path = [](const ChatRequest&) -> std::string { return "/messages"; },
          .headers = [](const std::string& key) -> std::vector<std::string> {
            std::vector<std::string> out{"anthropic-version: 2023-06-01"};
            if (!key.empty()) out.push_back("x-api-key: " + key);
            return out;
          },
          .body = anthropic_body,
          .reply = anthropic_reply,
          .batches = anthropic_batches};
}

}  // namespace fiducial
