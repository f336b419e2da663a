#pragma once

#include <string>
#include <string_view>

#include "fiducial/base/bytes.h"
#include "fiducial/base/file.h"
#include "fiducial/base/json.h"

namespace fiducial {

// For tests, which run in the project's root: a document of values that another tool computed,
// tests/reference/<name>.
inline Json reference_values(const std::string& name) {
  return parse_json(read_text_file(Path("tests/reference") / name).value()).value();
}

// For tests: the bytes of a base64 text without line breaks.
inline Bytes base64_decoded(std::string_view text) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  Bytes out;
  unsigned held = 0;
  unsigned bits = 0;
  for (const char c : text.substr(0, text.find('='))) {
    held = (held << 6U | static_cast<unsigned>(alphabet.find(c))) & 0xFFFFU;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out.push_back(static_cast<std::byte>(held >> bits & 0xFFU));
  }
  return out;
}

}  // namespace fiducial
