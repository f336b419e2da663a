#include "fiducial/chat/chat_request.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"

namespace fiducial {

namespace {

Json part_json(const ChatPart& part) {
  if (!part.image) return Json::object({{"text", part.text}});
  return Json::object({{"image", part.image->sha256}, {"type", part.image->media_type}});
}

void append_part(std::string& out, const ChatPart& part) {
  if (part.image) {
    out += R"({"image":)";
    append_json_text(out, part.image->sha256);
    out += R"(,"type":)";
    append_json_text(out, part.image->media_type);
  } else {
    out += R"({"text":)";
    append_json_text(out, part.text);
  }
  out += '}';
}

Json message_json(const ChatMessage& message) {
  Json::Array parts;
  for (const ChatPart& part : message.parts) parts.push_back(part_json(part));
  return Json::object({{"role", to_string(message.role)}, {"content", std::move(parts)}});
}

Json sorted_members(const Json& object) {
  Json::Object members = *object.as_object();
  std::sort(members.begin(), members.end(),
            [](const Json::Member& a, const Json::Member& b) { return a.first < b.first; });
  return members;
}

}  // namespace

std::string_view to_string(ChatMessage::Role role) {
  switch (role) {
    case ChatMessage::Role::system:
      return "system";
    case ChatMessage::Role::user:
      return "user";
    case ChatMessage::Role::assistant:
      return "assistant";
  }
  return "";
}

Json ChatRequest::json() const {
  Json::Array all;
  for (const ChatMessage& message : messages) all.push_back(message_json(message));
  return Json::object({{"model", model},
                       {"parameters", sorted_members(parameters)},
                       {"messages", std::move(all)},
                       {"schema", schema},
                       {"sample", sample}});
}

// The text of json(), without making its values first: hashes are made for every question of every start.
std::string ChatRequest::hash() const {
  std::string text = R"({"model":)";
  append_json_text(text, model);
  text.append(R"(,"parameters":)").append(sorted_members(parameters).compact()).append(R"(,"messages":[)");
  for (const ChatMessage& message : messages) {
    if (&message != &messages.front()) text += ',';
    text.append(R"({"role":")").append(to_string(message.role)).append(R"(","content":[)");
    for (const ChatPart& part : message.parts) {
      if (&part != &message.parts.front()) text += ',';
      append_part(text, part);
    }
    text += "]}";
  }
  text.append(R"(],"schema":)").append(schema.compact()).append(R"(,"sample":)").append(decimal(sample)) +=
      '}';
  return sha256(as_bytes(text)).hex();
}

std::size_t ChatRequest::image_count() const {
  std::size_t out = 0;
  for (const ChatMessage& message : messages) {
    out +=
        static_cast<std::size_t>(std::count_if(message.parts.begin(), message.parts.end(),
                                               [](const ChatPart& part) { return part.image.has_value(); }));
  }
  return out;
}

std::size_t ChatRequest::text_bytes() const {
  std::size_t out = schema.is_null() ? 0 : schema.compact().size();
  for (const ChatMessage& message : messages) {
    for (const ChatPart& part : message.parts) out += part.text.size();
  }
  return out;
}

}  // namespace fiducial
