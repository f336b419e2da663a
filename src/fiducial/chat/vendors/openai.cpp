#include "fiducial/base/json_fields.h"
#include "fiducial/chat/batch_language.h"
#include "fiducial/chat/request_body.h"

namespace fiducial {

Vendor openai_vendor();
Vendor compatible_vendor();

namespace {

Json openai_part(const ChatPart& part, RequestBody& body) {
  if (!part.image) return Json::object({{"type", "text"}, {"text", part.text}});
  const std::string url = "data:" + part.image->media_type + ";base64," + body.base64_of(*part.image);
  return Json::object({{"type", "image_url"}, {"image_url", Json::object({{"url", url}})}});
}

// A message of texts alone is one text, which every server takes; parts only where there are pictures.
Json openai_message(const ChatMessage& message, RequestBody& body) {
  Json::Array parts;
  bool has_image = false;
  for (const ChatPart& part : message.parts) {
    has_image = has_image || part.image.has_value();
    parts.push_back(openai_part(part, body));
  }
  Json content = has_image ? Json(std::move(parts)) : Json(text_of(message));
  return Json::object({{"role", to_string(message.role)}, {"content", std::move(content)}});
}

Result<std::string> body_for(const Vendor& vendor, const ChatRequest& request, const ImageBytes& images) {
  RequestBody body(request);
  Json::Array messages;
  for (const ChatMessage& message : request.messages) messages.push_back(openai_message(message, body));
  Json out = Json::object({{"model", request.model}, {"messages", std::move(messages)}});
  FIDUCIAL_TRY_DONE(set_parameters(vendor, request, out));
  if (out.find("top_logprobs") != nullptr) out.set("logprobs", true);
  if (!request.schema.is_null()) {
    out.set("response_format",
            Json::object({{"type", "json_schema"},
                          {"json_schema", Json::object({{"name", "reply"},
                                                        {"strict", true},
                                                        {"schema", schema_for(vendor, request)}})}}));
  }
  return body.text(out, images);
}

std::int64_t detail(const Json& usage, const char* group, const char* name) {
  const Json* details = usage.find(group);
  return details == nullptr ? 0 : token_count(*details, name);
}

TokenUsage openai_usage(const Json& document) {
  const Json* usage = document.find("usage");
  if (usage == nullptr || usage->as_object() == nullptr) return {};
  return {.prompt = token_count(*usage, "prompt_tokens"),
          .cached = detail(*usage, "prompt_tokens_details", "cached_tokens"),
          .completion = token_count(*usage, "completion_tokens"),
          .reasoning = detail(*usage, "completion_tokens_details", "reasoning_tokens")};
}

// The text of a message: a string, null, or a list of parts.
std::string openai_text(const Json& message) {
  const Json* content = message.find("content");
  if (content == nullptr) return {};
  if (content->as_string() != nullptr) return *content->as_string();
  if (content->as_array() == nullptr) return {};
  std::string out;
  for (const Json& part : *content->as_array()) out += text_at(part, "text");
  return out;
}

Result<ChatReply> openai_reply(const Json& document) {
  const Json::Array* choices = find_array(document, "choices");
  if (choices == nullptr || choices->empty()) return invalid_data("the reply has no \"choices\"");
  const Json& choice = choices->front();
  const Json* message = choice.find("message");
  if (message == nullptr || message->as_object() == nullptr)
    return invalid_data("the reply's choice has no \"message\"");
  const std::string finish = text_at(choice, "finish_reason");
  ChatReply out{.text = openai_text(*message),
                .finish = finish == "content_filter" ? withheld : finish,
                .usage = openai_usage(document),
                .model = text_at(document, "model"),
                .logprobs = {}};
  const std::string refusal = text_at(*message, "refusal");
  if (out.text.empty() && !refusal.empty()) {
    out.text = refusal;
    out.finish = "refusal";
  }
  const Json* logprobs = choice.find("logprobs");
  const Json* tokens = logprobs == nullptr ? nullptr : logprobs->find("content");
  if (tokens != nullptr && tokens->as_array() != nullptr) out.logprobs = *tokens;
  return out;
}

}  // namespace

Vendor openai_vendor() {
  return {.id = "openai",
          .title = "OpenAI chat completions: OpenAI and Azure",
          .base = "https://HOST/v1",
          .key_names = {"OPENAI_API_KEY"},
          .parameters = {{"temperature", "temperature"},
                         {"top_p", "top_p"},
                         {"max_tokens", "max_completion_tokens"},
                         {"seed", "seed"},
                         {"effort", "reasoning_effort"},
                         {"logprobs", "top_logprobs"},
                         {"schema", "response_format"}},
          .streaming =
              Json::object({{"stream", true}, {"stream_options", Json::object({{"include_usage", true}})}}),
          .path = [](const ChatRequest&) -> std::string { return "/chat/completions"; },
          .headers = [](const std::string& key) -> std::vector<std::string> {
            if (key.empty()) return {};
            return {"Authorization: Bearer " + key};
          },
          .body =
              [](const ChatRequest& request, const ImageBytes& images) {
                static const Vendor vendor = openai_vendor();
                return body_for(vendor, request, images);
              },
          .reply = openai_reply,
          .batches = openai_batches};
}

// Servers that speak the same language know the older name of the token limit, and some of them no other.
Vendor compatible_vendor() {
  Vendor out = openai_vendor();
  out.id = "compatible";
  out.takes_text_bounds = true;
  out.title = "Servers that speak OpenAI's chat completions: vLLM, SGLang, llama.cpp, Ollama";
  for (auto& [ours, theirs] : out.parameters) {
    if (ours == "max_tokens") theirs = "max_tokens";
  }
  out.batches = nullptr;
  out.body = [](const ChatRequest& request, const ImageBytes& images) {
    static const Vendor vendor = compatible_vendor();
    return body_for(vendor, request, images);
  };
  return out;
}

}  // namespace fiducial
