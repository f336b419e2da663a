#include "fiducial/chat/vendor.h"

#include <gtest/gtest.h>

#include "fiducial/base/json_fields.h"
#include "fiducial/chat/asker.h"
#include "fiducial/chat/chat_example.h"
#include "fiducial/chat/effort.h"
#include "fiducial/chat/reply_schema.h"

namespace fiducial {
namespace {

const Vendor& vendor(const char* id) { return **find_vendor(id); }

ChatReply reply_of(const char* id, const char* document) { return *vendor(id).reply(*parse_json(document)); }

TEST(Vendors, write_the_body_of_openai) {
  ChatRequest request = example_request();
  request.schema = Json::object({{"type", "object"}});
  EXPECT_EQ(
      *vendor("openai").body(request, example_bytes),
      R"({"model":"m-1","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":[)"
      R"({"type":"text","text":"What is \"this\"?"},)"
      R"({"type":"image_url","image_url":{"url":"data:image/png;base64,AQIDBA=="}}]}],)"
      R"("temperature":0.5,"max_completion_tokens":64,)"
      R"("response_format":{"type":"json_schema","json_schema":{"name":"reply","strict":true,"schema":{"type":"object"}}}})");
}

TEST(Vendors, get_bounds_of_texts_only_where_they_take_them) {
  ChatRequest request = example_request();
  request.schema = exact_object_schema({{"maxLength", bounded_text_schema(2, 300)}});
  for (const Vendor& each : all_vendors()) {
    const std::string body = *each.body(request, example_bytes);
    EXPECT_EQ(body.find(R"("maxLength":300)") != std::string::npos, each.id == "compatible") << each.id;
    EXPECT_NE(body.find(R"("maxLength":{"type":"string")"), std::string::npos) << each.id;
  }
}

TEST(Vendors, get_another_seed_with_every_sample) {
  ChatRequest request = example_request();
  request.parameters.set("seed", 5);
  request.sample = 2;
  EXPECT_NE(vendor("openai").body(request, example_bytes)->find(R"("seed":7)"), std::string::npos);
}

TEST(Vendors, take_members_of_extra_as_they_are) {
  ChatRequest request = example_request();
  request.parameters = Json::object(
      {{"extra", Json::object({{"chat_template_kwargs", Json::object({{"enable_thinking", false}})}})}});
  const Json body = *parse_json(*vendor("compatible").body(request, example_bytes));
  EXPECT_EQ(body.find("chat_template_kwargs")->compact(), R"({"enable_thinking":false})");
}

TEST(Vendors, refuse_a_parameter_they_have_no_name_for) {
  ChatRequest request = example_request();
  request.parameters.set("humour", 1);
  for (const Vendor& each : all_vendors()) EXPECT_FALSE(each.body(request, example_bytes).ok()) << each.id;
}

TEST(Vendors, send_a_key_in_a_header_and_nothing_without_one) {
  for (const Vendor& each : all_vendors()) {
    const auto headers = each.headers("s3cret");
    EXPECT_TRUE(std::any_of(headers.begin(), headers.end(), [](const std::string& header) {
      return header.ends_with("s3cret");
    })) << each.id;
    EXPECT_FALSE(each.key_names.empty());
  }
}

TEST(Vendors, read_replies_of_openai) {
  const ChatReply reply = reply_of("openai", R"({"model":"m-1-2026","choices":[{"message":{"content":"B"},
    "finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":3,
    "prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":2}}})");
  EXPECT_EQ(reply.text, "B");
  EXPECT_EQ(reply.finish, "stop");
  EXPECT_EQ(reply.model, "m-1-2026");
  EXPECT_EQ(reply.usage, (TokenUsage{9, 4, 3, 2}));
}

TEST(Vendors, read_what_servers_leave_out) {
  EXPECT_EQ(reply_of("openai", R"({"choices":[{"message":{"content":null,"refusal":"no"}}]})").finish,
            "refusal");
  EXPECT_EQ(
      reply_of("openai", R"({"choices":[{"message":{"content":[{"type":"text","text":"x"}]}}],"usage":null})")
          .text,
      "x");
  EXPECT_EQ(reply_of("openai", R"({"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]})")
                .finish,
            withheld);
  EXPECT_FALSE(vendor("openai").reply(*parse_json(R"({"choices":[]})")).ok());
  EXPECT_FALSE(vendor("openai").reply(*parse_json(R"([1])")).ok());
}

TEST(Vendors, count_no_tokens_that_cannot_be) {
  EXPECT_EQ(reply_of("openai", R"({"choices":[{"message":{"content":"B"}}],"usage":{"prompt_tokens":-5,
    "completion_tokens":9223372036854775807}})")
                .usage,
            (TokenUsage{}));
  EXPECT_EQ(reply_of("openai", R"({"choices":[{"message":{"content":"B"}}],"usage":{"prompt_tokens":"many",
    "completion_tokens":3}})")
                .usage,
            (TokenUsage{0, 0, 3, 0}));
}

ChatRequest full_request() {
  ChatRequest out = example_request();
  out.parameters = Json::object({{"temperature", 0.5}, {"max_tokens", 64}, {"effort", "low"}});
  out.schema = Json::object({{"type", "object"}});
  out.messages.push_back({.role = ChatMessage::Role::assistant, .parts = {{.text = "B", .image = {}}}});
  return out;
}

TEST(Vendors, write_the_body_of_responses) {
  EXPECT_EQ(
      *vendor("responses").body(full_request(), example_bytes),
      R"({"model":"m-1","input":[{"role":"system","content":[{"type":"input_text","text":"Be brief."}]},)"
      R"({"role":"user","content":[{"type":"input_text","text":"What is \"this\"?"},)"
      R"({"type":"input_image","image_url":"data:image/png;base64,AQIDBA==","detail":"auto"}]},)"
      R"({"role":"assistant","content":[{"type":"output_text","text":"B"}]}],"store":false,"temperature":0.5,)"
      R"("max_output_tokens":64,"reasoning":{"effort":"low"},)"
      R"("text":{"format":{"type":"json_schema","name":"reply","strict":true,"schema":{"type":"object"}}}})");
}

TEST(Vendors, write_the_body_of_anthropic) {
  EXPECT_EQ(
      *vendor("anthropic").body(full_request(), example_bytes),
      R"({"model":"m-1","max_tokens":64,"system":"Be brief.","messages":[{"role":"user","content":[)"
      R"({"type":"text","text":"What is \"this\"?"},{"type":"image","source":{"type":"base64",)"
      R"("media_type":"image/png","data":"AQIDBA=="}}]},{"role":"assistant","content":[{"type":"text","text":"B"}]}],)"
      R"("temperature":0.5,"output_config":{"effort":"low","format":{"type":"json_schema","schema":{"type":"object"}}}})");
}

TEST(Vendors, write_the_body_of_gemini) {
  EXPECT_EQ(
      *vendor("gemini").body(full_request(), example_bytes),
      R"({"systemInstruction":{"parts":[{"text":"Be brief."}]},"contents":[{"role":"user","parts":[)"
      R"({"text":"What is \"this\"?"},{"inlineData":{"mimeType":"image/png","data":"AQIDBA=="}}]},)"
      R"({"role":"model","parts":[{"text":"B"}]}],"generationConfig":{"temperature":0.5,"maxOutputTokens":64,)"
      R"("thinkingConfig":{"thinkingLevel":"low"},"responseMimeType":"application/json",)"
      R"("responseJsonSchema":{"type":"object"}}})");
  EXPECT_EQ(vendor("gemini").path(full_request()), "/models/m-1:generateContent");
}

TEST(Vendors, read_replies_of_responses) {
  const ChatReply reply =
      reply_of("responses", R"({"status":"completed","model":"m","output":[{"type":"reasoning"},
    {"type":"message","content":[{"type":"output_text","text":"B"}]}],"usage":{"input_tokens":9,"output_tokens":3,
    "input_tokens_details":{"cached_tokens":4},"output_tokens_details":{"reasoning_tokens":2}}})");
  EXPECT_EQ(reply.text + reply.finish, "Bstop");
  EXPECT_EQ(reply.usage, (TokenUsage{9, 4, 3, 2}));
  EXPECT_EQ(
      reply_of("responses",
               R"({"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]})")
          .finish,
      cut_off);
  EXPECT_EQ(
      reply_of(
          "responses",
          R"({"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"no"}]}]})")
          .finish,
      "refusal");
}

TEST(Vendors, read_replies_of_anthropic) {
  const ChatReply reply =
      reply_of("anthropic", R"({"model":"m","content":[{"type":"thinking","thinking":"A?"},
    {"type":"text","text":"B"}],"stop_reason":"end_turn","usage":{"input_tokens":5,"cache_read_input_tokens":4,"output_tokens":3}})");
  EXPECT_EQ(reply.text + reply.finish, "Bstop");
  EXPECT_EQ(reply.usage, (TokenUsage{9, 4, 3, 0}));
  EXPECT_EQ(reply_of("anthropic", R"({"content":[],"stop_reason":"max_tokens"})").finish, cut_off);
}

TEST(Vendors, read_replies_of_gemini) {
  const ChatReply reply =
      reply_of("gemini", R"({"candidates":[{"content":{"parts":[{"text":"A?","thought":true},{"text":"B"}]},
    "finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"cachedContentTokenCount":4,"candidatesTokenCount":1,
    "thoughtsTokenCount":2},"modelVersion":"m"})");
  EXPECT_EQ(reply.text + reply.finish, "Bstop");
  EXPECT_EQ(reply.usage, (TokenUsage{9, 4, 3, 2}));
  EXPECT_EQ(reply_of("gemini", R"({"promptFeedback":{"blockReason":"SAFETY"}})").finish, withheld);
  EXPECT_EQ(reply_of("gemini", R"({"candidates":[{"finishReason":"MAX_TOKENS"}]})").finish, cut_off);
}

TEST(Efforts, are_refused_to_models_that_do_not_take_them) {
  EXPECT_TRUE(check_effort("gpt-5.2-2025-12-11", "xhigh").ok());
  EXPECT_FALSE(check_effort("gpt-5.2-pro", "low").ok());
  EXPECT_TRUE(check_effort("gpt-5.4-mini", "none").ok());
  EXPECT_FALSE(check_effort("gpt-5.4", "minimal").ok());
  EXPECT_TRUE(check_effort("gpt-5.9", "minimal").ok());  // nobody here knows what it takes
  EXPECT_TRUE(check_effort("claude-opus-4-7", "xhigh").ok());
  EXPECT_EQ(check_effort("gpt-5-mini", "none").error().message(),
            "--effort none: gpt-5-mini takes minimal, low, medium, high");
  EXPECT_TRUE(check_effort("my-model", "whatever").ok());
}

TEST(EndpointErrors, are_read_in_every_form) {
  EXPECT_EQ(parse_endpoint_error(R"({"error":{"message":"no","code":"c","param":"p"}})").parameter, "p");
  EXPECT_EQ(parse_endpoint_error(R"({"error":"no"})").message, "no");
  EXPECT_EQ(parse_endpoint_error(R"([{"error":{"message":"no","code":429}}])").code, "429");
  EXPECT_EQ(parse_endpoint_error("<html>\n502</html>").message, "<html> 502</html>");
  EXPECT_EQ(parse_endpoint_error(R"({"detail":"Not Found"})").message, "Not Found");
}

std::string refused(const char* id, const char* body) {
  ChatRequest request = example_request();
  request.parameters.set("effort", "high");
  request.schema = Json::Object{};
  return refused_parameter(vendor(id), request, parse_endpoint_error(body));
}

TEST(EndpointErrors, name_the_parameter_that_is_refused) {
  EXPECT_EQ(refused("openai", R"({"error":{"message":"x","param":"temperature"}})"), "temperature");
  EXPECT_EQ(refused("openai", R"({"error":{"message":"Unrecognized request argument: reasoning_effort"}})"),
            "effort");
  EXPECT_EQ(refused("openai", R"({"error":{"message":"Unsupported 'response_format.type'"}})"), "schema");
  EXPECT_EQ(refused("responses", R"({"error":{"message":"x","param":"reasoning.effort"}})"), "effort");
  EXPECT_EQ(
      refused("gemini", R"({"error":{"message":"Unknown name \"thinkingLevel\" at 'generation_config'"}})"),
      "effort");
  EXPECT_EQ(refused("openai", R"({"error":{"message":"bad temperatures"}})"), "");
  EXPECT_EQ(refused("openai", R"({"error":{"message":"context too long for max_completion_tokens"}})"), "");
}

HttpReply http(int status, const char* body = "") {
  HttpReply out;
  out.status = status;
  out.body = body;
  return out;
}

TEST(Trouble, is_retried_failed_or_ends_the_run) {
  const AskSettings settings{.vendor = &vendor("openai"),
                             .endpoint = *Endpoint::parse("http://127.0.0.1:1/v1")};
  const auto remedy = [&settings](const HttpReply& reply) {
    return trouble_of(reply, settings, example_request()).remedy;
  };
  for (const int status : {408, 429, 500, 502, 503, 529})
    EXPECT_EQ(remedy(http(status)), Remedy::retry) << status;
  for (const int status : {401, 402, 403, 404, 302, 307})
    EXPECT_EQ(remedy(http(status)), Remedy::stop) << status;
  for (const int status : {400, 413, 422}) EXPECT_EQ(remedy(http(status)), Remedy::fail) << status;
  EXPECT_EQ(remedy(http(429, R"({"error":{"code":"insufficient_quota"}})")), Remedy::stop);
  EXPECT_EQ(remedy(http(400, R"({"error":{"message":"Your credit balance is too low"}})")), Remedy::stop);
  EXPECT_EQ(remedy(http(429, R"({"error":{"details":[{"quotaId":"RequestsPerDay"}]}})")), Remedy::stop);
  for (const char* blind : {"image input is not supported - hint: mmproj", "m is not a multimodal model None",
                            "messages[0]: unknown variant `image_url`, expected `text`"})
    EXPECT_EQ(
        remedy(http(500, Json::object({{"error", Json::object({{"message", blind}})}}).compact().c_str())),
        Remedy::stop)
        << blind;
  HttpReply reply;
  reply.failure = HttpReply::Failure::certificate;
  EXPECT_EQ(remedy(reply), Remedy::stop);
  reply.failure = HttpReply::Failure::timeout;
  EXPECT_EQ(remedy(reply), Remedy::retry);
}

TEST(Overflow, is_known_in_the_words_of_every_vendor) {
  const auto overflows = [](int status, const char* body) {
    return is_overflow(status, parse_endpoint_error(body));
  };
  for (
      const char* body :
      {R"({"error":{"message":"x","code":"context_length_exceeded","param":"messages"}})",
       R"({"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 208310 tokens > 200000 maximum"}})",
       R"({"type":"error","error":{"type":"invalid_request_error","message":"Too many images and documents: 101 + 0 > 100"}})",
       R"({"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}})",
       R"({"object":"error","message":"At most 16 image(s) may be provided in one prompt.","type":"BadRequestError","code":400})",
       R"({"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}})",
       R"({"error":{"message":"This model's maximum context length is 4096 tokens, `max_tokens` included"}})"})
    EXPECT_TRUE(overflows(400, body)) << body;
  EXPECT_TRUE(overflows(413, ""));
  EXPECT_FALSE(overflows(429, R"({"error":{"message":"Request too large: tokens per minute"}})"));
  EXPECT_FALSE(overflows(400, R"({"error":{"message":"image 3 cannot be decoded"}})"));
  EXPECT_FALSE(
      overflows(400, R"({"error":{"message":"max_tokens must be at most 4096","param":"max_tokens"}})"));
}

TEST(ReplyBodies, are_repaired_where_they_are_no_utf8) {
  EXPECT_EQ(text_at(*parse_reply_body("{\"a\":\"x\xff\"}"), "a"), "x\xef\xbf\xbd");
}

}  // namespace
}  // namespace fiducial
