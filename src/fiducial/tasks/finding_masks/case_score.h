#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/note.h"
#include "fiducial/base/sha256.h"
#include "fiducial/cases/grounded_case.h"
#include "fiducial/geometry/affine.h"
#include "fiducial/metrics/score.h"
#include "fiducial/spatial/finding_order.h"
#include "fiducial/spatial/matching.h"
#include "fiducial/spatial/orientation_probe.h"

namespace fiducial {

// How a prediction fared before any number was computed.
enum class CaseStatus { scored, missing, failed };
std::string_view to_string(CaseStatus status);

// The scores of one finding, beside the metrics of the plan.
struct FindingScore {
  std::int64_t index = 0;
  std::string category;        // the code as the dataset gives it
  std::string category_group;  // the code, or that of codes which the ontology does not know
  std::string focality;        // "focal", "non_focal", or likewise
  std::int64_t reference_voxels = 0;
  std::int64_t reference_entities = 0;
  std::vector<Score> strict;    // one a strict metric
  std::vector<Score> official;  // one an official metric; empty when the case is left out there
  // What the reference gets as its own prediction, by the metrics whose contract has a ceiling.
  std::vector<Score> strict_best;
  std::vector<Score> official_best;                   // empty where `official` is
  std::optional<InstanceMatching> official_matching;  // for the published scorer's own file
};

// All that scoring one case gives.
struct CaseScore {
  std::string name;
  std::string patient;
  std::string protocol;
  std::string reference_file;                       // relative to the dataset
  CaseStatus status = CaseStatus::scored;           // by strict rules
  CaseStatus official_status = CaseStatus::scored;  // failed: the published scorer would abort
  std::string reason;                               // why not scored
  std::string official_reason;
  std::vector<FindingScore> findings;
  std::optional<OrientationVerdict> orientation;
  std::optional<FindingOrder> order;  // of the findings, where another one fits much better
  Digest reference_digest;
  std::optional<Digest> prediction_digest;
  std::optional<Digest> ignored_digest;  // of the file of ignored regions
  std::optional<Digest> volume_digest;   // of where the CT says its voxels lie
  std::optional<Vec3> spacing_mm;        // of the CT, where one is there and says it
  Notes notes;
};

}  // namespace fiducial
