#pragma once

#include <string>
#include <string_view>

#include "fiducial/base/result.h"

namespace fiducial {

// A frame in DICOM's run-length encoding (PS3.5, annex G), one segment a byte of the values, as little-endian
// values. Refuses fragments that give another number of bytes.
Result<std::string> run_length_decoded(std::string_view fragment, std::size_t values, std::size_t width);

}  // namespace fiducial
