#pragma once

#include <string>
#include <string_view>

#include "fiducial/base/result.h"
#include "fiducial/server/embedded_app.h"

namespace fiducial {

// A file of the web app by its path; nullptr where there is none.
const EmbeddedFile* find_app_file(std::string_view path);
// Its bytes as they were before they were compressed.
Result<std::string> file_text(const EmbeddedFile& file);

}  // namespace fiducial
