#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/eval/inputs/record_file.h"
#include "fiducial/metrics/radcliq.h"

namespace fiducial {

// Which text of a run: of step 1 the finding of an image, of step 2 the summary.
struct StepText {
  std::int64_t number = 0;  // of the case
  int step = 1;             // 1 or 2
  int image = 0;            // from 1; 0 in step 2

  auto operator<=>(const StepText&) const = default;  // NOLINT(modernize-use-nullptr): none is here
};

// The components of a text, or why there are none.
struct TextComponents {
  std::optional<RadcliqComponents> values;
  std::string error;
};

using ComponentTable = std::map<StepText, TextComponents>;

// Component scores as docs/formats/components.md has them. Refuses, with the line: a text that occurs twice,
// a component that is absent, and values outside of what a component can be (percentages, for instance).
Result<ComponentTable> component_table(const std::vector<Record>& records, const std::string& path);

// A text and its reference, to be compared by a provider.
struct ComparedText {
  StepText text;
  std::string reference;
  std::string prediction;
};

// A command that makes component scores: it reads one JSON object a line (case, step, image, reference,
// prediction) and writes components in the format above.
struct ComponentProvider {
  std::string command;  // for the shell
  int timeout_s = 3600;
};

// The records it wrote. A provider that fails, is silent too long or writes anything else is an error; one
// that ends with status 8 is not available here.
Result<std::vector<Record>> run_provider(const ComponentProvider& provider,
                                         const std::vector<ComparedText>& texts);

}  // namespace fiducial
