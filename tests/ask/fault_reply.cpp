#include "fault_reply.h"

#include "fiducial/base/number_text.h"

#include "json_members.h"

namespace fiducial::ask_test {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds forever = std::chrono::hours(1);

// Bytes piece by piece, with a pause behind each, and an end.
class ScriptedStream final : public http::Stream {
 public:
  ScriptedStream(std::string bytes, std::size_t piece_bytes, milliseconds pause, http::Piece last)
      : bytes_(std::move(bytes)), piece_bytes_(piece_bytes), pause_(pause), last_(std::move(last)) {}

  http::Piece next() override {
    if (at_ >= bytes_.size()) {
      if (last_.then == http::Piece::Then::more) return last_;
      return std::move(last_);
    }
    http::Piece piece{.bytes = bytes_.substr(at_, piece_bytes_), .pause = pause_};
    at_ += piece_bytes_;
    return piece;
  }

 private:
  std::string bytes_;
  std::size_t piece_bytes_;
  milliseconds pause_;
  http::Piece last_;
  std::size_t at_ = 0;
};

http::Reply verbatim(std::string bytes, http::Piece last, std::size_t piece_bytes = SIZE_MAX,
                     milliseconds pause = milliseconds(0)) {
  return {.body = http::VerbatimReply{
              std::make_shared<ScriptedStream>(std::move(bytes), piece_bytes, pause, std::move(last))}};
}

std::string json_head(std::uint64_t length) {
  return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + decimal(length) +
         "\r\nConnection: close\r\n\r\n";
}

void change(Answer& answer, const Json& step) {
  if (step.find("text") != nullptr) answer.text = text_at(step, "text").value_or("");
  if (switch_at(step, "fenced").value_or(false))
    answer.text = "```json\n" + answer.text.value_or("") + "\n```\n";
  if (switch_at(step, "unclosed_think").value_or(false))
    answer.text = "<think>The wall is thick, so it could be B, or else";
  if (switch_at(step, "null_text").value_or(false)) answer.text.reset();
  answer.reasoning = text_at(step, "reasoning").value_or(answer.reasoning);
  answer.has_usage = switch_at(step, "usage").value_or(true);
  const std::string finish = text_at(step, "finish").value_or("");
  if (finish == "length") answer.end = Answer::End::length;
  if (finish == "content_filter") answer.end = Answer::End::filtered;
}

http::Reply complaint(const Asked& asked, Complaint what) {
  return http::Reply::json(error_body(asked.vendor, what), what.status);
}

http::Reply status_reply(const Json& step, const Asked& asked) {
  const int status = static_cast<int>(number_at(step, "status").value_or(500));
  http::Reply reply = complaint(asked, {.status = status,
                                        .message = text_at(step, "message").value_or("the script says so"),
                                        .type = status == 429   ? "rate_limit_error"
                                                : status == 529 ? "overloaded_error"
                                                                : "api_error",
                                        .code = text_at(step, "code").value_or("")});
  if (switch_at(step, "html").value_or(false)) {
    reply =
        http::Reply{.status = status, .body = std::string("<html><body><h1>Bad gateway</h1></body></html>")};
    reply.set("Content-Type", "text/html");
  }
  if (step.find("retry_after") != nullptr)
    reply.set("Retry-After", decimal(number_at(step, "retry_after").value_or(1)));
  if (step.find("retry_after_date") != nullptr) {
    const auto when = std::chrono::system_clock::now() +
                      std::chrono::seconds(number_at(step, "retry_after_date").value_or(1));
    reply.set("Retry-After", http::http_date(when));
  }
  return reply;
}

// Whether an object, or one inside it, has a member of that name.
bool holds(const Json& json, std::string_view name) {
  if (json.as_object() == nullptr) return false;
  for (const auto& [key, value] : *json.as_object()) {
    if (key == name || holds(value, name)) return true;
  }
  return false;
}

std::optional<http::Reply> refusal_for(const std::string& kind, const Json& step, const Asked& asked,
                                       const Json& body) {
  if (kind == "status") return status_reply(step, asked);
  if (kind == "bad_parameter") {
    const std::string name = text_at(step, "parameter").value_or("");
    if (!holds(body, name)) return std::nullopt;
    return complaint(asked,
                     {.message = "Unsupported parameter: '" + name + "' is not supported with this model.",
                      .code = "unsupported_parameter",
                      .parameter = name});
  }
  if (kind == "unknown_model") {
    return complaint(
        asked, {.status = 404,
                .message = "The model '" + asked.model + "' does not exist or you do not have access to it.",
                .type = asked.vendor == Vendor::anthropic ? "not_found_error" : "invalid_request_error",
                .code = "model_not_found"});
  }
  if (kind == "quota") {
    return complaint(
        asked, {.status = 429,
                .message = "You exceeded your current quota, please check your plan and billing details.",
                .type = "insufficient_quota",
                .code = "insufficient_quota"});
  }
  if (kind == "bad_key") {
    return complaint(asked, {.status = 401,
                             .message = "Incorrect API key provided.",
                             .type = "authentication_error",
                             .code = "invalid_api_key"});
  }
  if (kind == "context_length") {
    return complaint(
        asked, {.message = "This model's maximum context length is 4096 tokens. Your messages resulted in "
                           "9000 tokens.",
                .code = "context_length_exceeded",
                .parameter = "messages"});
  }
  return std::nullopt;
}

// The bytes that stand in hexadecimal digits.
std::string bytes_of_hex(std::string_view digits) {
  const auto value = [](char digit) {
    return static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10) & 0xfU;
  };
  std::string out;
  for (std::size_t at = 0; at + 1 < digits.size(); at += 2)
    out += static_cast<char>(value(digits[at]) << 4U | value(digits[at + 1]));
  return out;
}

// Replies that HTTP, not the vendor, has trouble with.
std::optional<http::Reply> broken_reply(const std::string& kind, const Json& step, std::string body) {
  using Then = http::Piece::Then;
  const std::size_t half = body.size() / 2;
  const http::Piece end{.then = Then::end};
  const http::Piece reset{.then = Then::reset};
  const http::Piece silence{.then = Then::more, .pause = forever};
  if (kind == "bytes") return verbatim(bytes_of_hex(text_at(step, "hex").value_or("")), end);
  if (kind == "hang") return verbatim("", silence);
  if (kind == "reset") return verbatim(json_head(body.size()) + body.substr(0, half), reset);
  if (kind == "stall") return verbatim(json_head(body.size()) + body.substr(0, half), silence);
  if (kind == "wrong_length") {
    const std::int64_t by = number_at(step, "by").value_or(10);
    return verbatim(json_head(static_cast<std::uint64_t>(static_cast<std::int64_t>(body.size()) + by)) + body,
                    end);
  }
  if (kind == "drip") {
    const milliseconds pause(number_at(step, "every_ms").value_or(20));
    return verbatim(json_head(body.size()) + body, end,
                    static_cast<std::size_t>(number_at(step, "bytes").value_or(1)), pause);
  }
  if (kind == "malformed") body.resize(half);
  if (kind == "invalid_utf8") {
    const std::size_t place = body.find("answer");
    body.insert(place == std::string::npos ? half : place, "\xff\xfe\xc3");
  }
  if (kind != "malformed" && kind != "invalid_utf8") return std::nullopt;
  http::Reply reply{.body = std::move(body)};
  reply.set("Content-Type", "application/json");
  return reply;
}

}  // namespace

http::Reply reply_for(const Json& step, const Asked& asked, const Json& body, Answer answer,
                      std::uint64_t number) {
  const std::string kind = text_at(step, "do").value_or("");
  if (std::optional<http::Reply> refusal = refusal_for(kind, step, asked, body)) return *std::move(refusal);
  change(answer, step);
  if (kind == "refusal") {
    answer.text = "I cannot help with medical images.";
    answer.end = Answer::End::refused;
  }
  if (kind == "huge")
    answer.text = std::string(static_cast<std::size_t>(number_at(step, "bytes").value_or(64 << 20)), 'a');
  if (asked.streams && (kind == "reply" || kind == "torn_stream")) {
    constexpr std::size_t piece_bytes = 512;
    const http::Piece end{.then = http::Piece::Then::end};
    std::string events = stream_body(asked, answer, number);
    if (kind == "torn_stream") events.resize(events.size() / 2);
    return http::Reply::stream(
        "text/event-stream",
        std::make_shared<ScriptedStream>(std::move(events), piece_bytes, milliseconds(0), end));
  }
  std::string text = reply_body(asked, answer, number).compact();
  if (std::optional<http::Reply> broken = broken_reply(kind, step, text)) return *std::move(broken);
  http::Reply reply{.body = std::move(text)};
  reply.set("Content-Type", "application/json");
  return reply;
}

}  // namespace fiducial::ask_test
