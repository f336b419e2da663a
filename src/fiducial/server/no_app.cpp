#include "fiducial/server/embedded_app.h"

namespace fiducial {

std::span<const EmbeddedFile> embedded_app() { return {}; }

}  // namespace fiducial
