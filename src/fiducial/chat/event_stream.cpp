#include "fiducial/chat/event_stream.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/plain_text.h"

namespace fiducial {

namespace {

// The data of every event, in their order; lines of one event are joined.
std::vector<std::string> event_data(std::string_view body) {
  std::vector<std::string> out;
  bool continues = false;
  while (!body.empty()) {
    std::string_view line = body.substr(0, body.find('\n'));
    body.remove_prefix(std::min(body.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    constexpr std::string_view mark = "data:";
    if (!line.starts_with(mark)) {
      continues = continues && !line.empty();
      continue;
    }
    line.remove_prefix(mark.size());
    if (line.starts_with(' ')) line.remove_prefix(1);
    if (continues) {
      out.back().append("\n").append(line);
    } else {
      out.emplace_back(line);
    }
    continues = true;
  }
  return out;
}

// What arrived piece by piece, of any vendor.
class StreamedReply {
 public:
  void add(const Json& event);
  Result<Json> document() const;

 private:
  void add_choice(const Json& choice);
  void add_candidate(const Json& candidate);
  void add_anthropic(const std::string& type, const Json& event);
  void add_member(std::string_view name, const Json& event) {
    if (const Json* value = event.find(name); value != nullptr && !value->is_null())
      members_.set(std::string(name), *value);
  }
  void count(const Json* usage);

  std::optional<Json> whole_;  // where an event holds all of it
  Json members_ = Json::Object{};
  Json usage_ = Json::Object{};
  std::string text_;
  std::string refusal_;
  std::string finish_;
  Json::Array logprobs_;
  enum class Words { unknown, chat, anthropic, gemini } words_ = Words::unknown;
};

void StreamedReply::count(const Json* usage) {
  if (usage == nullptr || usage->as_object() == nullptr) return;
  for (const auto& [name, value] : *usage->as_object()) usage_.set(name, value);
}

void StreamedReply::add_choice(const Json& choice) {
  if (const std::string finish = text_at(choice, "finish_reason"); !finish.empty()) finish_ = finish;
  if (const Json* delta = choice.find("delta")) {
    text_ += text_at(*delta, "content");
    refusal_ += text_at(*delta, "refusal");
  }
  const Json* logprobs = choice.find("logprobs");
  const Json::Array* tokens = logprobs == nullptr ? nullptr : find_array(*logprobs, "content");
  if (tokens != nullptr) logprobs_.insert(logprobs_.end(), tokens->begin(), tokens->end());
}

void StreamedReply::add_candidate(const Json& candidate) {
  if (const std::string finish = text_at(candidate, "finishReason"); !finish.empty()) finish_ = finish;
  const Json* content = candidate.find("content");
  const Json::Array* parts = content == nullptr ? nullptr : find_array(*content, "parts");
  for (const Json& part : parts == nullptr ? Json::Array{} : *parts) {
    if (!flag_at(part, "thought").value_or(false)) text_ += text_at(part, "text");
  }
}

void StreamedReply::add_anthropic(const std::string& type, const Json& event) {
  const Json* delta = event.find("delta");
  if (type == "message_start") {
    words_ = Words::anthropic;
    if (const Json* message = event.find("message")) {
      add_member("model", *message);
      count(message->find("usage"));
    }
  } else if (type == "content_block_delta" && delta != nullptr && text_at(*delta, "type") == "text_delta") {
    text_ += text_at(*delta, "text");
  } else if (type == "message_delta" && delta != nullptr) {
    finish_ = text_at(*delta, "stop_reason");
    count(event.find("usage"));
  }
}

void StreamedReply::add(const Json& event) {
  if (const Json* error = event.find("error"); error != nullptr && !error->is_null()) {
    whole_ = event;
    return;
  }
  const std::string type = text_at(event, "type");
  if (type.starts_with("response.")) {
    const bool is_last =
        type == "response.completed" || type == "response.incomplete" || type == "response.failed";
    const Json* response = event.find("response");
    if (is_last && response != nullptr) whole_ = *response;
    return;
  }
  if (!type.empty()) return add_anthropic(type, event);
  if (const Json::Array* candidates = find_array(event, "candidates")) {
    words_ = Words::gemini;
    if (!candidates->empty()) add_candidate(candidates->front());
    add_member("usageMetadata", event);
    add_member("modelVersion", event);
  } else if (const Json::Array* choices = find_array(event, "choices")) {
    words_ = Words::chat;
    if (!choices->empty()) add_choice(choices->front());
    add_member("model", event);
    count(event.find("usage"));
  }
}

Result<Json> StreamedReply::document() const {
  if (whole_) return *whole_;
  if (words_ == Words::unknown || finish_.empty()) return invalid_data("the stream ends too early");
  Json out = members_;
  const Json part = Json::object({{"type", "text"}, {"text", text_}});
  if (words_ == Words::anthropic)
    return out.set("content", Json::array({part})).set("stop_reason", finish_).set("usage", usage_);
  if (words_ == Words::gemini) {
    const Json content = Json::object({{"parts", Json::array({part})}});
    return out.set("candidates",
                   Json::array({Json::object({{"content", content}, {"finishReason", finish_}})}));
  }
  Json message = Json::object({{"content", text_}});
  if (!refusal_.empty()) message.set("refusal", refusal_);
  Json choice = Json::object({{"message", std::move(message)}, {"finish_reason", finish_}});
  if (!logprobs_.empty()) choice.set("logprobs", Json::object({{"content", logprobs_}}));
  return out.set("choices", Json::array({std::move(choice)})).set("usage", usage_);
}

}  // namespace

bool is_event_stream(std::string_view body) {
  return body.starts_with("data:") || body.starts_with("event:") || body.starts_with("id:") ||
         body.starts_with(":");
}

Result<Json> document_of_events(std::string_view body) {
  StreamedReply reply;
  for (const std::string& data : event_data(body)) {
    if (trimmed(data) == "[DONE]") break;
    FIDUCIAL_TRY(const Json event, parse_json(data).context("in an event of the stream"));
    reply.add(event);
  }
  return reply.document();
}

}  // namespace fiducial
