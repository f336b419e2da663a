#pragma once

#include "fiducial/base/json.h"
#include "fiducial/server/library.h"

namespace fiducial {

// A dataset as lists show it: what it is, its splits, how many cases. A dataset that cannot be opened says
// why in "problem".
Json dataset_json(const Library& library, const ServedDataset& dataset);

// A run as lists show it, with its headline value.
Json run_json(const Library& library, const ServedRun& run);

// A case as lists show it.
Json case_row_json(const ServedDataset& dataset, const CasePlace& place);

// The address of a case in the API; its parts are percent-encoded.
std::string case_address(const ServedDataset& dataset, const CasePlace& place);
std::string percent_encoded(std::string_view text);

}  // namespace fiducial
