#pragma once

#include <optional>

#include "fiducial/base/executor.h"
#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/progress.h"

namespace fiducial {

// What a card is made of.
struct CardRequest {
  Path dataset;                  // a folder in a published layout
  std::optional<Path> volumes;   // where metadata is looked for first
  std::optional<Path> metadata;  // unset: the only one there is, if there is one
  std::optional<Path> config;    // what the data cannot say: see docs/formats/card.md
  // Of data that were made here: the file they were made from. They are not the published ones then.
  std::optional<std::string> made_from;
  bool check = true;  // hold the dataset against its rules for limitations and validation
};

// A card of a dataset, computed from its files; what nothing says is "N/A" with an alert.
Result<Json> make_card(const CardRequest& request, const Executor& executor, Progress& progress);

}  // namespace fiducial
