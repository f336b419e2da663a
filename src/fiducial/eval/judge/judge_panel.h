#pragma once

#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/result.h"
#include "fiducial/eval/agreement/rating_table.h"

namespace fiducial {

// What several askings say together: those of several judges, or of one judge that was asked often.
struct PanelOptions {
  std::int64_t samples = 1;  // askings of every judge that vote; further ones are repeats of the panel
  AgreementOptions agreement;
};

// The files of a panel, which is a judge of its own (docs/formats/certificate.md): it can be certified, and
// scores can rest on it.
struct JudgePanel {
  Json manifest;
  std::string verdicts;
  std::string probes;
};

// A verdict stands where more than half of the votes are for it; a step without a majority has none. Refuses
// judges of other steps, fewer than two votes, and a judge that was asked too seldom.
Result<JudgePanel> vote_of_judges(const std::vector<Path>& runs, const PanelOptions& options);

// Writes the files into a new folder.
Outcome write_panel(const JudgePanel& panel, const Path& folder);

// What the judges of a panel agree in, of the folder that verdicts are from; null where no panel gave them.
Result<Json> agreement_of_panel(const Path& given);

}  // namespace fiducial
