#include "fiducial/workflows/exchange.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/chat/reply_schema.h"

namespace fiducial {

namespace {

std::string_view after_reasoning(std::string_view text) {
  constexpr std::string_view tag = "</think>";
  const std::size_t at = text.rfind(tag);
  return trimmed(at == std::string_view::npos ? text : text.substr(at + tag.size()));
}

// What stands inside of the only fenced block, words around it aside; nothing where there is none or several.
std::optional<std::string_view> fenced_block(std::string_view text) {
  constexpr std::string_view fence = "```";
  const std::size_t open = text.find(fence);
  const std::size_t line = open == std::string_view::npos ? open : text.find('\n', open);
  const std::size_t close = line == std::string_view::npos ? line : text.find(fence, line);
  if (close == std::string_view::npos) return std::nullopt;
  if (text.find(fence, close + fence.size()) != std::string_view::npos) return std::nullopt;
  return trimmed(text.substr(line + 1, close - line - 1));
}

}  // namespace

std::optional<Json> value_in_reply(std::string_view text) {
  const std::string_view said = after_reasoning(text);
  const std::optional<std::string_view> block = fenced_block(said);
  Result<Json> parsed = parse_json(block.value_or(said));
  if (!parsed.ok() && block) parsed = parse_json(said);  // the fence may stand inside of a text
  if (!parsed.ok()) return std::nullopt;
  return *std::move(parsed);
}

std::optional<ChatRequest> Exchange::take_request() {
  if (is_waiting_ || is_finished_) return std::nullopt;
  is_waiting_ = true;
  return request_;
}

void Exchange::fail(std::string why) {
  failure_ = std::move(why);
  is_finished_ = true;
}

void Exchange::hear(const Heard& heard, const PromptWords& ask_again) {
  is_waiting_ = false;
  if (!heard.reply) return fail(heard.error);
  ++calls_;
  usage_ += heard.reply->usage;
  text_ = heard.reply->text;
  finish_ = heard.reply->finish;
  logprobs_ = heard.reply->logprobs;
  // What was cut off or withheld would be read as something the model never said.
  if (finish_ == cut_off) return fail("the reply was cut off at the token limit");
  if (finish_ == withheld) return fail("the endpoint withheld the reply");
  if (is_blank(text_)) return fail("the reply is empty");
  if (request_.schema.is_null()) {
    is_finished_ = true;
    return;
  }
  std::optional<Json> value = value_in_reply(text_);
  const auto problem = value ? form_problem(*value, request_.schema) : std::nullopt;
  if (value && !problem) {
    value_ = *std::move(value);
    is_finished_ = true;
    return;
  }
  if (re_asks_left_-- <= 0) {
    is_finished_ = true;
    return;
  }
  const std::string why = problem ? problem->text : "it is no JSON";
  request_.messages.push_back(
      {.role = ChatMessage::Role::assistant, .parts = {{.text = text_, .image = {}}}});
  request_.messages.push_back({.role = ChatMessage::Role::user,
                               .parts = {{.text = ask_again.user({{"problem", why}}), .image = {}}}});
}

std::string Exchange::said(const std::string& member) const {
  return value_.is_null() ? text_ : text_at(value_, member);
}

}  // namespace fiducial
