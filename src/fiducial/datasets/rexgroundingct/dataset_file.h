#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/base/note.h"
#include "fiducial/base/result.h"
#include "fiducial/cases/grounded_case.h"

namespace fiducial::rexgroundingct {

// The content of a dataset.json: cases by split, in file order.
struct DatasetFile {
  std::vector<std::pair<std::string, std::vector<GroundedCase>>> splits;
  Notes notes;

  const std::vector<GroundedCase>* find_split(std::string_view name) const;
};

// One entry of a split; pointer is its place. Errors name the place as a JSON pointer.
Result<GroundedCase> read_dataset_entry(const Json& entry, const std::string& pointer);

// Reads all three published forms of an entry: `name` with `findings`, the scorer's `seg_path`, and
// `image_path`. Names must be unique within a split. Errors name the place as a JSON pointer.
Result<DatasetFile> parse_dataset_file(std::string_view text);

}  // namespace fiducial::rexgroundingct
