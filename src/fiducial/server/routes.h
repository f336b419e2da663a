#pragma once

#include <span>
#include <string_view>

#include "fiducial/server/call.h"

namespace fiducial {

// A path of the API: one line in all_routes.def. The dispatcher and the OpenAPI document read it.
struct ApiRoute {
  std::string_view method;
  std::string_view pattern;
  std::string_view name;  // of the operation
  Result<http::Reply> (*handler)(ApiCall& call) = nullptr;
  std::string_view schema;  // of the reply, in data/api_schemas.json
  std::string_view query;   // parameters, with a space between them
  std::string_view title;
};

std::span<const ApiRoute> all_api_routes();

}  // namespace fiducial
