#pragma once

#include <memory>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/http/security.h"

namespace fiducial::http {

// Files of a server that speaks TLS, both PEM.
struct TlsFiles {
  Path certificates;  // its own first
  Path key;
};

// TLS 1.2 and newer with these files, for ServerOptions::security.
Result<std::shared_ptr<const Security>> load_tls(const TlsFiles& files);

}  // namespace fiducial::http
