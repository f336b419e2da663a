#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/http/reply.h"
#include "fiducial/http/request.h"

namespace fiducial {

class Library;

// The parameters of a request, each of which its route declares.
class Query {
 public:
  // declared: names with a space between them; a star behind one lets it stand several times. Refuses others,
  // repeated ones, and values that are not what the parameter takes (api_parameters.def).
  static Result<Query> parse(std::string_view query, std::string_view declared);

  std::optional<std::string> find(std::string_view name) const;
  std::string text(std::string_view name, std::string_view otherwise = "") const;
  std::vector<std::string> all(std::string_view name) const;
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  double number(std::string_view name, double otherwise) const;

 private:
  std::vector<std::pair<std::string, std::string>> values_;
};

// A request to a route of the API.
struct ApiCall {
  Library& library;
  const http::Request& request;
  Query query;

  std::string part(std::string_view name) const { return std::string(request.part(name)); }
};

// An error as a reply: problem+json with the statuses of docs/formats/api.md.
http::Reply problem_reply(const Error& error);
// Where nothing is under a name; the text says what was looked for.
http::Reply not_found(std::string_view what);

// Bytes that are sent as they are.
http::Reply bytes_reply(std::string_view type, ByteView bytes);

// What a request asks for by Accept: the first of the types offered that it names; else the first of all.
std::string_view chosen_type(const http::Request& request, const std::vector<std::string_view>& offered);

// The reply with its entity tag; 304 where the client has it; as gzip where the client takes that and it
// pays.
http::Reply finished_reply(const http::Request& request, http::Reply reply);

}  // namespace fiducial
