#pragma once

#include "fiducial/base/json.h"

namespace fiducial {

// The OpenAPI 3.1 document of the API, made from all_routes.def, api_parameters.def and
// data/api_schemas.json.
Json open_api_document();

}  // namespace fiducial
