#pragma once

#include <map>
#include <optional>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// What is known of a model beside its answers.
struct ModelFacts {
  std::string name;                // as tables show it; empty: as it was asked for
  std::string family;              // empty: not known
  std::optional<double> billions;  // of parameters
  std::optional<double> active;    // of them, at work for a token
  std::optional<bool> has_open_weights;
};

// By the name that the model is asked for.
using ModelFactsTable = std::map<std::string, ModelFacts, std::less<>>;

// A CSV table with the columns model and, as far as they are known, name, family, billions, active and
// weights (open or closed). Other columns are passed over.
Result<ModelFactsTable> read_model_facts(const Path& path);
Result<ModelFactsTable> parse_model_facts(std::string_view text);

}  // namespace fiducial
