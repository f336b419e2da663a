#pragma once

#include <optional>
#include <string_view>

#include "fiducial/datasets/medthinkvqa/raw_row.h"

namespace fiducial::medthinkvqa {

// The row of a line that is written as releases write theirs: one object of distinct names, whose values are
// texts, small integers, booleans, null, and the options. Nothing for any other line, right or wrong: then
// parse_json decides, which knows all of JSON and where it is broken. What comes out is what it would give.
//
// Texts are searched 16 bytes at a time and copied once.
std::optional<RawRow> parse_plain_row(std::string_view line);

}  // namespace fiducial::medthinkvqa
