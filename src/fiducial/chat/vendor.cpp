#include "fiducial/chat/vendor.h"

#include <algorithm>

#include "fiducial/base/ascii.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/utf8.h"

namespace fiducial {

namespace {

constexpr std::size_t longest_told = 300;

// One line of valid UTF-8, cut where it is long.
std::string told(std::string_view text) {
  std::string out;
  for (const char each : trimmed(text)) out += each == '\n' || each == '\r' || each == '\t' ? ' ' : each;
  if (const auto bad = first_invalid_utf8(out)) out.resize(*bad);
  if (out.size() <= longest_told) return out;
  std::size_t cut = longest_told;
  while (cut > 0 && (static_cast<unsigned char>(out[cut]) & 0xC0U) == 0x80U) --cut;
  return out.substr(0, cut) + "...";
}

std::string text_or_number(const Json& object, const char* key) {
  const Json* value = object.find(key);
  if (value == nullptr) return {};
  if (value->as_integer() != nullptr) return decimal(*value->as_integer());
  return value->as_string() == nullptr ? std::string() : *value->as_string();
}

bool is_name_character(char each) { return each == '_' || is_letter(each) || is_digit(each); }

// Whether a name stands in a text as a word of its own.
bool mentions(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || !is_name_character(text[at - 1]);
    const std::size_t end = at + name.size();
    if (begins && (end == text.size() || !is_name_character(text[end]))) return true;
  }
  return false;
}

bool speaks_of_length(const EndpointError& error) {
  return error.code == "context_length_exceeded" || error.message.find("context") != std::string::npos;
}

}  // namespace

std::string Vendor::wire_name(std::string_view parameter) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [parameter](const auto& each) { return each.first == parameter; });
  return found == parameters.end() ? std::string() : found->second;
}

EndpointError parse_endpoint_error(std::string_view body) {
  const Result<Json> document = parse_json(body);
  if (!document.ok()) return {.message = told(body), .code = {}, .parameter = {}};
  const Json* error = document->find("error");
  if (error == nullptr && document->as_array() != nullptr && !document->as_array()->empty())
    error = document->as_array()->front().find("error");  // a list of one, as some gateways write it
  if (error == nullptr) error = &*document;
  if (error->as_string() != nullptr)
    return {.message = told(*error->as_string()), .code = {}, .parameter = {}};
  EndpointError out{.message = told(text_at(*error, "message")),
                    .code = text_or_number(*error, "code"),
                    .parameter = text_at(*error, "param")};
  if (out.code.empty()) out.code = text_or_number(*error, "type");
  if (out.message.empty()) out.message = told(text_at(*error, "detail"));
  if (out.message.empty()) out.message = told(error->compact());
  return out;
}

std::string refused_parameter(const Vendor& vendor, const ChatRequest& request, const EndpointError& error) {
  if (speaks_of_length(error)) return {};
  std::vector<std::pair<std::string, std::string>> sent;  // our name and theirs
  for (const auto& [ours, theirs] : vendor.parameters) {
    const bool is_sent =
        ours == "schema" ? !request.schema.is_null() : request.parameters.find(ours) != nullptr;
    if (is_sent) sent.emplace_back(ours, theirs);
  }
  if (const Json* extra = request.parameters.find("extra")) {
    for (const auto& [name, value] : *extra->as_object()) sent.emplace_back(name, name);
  }
  // The whole name first: the parts of a nested one are words that stand in other messages, too.
  for (const auto& [ours, theirs] : sent) {
    if (error.parameter == theirs || error.parameter.starts_with(theirs + ".") ||
        mentions(error.message, theirs))
      return ours;
  }
  for (const auto& [ours, theirs] : sent) {
    constexpr std::size_t telling = 6;
    const std::string last = theirs.substr(theirs.rfind('.') + 1);
    if (last.size() >= telling && (error.parameter == last || mentions(error.message, last))) return ours;
  }
  return {};
}

}  // namespace fiducial
