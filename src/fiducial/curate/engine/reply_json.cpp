#include "fiducial/curate/engine/reply_json.h"

#include <optional>

#include "fiducial/base/plain_text.h"
#include "fiducial/text/balanced_objects.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

std::optional<Json> document_in(std::string_view text) {
  Result<Json> parsed = parse_json(text);
  if (!parsed.ok()) return std::nullopt;
  return *std::move(parsed);
}

std::string_view after_reasoning(std::string_view text) {
  constexpr std::string_view closing = "</think>";
  const std::size_t at = ascii_lower(text).rfind(closing);
  return at == std::string::npos ? text : text.substr(at + closing.size());
}

// What stands between the fences of a text that is one fenced block; else the text.
std::string_view without_fences(std::string_view text) {
  constexpr std::string_view fence = "```";
  if (!text.starts_with(fence) || !text.ends_with(fence) || text.size() < 2 * fence.size()) return text;
  text.remove_suffix(fence.size());
  text.remove_prefix(std::min(text.find('\n'), text.size()));
  return text;
}

}  // namespace

Json reply_json(const Json& reply) {
  if (reply.as_string() == nullptr) return reply;
  if (auto whole = document_in(*reply.as_string())) return *std::move(whole);
  const std::string_view said = trimmed(after_reasoning(*reply.as_string()));
  if (auto whole = document_in(without_fences(said))) return *std::move(whole);
  std::optional<Json> only;
  for (const std::string_view object : balanced_objects(said)) {
    std::optional<Json> parsed = document_in(object);
    if (parsed && only) return reply;
    if (parsed) only = std::move(parsed);
  }
  return only ? *std::move(only) : reply;
}

}  // namespace fiducial
