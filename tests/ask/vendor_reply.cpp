#include "vendor_reply.h"

#include <vector>

#include "fiducial/base/number_text.h"

#include "json_members.h"

namespace fiducial::ask_test {

namespace {

constexpr std::int64_t created = 1'760'000'000;  // any moment, and always the same

std::string_view chat_end(Answer::End end) {
  switch (end) {
    case Answer::End::length:
      return "length";
    case Answer::End::filtered:
      return "content_filter";
    default:
      return "stop";
  }
}

Json text_or_null(const Answer& answer) { return answer.text ? Json(*answer.text) : Json(); }

Json chat_usage(const Answer& answer) {
  return Json::object(
      {{"prompt_tokens", answer.prompt_tokens},
       {"completion_tokens", answer.completion_tokens},
       {"total_tokens", answer.prompt_tokens + answer.completion_tokens},
       {"prompt_tokens_details", Json::object({{"cached_tokens", 0}})},
       {"completion_tokens_details", Json::object({{"reasoning_tokens", answer.reasoning_tokens}})}});
}

Json chat_body(const Asked& asked, const Answer& answer, std::uint64_t number) {
  Json message =
      Json::object({{"role", "assistant"}, {"content", text_or_null(answer)}, {"refusal", Json()}});
  if (answer.end == Answer::End::refused) message.set("content", Json()).set("refusal", text_or_null(answer));
  if (!answer.reasoning.empty()) message.set("reasoning_content", answer.reasoning);
  Json body =
      Json::object({{"id", "chatcmpl-" + decimal(number)},
                    {"object", "chat.completion"},
                    {"created", created},
                    {"model", asked.model},
                    {"choices", Json::array({Json::object({{"index", 0},
                                                           {"message", std::move(message)},
                                                           {"logprobs", Json()},
                                                           {"finish_reason", chat_end(answer.end)}})})}});
  if (answer.has_usage) body.set("usage", chat_usage(answer));
  return body;
}

Json responses_output(const Answer& answer, std::uint64_t number) {
  Json output = Json::Array{};
  if (!answer.reasoning.empty()) {
    output.push(Json::object(
        {{"id", "rs_" + decimal(number)},
         {"type", "reasoning"},
         {"summary", Json::array({Json::object({{"type", "summary_text"}, {"text", answer.reasoning}})})}}));
  }
  Json part = answer.end == Answer::End::refused
                  ? Json::object({{"type", "refusal"}, {"refusal", answer.text.value_or("")}})
                  : Json::object({{"type", "output_text"},
                                  {"text", answer.text.value_or("")},
                                  {"annotations", Json::Array{}},
                                  {"logprobs", Json::Array{}}});
  output.push(Json::object({{"id", "msg_" + decimal(number)},
                            {"type", "message"},
                            {"role", "assistant"},
                            {"status", "completed"},
                            {"content", Json::array({std::move(part)})}}));
  return output;
}

Json responses_body(const Asked& asked, const Answer& answer, std::uint64_t number) {
  const bool whole = answer.end == Answer::End::stop || answer.end == Answer::End::refused;
  Json body = Json::object(
      {{"id", "resp_" + decimal(number)},
       {"object", "response"},
       {"created_at", created},
       {"status", whole ? "completed" : "incomplete"},
       {"error", Json()},
       {"incomplete_details",
        whole ? Json()
              : Json::object({{"reason",
                               answer.end == Answer::End::length ? "max_output_tokens" : "content_filter"}})},
       {"instructions", Json()},
       {"metadata", Json::Object{}},
       {"model", asked.model},
       {"output", responses_output(answer, number)},
       {"parallel_tool_calls", true},
       {"temperature", Json()},
       {"tool_choice", "auto"},
       {"tools", Json::Array{}},
       {"top_p", Json()}});
  if (!asked.effort.empty())
    body.set("reasoning", Json::object({{"effort", asked.effort}, {"summary", Json()}}));
  if (!answer.has_usage) return body;
  return body.set(
      "usage",
      Json::object({{"input_tokens", answer.prompt_tokens},
                    {"input_tokens_details", Json::object({{"cached_tokens", 0}, {"cache_write_tokens", 0}})},
                    {"output_tokens", answer.completion_tokens},
                    {"output_tokens_details", Json::object({{"reasoning_tokens", answer.reasoning_tokens}})},
                    {"total_tokens", answer.prompt_tokens + answer.completion_tokens}}));
}

std::string_view anthropic_end(Answer::End end) {
  switch (end) {
    case Answer::End::length:
      return "max_tokens";
    case Answer::End::filtered:
    case Answer::End::refused:
      return "refusal";
    case Answer::End::stop:
      break;
  }
  return "end_turn";
}

Json anthropic_body(const Asked& asked, const Answer& answer, std::uint64_t number) {
  Json content = Json::Array{};
  if (!answer.reasoning.empty()) {
    content.push(
        Json::object({{"type", "thinking"}, {"thinking", answer.reasoning}, {"signature", "c2lnbmVk"}}));
  }
  if (answer.text)
    content.push(Json::object({{"type", "text"}, {"text", *answer.text}, {"citations", Json()}}));
  Json body = Json::object({{"id", "msg_" + decimal(number)},
                            {"type", "message"},
                            {"role", "assistant"},
                            {"model", asked.model},
                            {"content", std::move(content)},
                            {"stop_reason", anthropic_end(answer.end)},
                            {"stop_sequence", Json()}});
  if (!answer.has_usage) return body;
  return body.set("usage", Json::object({{"input_tokens", answer.prompt_tokens},
                                         {"cache_creation_input_tokens", 0},
                                         {"cache_read_input_tokens", 0},
                                         {"output_tokens", answer.completion_tokens}}));
}

std::string_view gemini_end(Answer::End end) {
  switch (end) {
    case Answer::End::length:
      return "MAX_TOKENS";
    case Answer::End::filtered:
    case Answer::End::refused:
      return "SAFETY";
    case Answer::End::stop:
      break;
  }
  return "STOP";
}

Json gemini_body(const Asked& asked, const Answer& answer, std::uint64_t number) {
  Json parts = Json::Array{};
  if (!answer.reasoning.empty()) parts.push(Json::object({{"text", answer.reasoning}, {"thought", true}}));
  if (answer.text) parts.push(Json::object({{"text", *answer.text}}));
  Json body = Json::object(
      {{"candidates", Json::array({Json::object(
                          {{"content", Json::object({{"parts", std::move(parts)}, {"role", "model"}})},
                           {"finishReason", gemini_end(answer.end)},
                           {"index", 0}})})},
       {"modelVersion", asked.model},
       {"responseId", "gemini-" + decimal(number)}});
  if (!answer.has_usage) return body;
  return body.set("usageMetadata",
                  Json::object({{"promptTokenCount", answer.prompt_tokens},
                                {"candidatesTokenCount", answer.completion_tokens - answer.reasoning_tokens},
                                {"thoughtsTokenCount", answer.reasoning_tokens},
                                {"totalTokenCount", answer.prompt_tokens + answer.completion_tokens}}));
}

std::string_view gemini_status(int status) {
  switch (status) {
    case 401:
      return "UNAUTHENTICATED";
    case 403:
      return "PERMISSION_DENIED";
    case 404:
      return "NOT_FOUND";
    case 429:
      return "RESOURCE_EXHAUSTED";
    case 500:
      return "INTERNAL";
    case 503:
      return "UNAVAILABLE";
    default:
      return "INVALID_ARGUMENT";
  }
}

std::string chat_event(const Asked& asked, std::uint64_t number, Json choices) {
  return "data: " +
         Json::object({{"id", "chatcmpl-" + decimal(number)},
                       {"object", "chat.completion.chunk"},
                       {"created", created},
                       {"model", asked.model},
                       {"choices", std::move(choices)}})
             .compact() +
         "\n\n";
}

Json chunk(Json delta, Json end) {
  return Json::array(
      {Json::object({{"index", 0}, {"delta", std::move(delta)}, {"finish_reason", std::move(end)}})});
}

}  // namespace

Json reply_body(const Asked& asked, const Answer& answer, std::uint64_t number) {
  switch (asked.vendor) {
    case Vendor::openai_chat:
      return chat_body(asked, answer, number);
    case Vendor::openai_responses:
      return responses_body(asked, answer, number);
    case Vendor::anthropic:
      return anthropic_body(asked, answer, number);
    case Vendor::gemini:
      return gemini_body(asked, answer, number);
  }
  return {};
}

namespace {

std::string named_event(const char* type, Json event) {
  return std::string("event: ") + type + "\ndata: " + event.set("type", type).compact() + "\n\n";
}

std::vector<std::string> pieces_of(const Answer& answer) {
  constexpr std::size_t piece_bytes = 7;
  std::vector<std::string> out;
  const std::string text = answer.text.value_or("");
  for (std::size_t at = 0; at < text.size(); at += piece_bytes) out.push_back(text.substr(at, piece_bytes));
  return out;
}

std::string anthropic_stream(const Asked& asked, const Answer& answer, std::uint64_t number) {
  const Json whole = anthropic_body(asked, answer, number);
  Json begin = whole;
  begin.set("content", Json::Array{}).set("stop_reason", Json());
  std::string out = named_event("message_start", Json::object({{"message", std::move(begin)}}));
  out += named_event(
      "content_block_start",
      Json::object({{"index", 0}, {"content_block", Json::object({{"type", "text"}, {"text", ""}})}}));
  for (const std::string& piece : pieces_of(answer)) {
    const Json delta = Json::object({{"type", "text_delta"}, {"text", piece}});
    out += named_event("content_block_delta", Json::object({{"index", 0}, {"delta", delta}}));
  }
  out += named_event("content_block_stop", Json::object({{"index", 0}}));
  const Json delta = Json::object({{"stop_reason", *whole.find("stop_reason")}, {"stop_sequence", Json()}});
  const Json* usage = whole.find("usage");
  out += named_event(
      "message_delta",
      Json::object({{"delta", delta}, {"usage", usage == nullptr ? Json(Json::Object{}) : *usage}}));
  return out + named_event("message_stop", Json::Object{});
}

std::string responses_stream(const Asked& asked, const Answer& answer, std::uint64_t number) {
  std::string out;
  for (const std::string& piece : pieces_of(answer))
    out += named_event("response.output_text.delta", Json::object({{"output_index", 0}, {"delta", piece}}));
  const Json whole = responses_body(asked, answer, number);
  const std::string status = text_at(whole, "status").value_or("completed");
  return out + named_event(("response." + status).c_str(), Json::object({{"response", whole}}));
}

}  // namespace

std::string stream_body(const Asked& asked, const Answer& answer, std::uint64_t number) {
  if (asked.vendor == Vendor::anthropic) return anthropic_stream(asked, answer, number);
  if (asked.vendor == Vendor::openai_responses) return responses_stream(asked, answer, number);
  std::string out = chat_event(asked, number, chunk(Json::object({{"role", "assistant"}}), Json()));
  for (const std::string& piece : pieces_of(answer))
    out += chat_event(asked, number, chunk(Json::object({{"content", piece}}), Json()));
  out += chat_event(asked, number, chunk(Json::Object{}, chat_end(answer.end)));
  if (answer.has_usage && asked.streams_usage) {
    const Json usage = Json::object({{"choices", Json::Array{}}, {"usage", chat_usage(answer)}});
    out += ": a comment keeps connections alive\n\ndata: " + usage.compact() + "\n\n";
  }
  return out + "data: [DONE]\n\n";
}

Json error_body(Vendor vendor, const Complaint& complaint) {
  if (vendor == Vendor::anthropic) {
    return Json::object({{"type", "error"},
                         {"error", Json::object({{"type", complaint.type}, {"message", complaint.message}})},
                         {"request_id", "req_1"}});
  }
  if (vendor == Vendor::gemini) {
    return Json::object({{"error", Json::object({{"code", complaint.status},
                                                 {"message", complaint.message},
                                                 {"status", gemini_status(complaint.status)}})}});
  }
  return Json::object(
      {{"error", Json::object({{"message", complaint.message},
                               {"type", complaint.type},
                               {"param", complaint.parameter.empty() ? Json() : Json(complaint.parameter)},
                               {"code", complaint.code.empty() ? Json() : Json(complaint.code)}})}});
}

}  // namespace fiducial::ask_test
