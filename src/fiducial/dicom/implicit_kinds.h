#pragma once

#include <string_view>

#include "fiducial/dicom/data_set.h"

namespace fiducial {

// The kind of an attribute where a file does not say it: of sequences and texts that we read, "UN" of others.
std::string_view implicit_kind(DicomTag tag);

}  // namespace fiducial
