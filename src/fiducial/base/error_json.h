#pragma once

#include <string_view>

#include "fiducial/base/error.h"
#include "fiducial/base/json.h"

namespace fiducial {

// An error for programs, schema fiducial.error/1 (docs/formats/error.md); advice ends its text. Bytes of file
// names that are no UTF-8 are written out (\xff), so it is always a JSON document.
Json error_json(const Error& error, std::string_view advice = "");

}  // namespace fiducial
