#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/curate/reports/report_stage.h"

namespace fiducial {

// The option that names outputs of stages that need not be run again.
StageOption from_option(const std::string& stages);

// Files of earlier stages, a report each.
class EarlierOutputs {
 public:
  // The folders of --from; each must be the output of a stage, and is recorded as an input.
  static Result<EarlierOutputs> of(StageCall& call);

  bool empty() const { return folders_.empty(); }
  // Whether one of the folders holds a folder of this name.
  bool has(const std::string& kind) const;
  // KIND/ID.json of the first folder that has it, or why there is none: missing_input, bad_input.
  struct Document {
    Json value;
    ItemStatus status;
  };
  Document find(const std::string& kind, std::string_view id) const;

 private:
  std::vector<Path> folders_;
};

// Texts by key: {"P1": "..."}. Anything else is refused.
ItemStatus check_text_members(const Json& document, const std::string& what);

}  // namespace fiducial
