#pragma once

#include <string>

namespace fiducial::dicom_reader {

// Answers about one file; false ends the reading, after the reason was told. Reading may throw.
bool answer_headers(std::size_t number, const std::string& file);
bool answer_pixels(std::size_t number, const std::string& file);

}  // namespace fiducial::dicom_reader
