#include "fiducial/workflows/exchange.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/chat/reply_schema.h"
#include "fiducial/eval/inputs/reply_cleanup.h"
#include "fiducial/text/answer_extraction.h"
#include "fiducial/text/balanced_objects.h"

namespace fiducial {

namespace {

constexpr const char* cut_off_failure = "the reply was cut off at the token limit";
constexpr const char* withheld_failure = "the endpoint withheld the reply";

ExtractedAnswer answer_in(std::string_view text, const Recovery& recovery) {
  return extract_answer(cleaned_reply(text, Scorer::strict), recovery.options);
}

// What a letter needs: few tokens, no sampling and no thinking, as far as the question set them.
Json letter_parameters(const Json& parameters) {
  constexpr std::int64_t most_tokens = 512;
  Json out = parameters;
  out.set("max_tokens", most_tokens);
  if (out.find("temperature") != nullptr) out.set("temperature", 0);
  const Json* extra = out.find("extra");
  const Json* switches = extra == nullptr ? nullptr : extra->find("chat_template_kwargs");
  if (switches == nullptr || switches->find("enable_thinking") == nullptr) return out;
  Json quiet = *switches;
  Json changed = *extra;
  return out.set("extra", changed.set("chat_template_kwargs", quiet.set("enable_thinking", false)));
}

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
  if (Result<Json> whole = parse_json(trimmed(text)); whole.ok()) return *std::move(whole);
  const std::string_view said = after_reasoning(text);
  if (said.find("<think") != std::string_view::npos) return std::nullopt;
  std::vector<std::string_view> places{said};
  if (const auto block = fenced_block(said)) places.push_back(*block);
  if (const auto objects = balanced_objects(said); objects.size() == 1) places.push_back(objects.front());
  for (const std::string_view place : places) {
    if (Result<Json> parsed = parse_json(place); parsed.ok()) return *std::move(parsed);
  }
  return std::nullopt;
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

std::string failure_status(std::string_view step, std::string_view failure) {
  if (failure.starts_with(overflow_error)) return "overflow";
  if (failure == cut_off_failure) return "length";
  if (failure == withheld_failure || failure.starts_with(withheld_error)) return "withheld";
  if (failure.starts_with("blocked:")) return "blocked";
  return step == "images" ? "images" : "error";
}

bool Exchange::may_recover() const {
  if (!recovery_ || is_recovering_ || is_blank(text_) || finish_ == "refusal") return false;
  const ExtractedAnswer answer = answer_in(text_, *recovery_);
  return !answer.letter && answer.rule != AnswerRule::refused;
}

void Exchange::ask_for_letter() {
  is_recovering_ = true;
  request_.schema = Json();
  request_.parameters = letter_parameters(request_.parameters);
  request_.messages.push_back(
      {.role = ChatMessage::Role::assistant, .parts = {{.text = text_, .image = {}}}});
  request_.messages.push_back(
      {.role = ChatMessage::Role::user, .parts = {{.text = recovery_->words->user({}), .image = {}}}});
}

// The reply to the recovery turn; without a letter in it the outcome is the one before it.
void Exchange::hear_letter(const Heard& heard) {
  is_finished_ = true;
  if (!heard.reply) return;
  ++calls_;
  usage_ += heard.reply->usage;
  if (heard.reply->finish == cut_off || heard.reply->finish == withheld) return;
  const ExtractedAnswer answer = answer_in(heard.reply->text, *recovery_);
  if (!answer.letter) return;
  recovered_letter_ = *answer.letter;
  finish_ = heard.reply->finish;
  failure_.clear();
}

void Exchange::end_unread() {
  if (may_recover()) return ask_for_letter();
  is_finished_ = true;
}

void Exchange::hear(const Heard& heard, const PromptWords& ask_again) {
  is_waiting_ = false;
  if (is_recovering_) return hear_letter(heard);
  if (!heard.reply) return fail(heard.error);
  ++calls_;
  usage_ += heard.reply->usage;
  text_ = heard.reply->text;
  finish_ = heard.reply->finish;
  logprobs_ = heard.reply->logprobs;
  // What was cut off or withheld would be read as something the model never said.
  if (finish_ == cut_off) {
    failure_ = cut_off_failure;
    return end_unread();
  }
  if (finish_ == withheld) return fail(withheld_failure);
  if (is_blank(text_)) return fail("the reply is empty");
  if (request_.schema.is_null()) return end_unread();
  std::optional<Json> value = value_in_reply(text_);
  const auto problem = value ? form_problem(*value, request_.schema) : std::nullopt;
  if (value && !problem) {
    value_ = *std::move(value);
    is_finished_ = true;
    return;
  }
  if (finish_ == "refusal" || re_asks_left_-- <= 0) return end_unread();
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
