#pragma once

#include <string>

#include "fiducial/base/bytes.h"
#include "fiducial/base/json.h"

namespace fiducial::dicom_reader {

// Writes to standard output at once, so that what is known so far survives a crash. Ends the process where
// nobody listens.
void answer(const Json& line);
void answer(ByteView bytes);

// Answers that a file is no slice, or that it ends the reading.
void answer_skipped(std::size_t file, const std::string& reason);
void answer_error(std::size_t file, const std::string& message);

}  // namespace fiducial::dicom_reader
