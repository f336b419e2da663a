#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/result.h"

namespace fiducial {

// The names that a label map gives its labels in an extension of its header: a Caret label table, as
// TotalSegmentator writes it. Empty where there is none. Reads the front of the file only, at most 4 MiB.
Result<std::map<std::int32_t, std::string>> read_label_extension(std::unique_ptr<ByteStream> stored);

// The entries <Label Key="1" ...>name</Label> of a label table; a name may stand in CDATA. What is no such
// entry is passed over; two names for one label are refused.
Result<std::map<std::int32_t, std::string>> parse_label_table(std::string_view xml);

}  // namespace fiducial
