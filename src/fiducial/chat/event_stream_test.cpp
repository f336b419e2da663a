#include "fiducial/chat/event_stream.h"

#include <gtest/gtest.h>

#include "fiducial/chat/asker.h"
#include "fiducial/chat/vendor.h"

namespace fiducial {
namespace {

Result<ChatReply> heard(const char* vendor, std::string_view body) {
  FIDUCIAL_TRY(const Json document, parse_reply_body(body));
  return (*find_vendor(vendor))->reply(document);
}

TEST(EventStreams, are_told_from_documents) {
  EXPECT_TRUE(is_event_stream("data: {}\n\n"));
  EXPECT_TRUE(is_event_stream(": a comment\n\ndata: {}\n\n"));
  EXPECT_TRUE(is_event_stream("event: message_start\ndata: {}\n\n"));
  EXPECT_FALSE(is_event_stream(R"({"data": 1})"));
}

TEST(EventStreams, give_the_reply_of_chat_completions) {
  const auto reply =
      heard("openai",
            "data: {\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\"It is \"}}]}\r\n\r\n"
            ": alive\r\n\r\n"
            "data: {\"choices\":[{\"delta\":{\"content\":\"B\"},\"finish_reason\":\"stop\"}]}\r\n\r\n"
            "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":3}}\r\n\r\n"
            "data: [DONE]\r\n\r\n");
  ASSERT_TRUE(reply.ok()) << reply.error().text();
  EXPECT_EQ(reply->text + "/" + reply->finish + "/" + reply->model, "It is B/stop/m");
  EXPECT_EQ(reply->usage, (TokenUsage{9, 0, 3, 0}));
}

TEST(EventStreams, give_the_reply_of_anthropic) {
  const auto reply = heard(
      "anthropic",
      "event: message_start\n"
      "data: {\"type\":\"message_start\",\"message\":{\"model\":\"m\",\"usage\":{\"input_tokens\":5}}}\n\n"
      "data: "
      "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"A?\"}}\n\n"
      "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"B\"}}\n\n"
      "data: {\"type\":\"ping\"}\n\n"
      "data: "
      "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":3}}"
      "\n\n");
  ASSERT_TRUE(reply.ok()) << reply.error().text();
  EXPECT_EQ(reply->text + "/" + reply->finish, "B/stop");
  EXPECT_EQ(reply->usage, (TokenUsage{5, 0, 3, 0}));
}

TEST(EventStreams, give_the_reply_of_responses_and_gemini) {
  EXPECT_EQ(heard("responses",
                  "data: {\"type\":\"response.output_text.delta\",\"delta\":\"x\"}\n\n"
                  "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":["
                  "{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"B\"}]}]}}\n\n")
                ->text,
            "B");
  EXPECT_EQ(heard("gemini",
                  "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"It \"}]}}]}\n\n"
                  "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"is B\"}]},"
                  "\"finishReason\":\"STOP\"}]}\n\n")
                ->text,
            "It is B");
}

TEST(EventStreams, that_end_too_early_are_no_reply) {
  const std::string_view torn = "data: {\"choices\":[{\"delta\":{\"content\":\"It is B\"}}]}\n\n";
  EXPECT_FALSE(heard("openai", torn).ok());
  EXPECT_FALSE(heard("openai", "data: {\"choices\":[{\"del").ok());
  EXPECT_FALSE(heard("openai", "data: [DONE]\n\n").ok());
}

TEST(EventStreams, may_hold_an_error) {
  const auto document = parse_reply_body("data: {\"error\":{\"message\":\"overloaded\",\"code\":529}}\n\n");
  ASSERT_TRUE(document.ok());
  HttpReply reply;
  reply.status = 200;
  EXPECT_TRUE(error_in(reply, *document).has_value());
}

}  // namespace
}  // namespace fiducial
