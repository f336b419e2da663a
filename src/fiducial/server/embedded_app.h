#pragma once

#include <span>
#include <string_view>

#include "fiducial/base/bytes.h"

namespace fiducial {

// A file of the web app, compiled into the program.
struct EmbeddedFile {
  std::string_view path;    // below the root, "index.html", "assets/main-3f2a.js"
  std::string_view type;    // "text/html; charset=utf-8"
  std::string_view sha256;  // of the bytes that are not compressed, in hexadecimal
  ByteView gzip;            // its bytes as a gzip file
};

// The web app; empty where the program was built without it (FIDUCIAL_WEB=OFF).
std::span<const EmbeddedFile> embedded_app();

}  // namespace fiducial
