#pragma once

#include <string>
#include <string_view>

#include "fiducial/base/error.h"
#include "fiducial/base/file.h"

namespace arrow {
class Status;
}

namespace fiducial {

// What a store said of a URL, without the keys that its words may hold.
Error store_error(const Path& url, const arrow::Status& status);

Error changed_object(const Path& url);

// A text without the values of the variables that hold keys.
std::string without_keys(std::string text);

}  // namespace fiducial
