#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fiducial/base/note.h"
#include "fiducial/base/result.h"
#include "fiducial/cases/grounded_case.h"

namespace fiducial::rexgroundingct {

// The content of a dataset.json: cases by split, in file order.
struct DatasetFile {
  std::vector<std::pair<std::string, std::vector<GroundedCase>>> splits;
  Notes notes;

  const std::vector<GroundedCase>* find_split(std::string_view name) const;
  std::string split_names() const;  // "train, val, test"
};

// Reads all three published forms of an entry: `name` with `findings`, the scorer's `seg_path`, and
// `image_path`. Names must be unique within a split. Errors name the place as a JSON pointer.
Result<DatasetFile> parse_dataset_file(std::string_view text);

}  // namespace fiducial::rexgroundingct
