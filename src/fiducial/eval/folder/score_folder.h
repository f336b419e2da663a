#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/sha256.h"
#include "fiducial/eval/outputs/write_scores.h"
#include "fiducial/metrics/metric.h"
#include "fiducial/table/table.h"

namespace fiducial {

// What `fiducial score` wrote: the plan, the summary that names the plan's hash, and every row.
struct ScoreFolder {
  Path path;
  Json plan;
  Json summary;
  Table rows;
  Digest plan_digest;
  Digest summary_digest;

  const std::string& system() const;

  // The aggregates of one scorer ("metrics" or "official") and their groups; nullptr where it was not asked
  // for.
  const Json* slots(Scorer scorer) const;
  const Json* groups(Scorer scorer) const;
};

// Refuses folders without the three files, other schemas and, as an integrity failure, a plan whose hash is
// not the one the summary was made with.
Result<ScoreFolder> read_score_folder(const Path& path);

// Plans that this version reads.
bool is_known_plan(std::string_view schema);

// One unit as the rows tell of it.
struct FindingRow {
  std::string case_name;
  std::int64_t finding = 0;
  std::string patient;
  std::string category;  // as the dataset gives it
  std::string status;    // of the prediction: "scored", "missing" or "failed"
  friend bool operator==(const FindingRow&, const FindingRow&) = default;
};

// The rows of one scorer, unit by unit.
struct FindingRows {
  using Values = std::vector<std::optional<double>>;

  std::vector<FindingRow> findings;                   // cases by name
  std::map<std::string, Values, std::less<>> values;  // by metric id, one a finding
  // By metric id, of how many texts, steps or cases a value is the mean; none in tables of earlier versions,
  // where each counts once.
  std::map<std::string, std::vector<double>, std::less<>> weights;
  std::map<std::string, std::vector<std::string>, std::less<>> groups;  // kind to label, one a finding

  bool official_stops = false;  // the published scorer would have given nothing

  const Values* find(std::string_view metric) const;
  const std::vector<double>* find_weights(std::string_view metric) const;
  // The findings in a group of a kind that `groups` has.
  std::vector<std::size_t> members(std::string_view kind, std::string_view label) const;
};

// Refuses columns of other names or types, and units that lack a row for a metric or have two; in sparse
// tables rows may be lacking.
Result<FindingRows> finding_rows(const Table& rows, Scorer scorer);

}  // namespace fiducial
