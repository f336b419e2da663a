#include "asked.h"

#include <array>
#include <optional>

#include "fiducial/base/ascii.h"
#include "fiducial/base/sha256.h"

#include "json_members.h"

namespace fiducial::ask_test {

namespace {

constexpr std::array<int, 256> base64_values() {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<int, 256> values{};
  values.fill(-1);
  values['-'] = 62;  // the letters of URLs, which Google's packages send
  values['_'] = 63;
  for (std::size_t i = 0; i < letters.size(); ++i)
    values[static_cast<unsigned char>(letters[i])] = static_cast<int>(i);
  return values;
}

Result<std::string> base64_decoded(std::string_view text) {
  static constexpr std::array<int, 256> values = base64_values();
  if (text.size() % 4 != 0) return invalid_data("base64 whose length is no multiple of four");
  std::string out;
  out.reserve(text.size() / 4 * 3);
  unsigned held = 0;
  int bits = 0;
  while (text.ends_with('=')) text.remove_suffix(1);
  for (const char letter : text) {
    const int value = values[static_cast<unsigned char>(letter)];
    if (value < 0) return invalid_data("a letter that is none of base64");
    held = (held << 6) | static_cast<unsigned>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>((held >> bits) & 0xff);
  }
  return out;
}

// The type that the first bytes of a picture show.
std::string_view sniffed_type(std::string_view bytes) {
  if (bytes.starts_with("\xff\xd8\xff")) return "image/jpeg";
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return "image/png";
  if (bytes.starts_with("GIF8")) return "image/gif";
  if (bytes.starts_with("RIFF") && bytes.substr(8).starts_with("WEBP")) return "image/webp";
  return "";
}

Outcome add_image(Asked& asked, std::string_view type, std::string_view data) {
  FIDUCIAL_TRY(const std::string bytes, base64_decoded(data));
  if (type != sniffed_type(bytes)) {
    return invalid_data("a picture that is sent as " + std::string(type) + " is " +
                        std::string(sniffed_type(bytes)));
  }
  asked.images.push_back(sha256(as_bytes(bytes)).hex());
  return done();
}

Outcome add_data_url(Asked& asked, std::string_view url) {
  constexpr std::string_view mark = ";base64,";
  const std::size_t comma = url.find(mark);
  if (!url.starts_with("data:") || comma == std::string_view::npos)
    return invalid_data("expected a data URL");
  return add_image(asked, url.substr(5, comma - 5), url.substr(comma + mark.size()));
}

void add_text(Asked& asked, std::string_view text) {
  if (!asked.text.empty()) asked.text += '\n';
  asked.text += text;
}

Result<const Json*> member(const Json& object, std::string_view name) {
  const Json* found = object.find(name);
  if (found == nullptr) return invalid_data("no " + std::string(name));
  return found;
}

Result<std::string_view> text_member(const Json& object, std::string_view name) {
  FIDUCIAL_TRY(const Json* found, member(object, name));
  if (found->as_string() == nullptr) return invalid_data(std::string(name) + " is no text");
  return std::string_view(*found->as_string());
}

Result<const Json::Array*> array_member(const Json& object, std::string_view name) {
  FIDUCIAL_TRY(const Json* found, member(object, name));
  if (found->as_array() == nullptr) return invalid_data(std::string(name) + " is no array");
  return found->as_array();
}

std::string text_or_nothing(const Json* value) {
  return value != nullptr && value->as_string() != nullptr ? *value->as_string() : std::string();
}

const Json* at(const Json& value, std::initializer_list<std::string_view> names) {
  const Json* found = &value;
  for (const std::string_view name : names) {
    found = found->find(name);
    if (found == nullptr) return nullptr;
  }
  return found;
}

// One part of a message, in the words of the three vendors that give parts a type.
Outcome add_typed_part(Asked& asked, const Json& part) {
  FIDUCIAL_TRY(const std::string_view type, text_member(part, "type"));
  if (type == "text" || type == "input_text" || type == "output_text") {
    FIDUCIAL_TRY(const std::string_view text, text_member(part, "text"));
    add_text(asked, text);
    return done();
  }
  if (type == "image_url") {
    FIDUCIAL_TRY(const Json* image, member(part, "image_url"));
    FIDUCIAL_TRY(const std::string_view url, text_member(*image, "url"));
    return add_data_url(asked, url);
  }
  if (type == "input_image") {
    FIDUCIAL_TRY(const std::string_view url, text_member(part, "image_url"));
    return add_data_url(asked, url);
  }
  if (type == "image") {
    FIDUCIAL_TRY(const Json* source, member(part, "source"));
    FIDUCIAL_TRY(const std::string_view kind, text_member(*source, "media_type"));
    FIDUCIAL_TRY(const std::string_view data, text_member(*source, "data"));
    return add_image(asked, kind, data);
  }
  return invalid_data("an unknown part: " + std::string(type));
}

Outcome add_content(Asked& asked, const Json& content) {
  if (content.as_string() != nullptr) {
    add_text(asked, *content.as_string());
    return done();
  }
  if (content.as_array() == nullptr) return invalid_data("content that is neither a text nor parts");
  for (const Json& part : *content.as_array()) FIDUCIAL_TRY_DONE(add_typed_part(asked, part));
  return done();
}

Outcome add_messages(Asked& asked, const Json::Array& messages) {
  if (messages.empty()) return invalid_data("no messages");
  for (const Json& message : messages) {
    FIDUCIAL_TRY(const std::string_view role, text_member(message, "role"));
    if (asked.vendor == Vendor::anthropic && role != "user" && role != "assistant") {
      return invalid_data("an unknown role: " + std::string(role));
    }
    FIDUCIAL_TRY(const Json* content, member(message, "content"));
    FIDUCIAL_TRY_DONE(add_content(asked, *content));
  }
  return done();
}

Outcome parse_openai_chat(Asked& asked, const Json& body) {
  FIDUCIAL_TRY(const Json::Array* messages, array_member(body, "messages"));
  FIDUCIAL_TRY_DONE(add_messages(asked, *messages));
  asked.effort = text_or_nothing(body.find("reasoning_effort"));
  if (const Json* schema = at(body, {"response_format", "json_schema", "schema"})) asked.schema = *schema;
  return done();
}

Outcome parse_openai_responses(Asked& asked, const Json& body) {
  if (const Json* instructions = body.find("instructions")) add_text(asked, text_or_nothing(instructions));
  FIDUCIAL_TRY(const Json* input, member(body, "input"));
  if (input->as_string() != nullptr) {
    add_text(asked, *input->as_string());
  } else if (input->as_array() != nullptr) {
    FIDUCIAL_TRY_DONE(add_messages(asked, *input->as_array()));
  } else {
    return invalid_data("input is neither a text nor messages");
  }
  asked.effort = text_or_nothing(at(body, {"reasoning", "effort"}));
  if (const Json* schema = at(body, {"text", "format", "schema"})) asked.schema = *schema;
  return done();
}

Outcome parse_anthropic(Asked& asked, const Json& body) {
  FIDUCIAL_TRY(const Json* limit, member(body, "max_tokens"));
  if (limit->as_integer() == nullptr) return invalid_data("max_tokens is no whole number");
  if (const Json* system = body.find("system")) FIDUCIAL_TRY_DONE(add_content(asked, *system));
  FIDUCIAL_TRY(const Json::Array* messages, array_member(body, "messages"));
  FIDUCIAL_TRY_DONE(add_messages(asked, *messages));
  asked.effort = text_or_nothing(at(body, {"output_config", "effort"}));
  if (const Json* budget = at(body, {"thinking", "budget_tokens"}))
    asked.effort = "budget " + budget->compact();
  if (const Json* schema = at(body, {"output_config", "format", "schema"})) asked.schema = *schema;
  return done();
}

const Json* either(const Json& object, std::string_view name, std::string_view other) {
  const Json* found = object.find(name);
  return found != nullptr ? found : object.find(other);
}

Outcome add_gemini_parts(Asked& asked, const Json& content) {
  FIDUCIAL_TRY(const Json::Array* parts, array_member(content, "parts"));
  for (const Json& part : *parts) {
    const Json* data = either(part, "inlineData", "inline_data");
    if (data == nullptr) {
      FIDUCIAL_TRY(const std::string_view text, text_member(part, "text"));
      add_text(asked, text);
      continue;
    }
    FIDUCIAL_TRY_DONE(add_image(asked, text_or_nothing(either(*data, "mimeType", "mime_type")),
                                text_or_nothing(data->find("data"))));
  }
  return done();
}

Outcome parse_gemini(Asked& asked, const Json& body) {
  if (const Json* system = either(body, "systemInstruction", "system_instruction")) {
    FIDUCIAL_TRY_DONE(add_gemini_parts(asked, *system));
  }
  FIDUCIAL_TRY(const Json::Array* contents, array_member(body, "contents"));
  if (contents->empty()) return invalid_data("no contents");
  for (const Json& content : *contents) FIDUCIAL_TRY_DONE(add_gemini_parts(asked, content));
  const Json* settings = either(body, "generationConfig", "generation_config");
  if (settings == nullptr) return done();
  if (const Json* schema = either(*settings, "responseJsonSchema", "responseSchema")) asked.schema = *schema;
  asked.effort = text_or_nothing(at(*settings, {"thinkingConfig", "thinkingLevel"}));
  if (const Json* budget = at(*settings, {"thinkingConfig", "thinkingBudget"})) {
    asked.effort = "budget " + budget->compact();
  }
  return done();
}

}  // namespace

std::string_view to_string(Vendor vendor) {
  switch (vendor) {
    case Vendor::openai_chat:
      return "openai_chat";
    case Vendor::openai_responses:
      return "openai_responses";
    case Vendor::anthropic:
      return "anthropic";
    case Vendor::gemini:
      return "gemini";
  }
  return "";
}

Result<Asked> parse_asked(Vendor vendor, const Json& body, std::string_view gemini_model) {
  Asked asked{.vendor = vendor, .model = std::string(gemini_model)};
  if (body.as_object() == nullptr) return invalid_data("the body is no object");
  if (vendor != Vendor::gemini) {
    FIDUCIAL_TRY(asked.model, text_member(body, "model"));
  }
  asked.streams = switch_at(body, "stream").value_or(false);
  if (const Json* options = body.find("stream_options"))
    asked.streams_usage = switch_at(*options, "include_usage").value_or(false);
  switch (vendor) {
    case Vendor::openai_chat:
      FIDUCIAL_TRY_DONE(parse_openai_chat(asked, body));
      break;
    case Vendor::openai_responses:
      FIDUCIAL_TRY_DONE(parse_openai_responses(asked, body));
      break;
    case Vendor::anthropic:
      FIDUCIAL_TRY_DONE(parse_anthropic(asked, body));
      break;
    case Vendor::gemini:
      FIDUCIAL_TRY_DONE(parse_gemini(asked, body));
      break;
  }
  return asked;
}

}  // namespace fiducial::ask_test
