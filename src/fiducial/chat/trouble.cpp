#include <algorithm>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/utf8.h"
#include "fiducial/chat/asker.h"

namespace fiducial {

namespace {

Trouble transport_trouble(const HttpReply& reply, const AskSettings& settings) {
  const std::string host = settings.endpoint.host();
  switch (reply.failure) {
    case HttpReply::Failure::certificate:
      return {.remedy = Remedy::stop, .message = host + ": its certificate is not trusted: " + reply.problem};
    case HttpReply::Failure::too_large:
      return {.remedy = Remedy::fail, .message = reply.problem};
    case HttpReply::Failure::unreachable:
      return {.remedy = Remedy::retry, .message = host + " cannot be reached: " + reply.problem};
    case HttpReply::Failure::timeout:
      return {.remedy = Remedy::retry, .message = "no reply in time"};
    default:
      return {.remedy = Remedy::retry, .message = "the connection broke: " + reply.problem};
  }
}

bool is_account_empty(int status, const EndpointError& error) {
  return status == 402 || error.code == "insufficient_quota" || error.code == "billing_error" ||
         error.code == "billing_hard_limit_reached";
}

// A 400 that names a parameter of the request.
std::optional<Trouble> parameter_trouble(const EndpointError& error, const AskSettings& settings,
                                         const ChatRequest& request, const std::string& told) {
  const std::string refused = refused_parameter(*settings.vendor, request, error);
  if (refused.empty()) return std::nullopt;
  const bool may_drop =
      std::find(settings.allow_drop.begin(), settings.allow_drop.end(), refused) != settings.allow_drop.end();
  if (may_drop) return Trouble{.remedy = Remedy::drop_parameter, .message = told, .parameter = refused};
  return Trouble{.remedy = Remedy::stop,
                 .message = "the endpoint refuses the parameter " + refused + " (" + told +
                            "); --allow-drop " + refused +
                            " goes on without it and says so wherever the scores are",
                 .parameter = refused};
}

// The message in small letters, as endpoints do not agree on capitals.
std::string in_small_letters(std::string text) {
  for (char& each : text) each = is_capital(each) ? static_cast<char>(each - 'A' + 'a') : each;
  return text;
}

}  // namespace

// The words are those of OpenAI, Anthropic, Gemini, vLLM, SGLang, llama.cpp and Ollama.
bool is_overflow(int status, const EndpointError& error) {
  if (status == 413) return true;
  if (status != 400 && status != 422) return false;
  for (const char* code : {"context_length_exceeded", "exceed_context_size_error", "request_too_large",
                           "string_above_max_length", "too_many_images"}) {
    if (error.code == code) return true;
  }
  const std::string message = in_small_letters(error.message);
  const auto says = [&message](std::string_view words) { return message.find(words) != std::string::npos; };
  for (const char* words :
       {"maximum context length", "context window", "available context size", "maximum model length",
        "max_model_len", "prompt is too long", "input is too long", "exceeds the maximum number of tokens",
        "longer than the model's context", "payload size exceeds", "request entity too large",
        "too many images", "many images and documents", "maximum number of images"}) {
    if (says(words)) return true;
  }
  return says("at most") && says("image");  // "At most 16 image(s) may be provided in one prompt."
}

Trouble trouble_of(const HttpReply& reply, const AskSettings& settings, const ChatRequest& request) {
  if (reply.failure != HttpReply::Failure::none) return transport_trouble(reply, settings);
  const int status = reply.status;
  const EndpointError error = parse_endpoint_error(reply.body);
  const std::string told = "status " + decimal(status) + (error.message.empty() ? "" : ": " + error.message);
  if (is_account_empty(status, error))
    return {.remedy = Remedy::stop, .message = "the account is out of quota (" + told + ")"};
  if (status == 401 || status == 403)
    return {.remedy = Remedy::stop, .message = "the endpoint refuses the key (" + told + ")"};
  if (status == 404)
    return {.remedy = Remedy::stop,
            .message = "the endpoint has no model \"" + request.model + "\" or no such path (" + told + ")"};
  if (status >= 300 && status < 400)
    return {.remedy = Remedy::stop,
            .message = "the endpoint points elsewhere, which is not followed (" + told + ")"};
  const bool is_throttled = status == 429 || status == 503 || status == 529;
  if (is_throttled) return {.remedy = Remedy::retry, .is_throttled = true, .message = told};
  if (status >= 500 || status == 408 || status == 409 || status == 425)
    return {.remedy = Remedy::retry, .message = told};
  if (is_overflow(status, error)) return {.remedy = Remedy::fail, .message = overflow_error + told};
  if (status == 400 || status == 422) {
    if (auto trouble = parameter_trouble(error, settings, request, told)) return *std::move(trouble);
  }
  return {.remedy = Remedy::fail, .message = told};
}

Result<Json> parse_reply_body(std::string_view body) {
  if (!first_invalid_utf8(body)) return parse_json(body);
  std::string repaired;
  while (!body.empty()) {
    const std::size_t length = utf8_length(body);
    if (length == 0) {
      append_utf8(repaired, U'\uFFFD');
      body.remove_prefix(1);
    } else {
      repaired.append(body, 0, length);
      body.remove_prefix(length);
    }
  }
  return parse_json(repaired);
}

}  // namespace fiducial
