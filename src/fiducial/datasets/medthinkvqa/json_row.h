#pragma once

#include <string_view>

#include "fiducial/base/json.h"
#include "fiducial/datasets/medthinkvqa/plain_row.h"
#include "fiducial/datasets/medthinkvqa/raw_row.h"

namespace fiducial::medthinkvqa {

// One line of a JSONL file, without its end. Strings keep every byte they stand for. Fails only where the
// line is no JSON object of distinct names; a wrong type is a field error of the row. One thread at a time.
class RowParser {
 public:
  // Texts of the row are views into the line: whoever keeps the row keeps the line.
  Result<RawRow> parse(std::string_view line);

 private:
  PlainRowParser plain_;
};

// The same, with a copy of the line in the row.
Result<RawRow> parse_json_row(std::string_view line);

// The same of a parsed object, whose texts are copied. A wrong type is a field error of the row.
RawRow row_of(const Json& object);

// Gives a row the options that are kept as the text of a JSON object.
Outcome add_json_options(RawRow& row, std::string_view text);

}  // namespace fiducial::medthinkvqa
