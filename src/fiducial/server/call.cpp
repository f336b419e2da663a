#include "fiducial/server/call.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/inflate.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/base/utf8.h"
#include "fiducial/server/api_parameters.h"

namespace fiducial {

namespace {

constexpr std::size_t least_gzip_bytes = 1024;
constexpr std::size_t most_gzip_bytes = std::size_t{32} << 20;

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  while (!(text = trimmed(text)).empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    out.emplace_back(word);
    text.remove_prefix(word.size());
  }
  return out;
}

int http_status(ErrorCode code) {
  switch (code) {
    case ErrorCode::bad_usage:
      return 400;
    case ErrorCode::invalid_data:
    case ErrorCode::too_many_failures:
      return 422;
    case ErrorCode::refused:
      return 403;
    case ErrorCode::integrity:
    case ErrorCode::unfinished:
      return 409;
    case ErrorCode::remote:
      return 502;
    case ErrorCode::internal:
      return 500;
    default:
      return 503;
  }
}

http::Reply problem(int status, std::string_view code, std::string_view detail, std::string_view place) {
  Json body = Json::object({{"type", "about:blank"},
                            {"title", http::status_words(status)},
                            {"status", status},
                            {"code", code},
                            {"detail", detail}});
  if (!place.empty()) body.set("place", place);
  http::Reply reply = http::Reply::json(body, status);
  reply.fields.front().value = "application/problem+json";
  return reply;
}

Result<std::string> decoded(std::string_view text) {
  FIDUCIAL_TRY(std::string out, http::percent_decoded(text, true));
  if (first_invalid_utf8(out) || out.find('\0') != std::string::npos)
    return bad_usage("a parameter of the query is no text");
  return out;
}

}  // namespace

Result<Query> Query::parse(std::string_view query, std::string_view declared) {
  const std::vector<std::string> words = words_of(declared);
  Query out;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    FIDUCIAL_TRY(std::string name, decoded(pair.substr(0, equals)));
    FIDUCIAL_TRY(std::string value, decoded(equals == std::string_view::npos ? "" : pair.substr(equals + 1)));
    const bool is_name = name.find('*') == std::string::npos;
    const bool repeats = is_name && std::ranges::find(words, name + "*") != words.end();
    if (!repeats && (!is_name || std::ranges::find(words, name) == words.end())) {
      std::vector<std::string> known = words;
      for (std::string& word : known) word = word.substr(0, word.find('*'));
      return no_such_name("parameter", name, known);
    }
    if (!repeats && out.find(name)) return bad_usage("the parameter \"" + name + "\" stands twice");
    FIDUCIAL_TRY_DONE(check_parameter(name, value));
    out.values_.emplace_back(std::move(name), std::move(value));
  }
  return out;
}

std::optional<std::string> Query::find(std::string_view name) const {
  for (const auto& [key, value] : values_) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::string Query::text(std::string_view name, std::string_view otherwise) const {
  return find(name).value_or(std::string(otherwise));
}

std::vector<std::string> Query::all(std::string_view name) const {
  std::vector<std::string> out;
  for (const auto& [key, value] : values_) {
    if (key == name) out.push_back(value);
  }
  return out;
}

std::int64_t Query::integer(std::string_view name, std::int64_t otherwise) const {
  const auto value = find(name);
  return value ? parse_integer(*value).value_or(otherwise) : otherwise;
}

double Query::number(std::string_view name, double otherwise) const {
  const auto value = find(name);
  return value ? parse_double(*value).value_or(otherwise) : otherwise;
}

http::Reply problem_reply(const Error& error) {
  std::string detail = error.message();
  for (const std::string& doing : error.contexts()) detail += "; while " + doing;
  return problem(http_status(error.code()), to_string(error.code()), detail, error.place().text());
}

http::Reply not_found(std::string_view what) { return problem(404, "not_found", what, ""); }

http::Reply bytes_reply(std::string_view type, ByteView bytes) {
  http::Reply reply{.body = std::string(as_text(bytes))};
  reply.set("Content-Type", std::string(type));
  return reply;
}

std::string_view chosen_type(const http::Request& request, const std::vector<std::string_view>& offered) {
  const std::string* accept = request.find("Accept");
  if (accept == nullptr) return offered.front();
  std::string_view chosen = offered.front();
  std::size_t place = std::string::npos;
  for (const std::string_view type : offered) {
    const std::size_t at = accept->find(type);
    if (at < place) {
      chosen = type;
      place = at;
    }
  }
  return chosen;
}

namespace {

const std::string* field_of(const http::Reply& reply, std::string_view name) {
  const auto found = std::ranges::find(reply.fields, name, &http::Field::name);
  return found == reply.fields.end() ? nullptr : &found->value;
}

bool takes_gzip(const http::Request& request) {
  const std::string* codings = request.find("Accept-Encoding");
  return codings != nullptr && codings->find("gzip") != std::string::npos;
}

// Pictures are deflated as they are, and so is what says so; raw voxels are sent as they are because that is
// faster on one machine.
bool pays_to_deflate(const http::Reply& reply) {
  const std::string& body = std::get<std::string>(reply.body);
  const std::string* type = field_of(reply, "Content-Type");
  const std::string* keeping = field_of(reply, "Cache-Control");
  return body.size() >= least_gzip_bytes && body.size() <= most_gzip_bytes &&
         field_of(reply, "Content-Encoding") == nullptr &&
         (type == nullptr || !type->starts_with("image/")) &&
         (keeping == nullptr || keeping->find("no-transform") == std::string::npos);
}

}  // namespace

http::Reply finished_reply(const http::Request& request, http::Reply reply) {
  auto* body = std::get_if<std::string>(&reply.body);
  if (body == nullptr || reply.status != 200) return reply;
  if (field_of(reply, "ETag") == nullptr)
    reply.set("ETag", "\"" + sha256(as_bytes(*body)).hex().substr(0, 32) + "\"");
  if (field_of(reply, "Cache-Control") == nullptr) reply.set("Cache-Control", "no-cache");
  reply.set("Vary", "Accept, Accept-Encoding");
  const std::string tag = *field_of(reply, "ETag");
  const std::string* kept = request.find("If-None-Match");
  if (kept != nullptr && (*kept == "*" || kept->find(tag) != std::string::npos)) {
    reply.status = 304;
    reply.body = std::string();
    return reply;
  }
  if (!pays_to_deflate(reply) || !takes_gzip(request)) return reply;
  const Bytes deflated = gzip_compressed(as_bytes(*body), 1);
  reply.set("Content-Encoding", "gzip");
  reply.body = std::string(as_text(deflated));
  return reply;
}

}  // namespace fiducial
