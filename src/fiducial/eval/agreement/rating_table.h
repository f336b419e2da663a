#pragma once

#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/result.h"
#include "fiducial/stats/agreement.h"

namespace fiducial {

// What raters said, read from a table: one row an item, one column a rater.
struct RatingTable {
  std::vector<std::string> raters;
  Ratings ratings;
  bool numeric = true;  // false: labels are words; a rating is the place of its label in `labels`
  std::vector<std::string> labels;

  // The ratings of two raters.
  Ratings pair(std::size_t a, std::size_t b) const;
  // Items that some rater did not rate: Fleiss' kappa and ICC leave them out.
  std::int64_t incomplete_items() const;
};

// Reads a CSV table. Columns that name the item in the field's words (item, case_id, VolumeName, study,
// lesion ...) are no raters; `raters` chooses columns by name instead. Empty cells, "NA" and "nan" are no
// rating. Labels are numbers, or words; true, yes, t, y and correct are 1, false, no, f, n and incorrect 0.
Result<RatingTable> read_rating_table(const Path& path, const std::vector<std::string>& raters);

// One statistic of agreement, with its interval where it has one.
struct AgreementValue {
  std::string name;  // "cohen_kappa", "icc_2_1", ...
  std::string title;
  std::optional<double> value;
  std::optional<Interval> interval;
  std::string reason;  // why there is no value
};

struct AgreementOptions {
  int resamples = 1000;
  std::uint64_t seed = 0;
};

// Every statistic that the table allows. Those of two raters are undefined where there are more.
std::vector<AgreementValue> agreement_values(const RatingTable& table, const AgreementOptions& options);

// The statistics of two raters, for every two of several.
struct PairAgreement {
  std::string first;
  std::string second;
  std::vector<AgreementValue> values;
};
// Nothing of more raters than most_paired_raters, whose pairs nobody reads.
constexpr std::size_t most_paired_raters = 32;
std::vector<PairAgreement> pair_agreements(const RatingTable& table, const AgreementOptions& options);

// Schema fiducial.agreement/1; with more than two raters also the statistics of every two of them.
Json agreement_json(const RatingTable& table, const AgreementOptions& options);

}  // namespace fiducial
