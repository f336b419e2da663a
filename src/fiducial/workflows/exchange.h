#pragma once

#include <array>
#include <optional>
#include <string>

#include "fiducial/chat/asker.h"
#include "fiducial/workflows/prompt.h"

namespace fiducial {

// How an unreadable answer is recovered: the same conversation asks for the letter alone, once.
struct Recovery {
  const PromptWords* words = nullptr;
  std::array<std::string, 5> options;
};

// Why a question has no answer, in one word: what its failure says.
//   overflow  more images, tokens or bytes than the endpoint takes     length    cut off at the token limit
//   withheld  by the endpoint                                          blocked   a step before it failed
//   images    one is missing or cannot be read                         error     anything else
std::string failure_status(std::string_view step, std::string_view failure);

// One question and what became of it: a reply of the form that was asked for, one of another form after it
// was asked for again, or none.
class Exchange {
 public:
  Exchange(std::string step, ChatRequest request, std::int64_t most_re_asks)
      : step_(std::move(step)), request_(std::move(request)), re_asks_left_(most_re_asks) {}

  const std::string& step() const { return step_; }
  std::string asking_step() const { return is_recovering_ ? "recovery" : step_; }
  // Asks for the letter alone where a reply has none that can be read. A refusal is left alone.
  void recover_with(Recovery recovery) { recovery_ = std::move(recovery); }
  char recovered_letter() const { return recovered_letter_; }  // 0 where there is none
  // The request to send next; nothing while one is on its way, and at the end.
  std::optional<ChatRequest> take_request();
  void hear(const Heard& heard, const PromptWords& ask_again);

  bool is_finished() const { return is_finished_; }
  bool has_failed() const { return !failure_.empty(); }
  const std::string& failure() const { return failure_; }
  const Json& value() const { return value_; }       // null where the reply has no form
  const std::string& text() const { return text_; }  // of the last reply
  const std::string& finish() const { return finish_; }
  const Json& logprobs() const { return logprobs_; }
  const TokenUsage& usage() const { return usage_; }
  std::int64_t calls() const { return calls_; }
  // A text member of the value, or all of the reply where it has no form.
  std::string said(const std::string& member) const;

 private:
  void fail(std::string why);
  void end_unread();  // a reply without form stands as it is, unless a letter can be had
  bool may_recover() const;
  void ask_for_letter();
  void hear_letter(const Heard& heard);

  std::string step_;
  ChatRequest request_;
  std::int64_t re_asks_left_;
  bool is_waiting_ = false;
  bool is_finished_ = false;
  std::string failure_;
  Json value_;
  std::string text_;
  std::string finish_;
  Json logprobs_;
  std::optional<Recovery> recovery_;
  bool is_recovering_ = false;
  char recovered_letter_ = 0;
  TokenUsage usage_;
  std::int64_t calls_ = 0;
};

// The JSON value of a reply: the text as it is, what stands behind closed reasoning tags, in the only code
// fence or in the only pair of braces. Nothing where there is none, and where reasoning has no end.
std::optional<Json> value_in_reply(std::string_view text);

}  // namespace fiducial
