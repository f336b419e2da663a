#pragma once

#include <optional>
#include <string>

#include "fiducial/base/error.h"
#include "fiducial/image/label_decoder.h"

namespace fiducial {

// Why strict rules refuse the values of a prediction, if they do.
std::optional<std::string> refused_values(const LabelValueFacts& values);

// An error of a case's own file: the row names the case already.
std::string text_without_file(const Error& error);

}  // namespace fiducial
