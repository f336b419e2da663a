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
  Result<RawRow> parse(std::string_view line);

 private:
  PlainRowParser plain_;
};

Result<RawRow> parse_json_row(std::string_view line);

// The same of a parsed object. A wrong type is a field error of the row.
RawRow row_of(const Json& object);

// The options of a row that are kept as the text of a JSON object.
Result<RawRow::Options> parse_json_options(std::string_view text);

}  // namespace fiducial::medthinkvqa
