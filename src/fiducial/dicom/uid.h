#pragma once

#include <string>
#include <string_view>

namespace fiducial {

// A DICOM UID made of a text: "2.25." and 128 bits of its SHA-256 as a decimal number. Equal texts, equal
// UIDs.
std::string uid_of(std::string_view text);

}  // namespace fiducial
