#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/datasets/volume_metadata.h"

namespace fiducial {

// The group of a case by one column of the metadata, and its place among the labels of that column.
struct GroupLabel {
  std::string column;
  std::string label;
  double order = 0;

  friend bool operator==(const GroupLabel&, const GroupLabel&) = default;
};

// What a group of cases without a value is called.
inline constexpr const char* unknown_group = "unknown";

// How the values of a column become labels. Resolved once from the whole table and recorded in the plan, so
// that shards and later runs give the same labels.
struct GroupColumn {
  enum class Kind {
    text,     // every value is a group
    values,   // every number is a group
    decades,  // ages: "50-59"
    bins,     // numbers between edges: "<1", "1-<2", ">=2"
  };

  std::string column;
  Kind kind = Kind::text;
  std::vector<double> edges;  // of bins, ascending

  // The label of a value; "unknown" where there is none or it is not of the column's kind.
  GroupLabel label(const std::optional<std::string>& value) const;

  friend bool operator==(const GroupColumn&, const GroupColumn&) = default;
};

// An age in years: DICOM's "059Y" (also M, W, D for months, weeks, days), or a plain number.
std::optional<double> parse_age_years(std::string_view text);

// One word of --group-by: a column, or a column with edges as in "ZSpacing:1:2.5".
//
// Where nine in ten values are ages, or the column is named so and they are numbers, they are grouped by
// decade. Where nine in ten are numbers and there are more than eight of them, they are binned with a round
// width (1, 2 or 5 times a power of ten) that gives at most eight bins. A column that is not there is an
// error that lists those that are; a word that is malformed or names a kind of group that every run has is
// bad usage.
Result<GroupColumn> resolve_group_column(const VolumeMetadata& metadata, const std::string& word);
Result<std::vector<GroupColumn>> resolve_group_columns(const VolumeMetadata& metadata,
                                                       const std::vector<std::string>& words);

Json to_json(const GroupColumn& column);
Result<GroupColumn> parse_group_column(const Json& value);

// The labels of one volume, one a column; all unknown where the table has no row for it.
std::vector<GroupLabel> group_labels(const std::vector<GroupColumn>& columns, const VolumeMetadata& metadata,
                                     const std::string& volume_name);

}  // namespace fiducial
