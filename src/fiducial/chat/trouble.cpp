#include <algorithm>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/utf8.h"
#include "fiducial/chat/asker.h"
#include "fiducial/chat/event_stream.h"

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
      return {.remedy = Remedy::retry,
              .message = host + " cannot be reached: " + reply.problem +
                         (reply.problem.find("wrong version number") == std::string::npos
                              ? ""
                              : "; it does not speak https")};
    case HttpReply::Failure::timeout:
      return {.remedy = Remedy::retry, .message = "no reply in time"};
    default:
      return {.remedy = Remedy::retry, .message = "the connection broke: " + reply.problem};
  }
}

// Gemini gives a rate and a day's quota one code; the quota's name tells them apart.
bool is_account_empty(const HttpReply& reply, const EndpointError& error) {
  if (reply.status == 402) return true;
  if (reply.status == 429 && reply.body.find("PerDay") != std::string::npos) return true;
  for (const char* code :
       {"insufficient_quota", "billing_error", "billing_hard_limit_reached", "billing_not_active"}) {
    if (error.code == code) return true;
  }
  return error.message.find("credit balance is too low") != std::string::npos;
}

bool is_withheld(const EndpointError& error) {
  return error.code == "content_filter" || error.code == "content_policy_violation" ||
         error.code == "ResponsibleAIPolicyViolation" || error.code == "moderation_blocked";
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

Result<Json> parse_document(std::string_view body) {
  return is_event_stream(body) ? document_of_events(body) : parse_json(body);
}

// The message in small letters, as endpoints do not agree on capitals.
std::string in_small_letters(std::string text) {
  for (char& each : text) each = is_capital(each) ? static_cast<char>(each - 'A' + 'a') : each;
  return text;
}

// A model without eyes fails every case that shows an image.
bool takes_no_images(const EndpointError& error) {
  const std::string message = in_small_letters(error.message);
  for (const char* words :
       {"image input is not supported", "is not a multimodal model", "does not support image",
        "do not support image", "support image input", "required for image input",
        "unknown variant `image_url`", "image_url is only supported"}) {
    if (message.find(words) != std::string::npos) return true;
  }
  return false;
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
  if (is_account_empty(reply, error))
    return {.remedy = Remedy::stop, .message = "the account is out of quota (" + told + ")"};
  if (request.image_count() > 0 && takes_no_images(error))
    return {.remedy = Remedy::stop,
            .message = "the model takes no images (" + told + "); --image-budget 0% asks without them"};
  if (status == 401 || status == 403)
    return {.remedy = Remedy::stop, .message = "the endpoint refuses the key (" + told + ")"};
  if (status == 404)
    return {.remedy = Remedy::stop,
            .message = "the endpoint has no model \"" + request.model + "\" or no such path as " +
                       settings.vendor->path(request) + " (" + told + ")"};
  if (status >= 300 && status < 400)
    return {.remedy = Remedy::stop,
            .message = "the endpoint points elsewhere, which is not followed (" + told + ")"};
  const bool is_throttled = status == 429 || status == 503 || status == 529;
  if (is_throttled) return {.remedy = Remedy::retry, .is_throttled = true, .message = told};
  if (status >= 500 || status == 408 || status == 409 || status == 425)
    return {.remedy = Remedy::retry, .message = told};
  if (status / 100 == 4 && is_withheld(error))
    return {.remedy = Remedy::fail, .message = withheld_error + told};
  if (is_overflow(status, error)) return {.remedy = Remedy::fail, .message = overflow_error + told};
  if (status == 400 || status == 422) {
    if (auto trouble = parameter_trouble(error, settings, request, told)) return *std::move(trouble);
  }
  return {.remedy = Remedy::fail, .message = told};
}

std::optional<HttpReply> error_in(const HttpReply& reply, const Json& document) {
  const Json* error = document.find("error");
  if (error == nullptr || error->is_null()) return std::nullopt;
  HttpReply out = reply;
  const auto code = parse_unsigned(parse_endpoint_error(reply.body).code);
  constexpr int unknown_trouble = 500;
  out.status = code && *code >= 400 && *code < 600 ? static_cast<int>(*code) : unknown_trouble;
  return out;
}

Result<Json> parse_reply_body(std::string_view body) {
  if (!first_invalid_utf8(body)) return parse_document(body);
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
  return parse_document(repaired);
}

}  // namespace fiducial
