#pragma once

#include <optional>
#include <string>

#include "fiducial/base/error.h"
#include "fiducial/geometry/grid.h"
#include "fiducial/masks/mask_file.h"

namespace fiducial {

// Why strict rules refuse the values of a prediction, if they do.
std::optional<std::string> refused_values(const LabelValueFacts& values);

// Why strict rules refuse the header's place in the patient, if they do.
std::optional<std::string> refused_place(const MaskFile& mask, const std::optional<Grid>& volume);

// An error of a case's own file: the row names the case already.
std::string text_without_file(const Error& error);

}  // namespace fiducial
