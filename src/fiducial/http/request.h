#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fiducial/base/result.h"

namespace fiducial::http {

// A header field.
struct Field {
  std::string name;
  std::string value;
};

// A request whose head has been checked: one host, one length, a target in origin form.
struct Request {
  std::string method;
  std::string target;  // as it was sent
  std::string path;    // decoded; begins with a slash, has no NUL and no "." or ".." between slashes
  std::string query;   // as it was sent, behind the question mark
  std::vector<Field> fields;
  std::string body;                                        // empty where the route takes it in pieces
  std::string address;                                     // of the client
  std::vector<std::pair<std::string, std::string>> parts;  // what the pattern of the route names
  bool is_1_0 = false;

  // The first value of a field, its name in any case; nullptr where there is none.
  const std::string* find(std::string_view name) const;
  // What {name} of the route's pattern stands for; empty where the pattern has no such name.
  std::string_view part(std::string_view name) const;
  // The decoded value of a parameter of the query; nothing where it is absent, an error where it stands twice
  // or is no text.
  Result<std::optional<std::string>> parameter(std::string_view name) const;
};

// Fills target, path and query; fails on anything but the origin form (RFC 9112, 3.2.1).
Outcome set_target(Request& request, std::string_view target);

// Text without its percent signs; plus is a space in a query.
Result<std::string> percent_decoded(std::string_view text, bool plus_is_space);

}  // namespace fiducial::http
