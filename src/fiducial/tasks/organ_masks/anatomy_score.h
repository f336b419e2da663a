#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fiducial/anatomy/mask_library.h"
#include "fiducial/base/case_budget.h"
#include "fiducial/base/executor.h"
#include "fiducial/base/json.h"
#include "fiducial/base/progress.h"
#include "fiducial/metrics/score.h"

namespace fiducial {

// What is asked: predicted masks of organs or regions against those of a release.
struct AnatomyScoreRequest {
  Path reference;                    // what MaskLibrary::open takes
  Path predictions;                  // likewise, under names of the release, of SAT or of TotalSegmentator
  std::string inside;                // of predictions that are a zip: the folder they lie in, "masks/"
  std::vector<std::string> volumes;  // empty: those that the reference has
  std::optional<Path> ct_folder;     // CTs, whose grid both sides are held against
  std::optional<Vec3> spacing_mm;    // where no header says it: masks of the release lost theirs
  double tolerance_mm = 1;           // of NSD
  // Where one side has the parts and the other their union, they meet as the union: lobes and lungs. The
  // parts that stand in a union are not scored apart where the prediction has none of them.
  bool meet_as_unions = false;
  CaseLimits limits = {};  // of what the masks of a volume may cost
  // Where volumes that were scored are kept, by name, and taken from; unset: nowhere.
  std::function<Result<Json>(const std::string& volume, const std::function<Result<Json>()>& make)> keep;
};

// One structure of one volume.
struct AnatomyRow {
  std::string volume;
  std::string structure;
  std::vector<std::string> regions;  // it belongs to
  MaskStatus reference = MaskStatus::missing;
  MaskStatus prediction = MaskStatus::missing;
  Score dice = Score::undefined("not scored");
  Score nsd = Score::undefined("not scored");
  Score hd95 = Score::undefined("not scored");
  Score penalised_hd95 = Score::undefined("not scored");  // the diagonal of the volume where one has no voxel
  std::string detail;
};

// Means of one structure, region, or all of them. A mean of nothing has n = 0.
struct AnatomyMean {
  std::int64_t n = 0;
  double mean = 0;
};

struct AnatomyMeans {
  AnatomyMean dice;
  AnatomyMean nsd;
  AnatomyMean hd95;               // of structures that both have
  AnatomyMean penalised_hd95;     // of all that Dice counts
  std::int64_t references = 0;    // structures of volumes with voxels in the reference
  std::int64_t missing = 0;       // of these: without a prediction
  std::int64_t refused = 0;       // of these: on another grid, or not readable
  std::int64_t false_alarms = 0;  // predicted where the reference has none
};

// The masks of a volume, as the hash of their files (CaseMasks::digest).
struct HashedMasks {
  std::string volume;
  std::optional<Digest> reference;
  std::optional<Digest> prediction;
};

struct AnatomyScores {
  std::vector<AnatomyRow> rows;    // unless somebody else took them
  std::vector<HashedMasks> files;  // of volumes with a reference
  std::map<std::string, AnatomyMeans> structures;
  std::map<std::string, AnatomyMeans> regions;
  AnatomyMeans macro;      // means of the structures' means: every structure weighs the same
  AnatomyMeans submitted;  // the same of structures that were predicted for some volume
  std::int64_t volumes = 0;
  std::int64_t volumes_without_reference = 0;
  std::int64_t volumes_without_prediction = 0;

  Json json() const;
  std::string csv() const;  // a line a row
};

// Means of structures and regions, row by row.
class AnatomySums {
 public:
  void add(const AnatomyRow& row);
  AnatomyScores finish() const;

 private:
  std::map<std::string, AnatomyMeans> structures_;
  std::map<std::string, std::map<std::string, AnatomyMeans>> by_region_;
  std::set<std::string> submitted_;
};

// A row of a volume as one compact JSON value, and back; undefined scores come back without their reason.
Json row_json(const AnatomyRow& row);
Result<AnatomyRow> parse_anatomy_row(const Json& value, const std::string& volume);

// Scores every structure that the reference has.
//
// By contract: where both are empty nothing is scored; voxels where the reference has none, and none or no
// usable ones where it has some, are Dice 0 and NSD 0, have no HD95 and a penalised HD95 of the volume's
// diagonal. Masks that lost their place take
// the grid of the CT, or of the reference, if they have its shape; others are refused, never resampled.
Result<AnatomyScores> score_anatomy_masks(const AnatomyScoreRequest& request, Progress& progress);

// The same for so many volumes that rows are taken as they come, and not kept.
using AnatomyRowVisitor = std::function<void(const AnatomyRow&)>;
Result<AnatomyScores> score_anatomy_masks(const AnatomyScoreRequest& request, Progress& progress,
                                          const AnatomyRowVisitor& visit);

}  // namespace fiducial
