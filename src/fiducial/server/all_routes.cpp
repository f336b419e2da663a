#include <array>

#include "fiducial/server/routes.h"

namespace fiducial {

#define ROUTE(method, pattern, handler, schema, query, title) Result<http::Reply> handler(ApiCall& call);
#include "fiducial/server/all_routes.def"
#undef ROUTE

std::span<const ApiRoute> all_api_routes() {
  static constexpr auto all = std::to_array<ApiRoute>({
#define ROUTE(method, pattern, handler, schema, query, title) \
  {#method, pattern, #handler, handler, #schema, query, title},
#include "fiducial/server/all_routes.def"
#undef ROUTE
  });
  return all;
}

}  // namespace fiducial
